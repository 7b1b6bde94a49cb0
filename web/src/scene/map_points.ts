// SPDX-License-Identifier: Apache-2.0
// The points of the map itself, in their own colours.
import * as three from "three";
import type { MapPoints } from "../world_data";

// The colours are those of a picture already: they pass as they are.
const kVertex = `
  attribute vec3 color;
  uniform float pixel_ratio;
  uniform float size;
  varying vec3 v_color;
  void main() {
    v_color = color;
    vec4 in_view = modelViewMatrix * vec4(position, 1.0);
    gl_Position = projectionMatrix * in_view;
    gl_PointSize = pixel_ratio * clamp(size / -in_view.z, 1.5, 6.0);
  }`;
const kFragment = `
  varying vec3 v_color;
  void main() { gl_FragColor = vec4(v_color, 1.0); }`;

// A stride of the buffer: nothing is copied.
function everyNth(
  values: Float32Array | Uint8Array,
  every: number,
  count: number,
  is_normalized: boolean,
): three.InterleavedBufferAttribute {
  const buffer = new three.InterleavedBuffer(values.subarray(0, 3 * every * count), 3 * every);
  return new three.InterleavedBufferAttribute(buffer, 3, 0, is_normalized);
}

export class MapPointsLayer {
  readonly object: three.Points<three.BufferGeometry, three.ShaderMaterial>;

  // `is_sparse`: every third point, for those who draw without a GPU.
  constructor({ positions, colors }: MapPoints, pixel_ratio: number, is_sparse: boolean) {
    const every = is_sparse ? 3 : 1;
    const count = Math.floor(positions.length / 3 / every);
    const geometry = new three.BufferGeometry();
    geometry.setAttribute("position", everyNth(positions, every, count, false));
    geometry.setAttribute("color", everyNth(colors, every, count, true));
    const material = new three.ShaderMaterial({
      vertexShader: kVertex,
      fragmentShader: kFragment,
      uniforms: { pixel_ratio: { value: pixel_ratio }, size: { value: is_sparse ? 150 : 90 } },
    });
    this.object = new three.Points(geometry, material);
    this.object.frustumCulled = false;
  }

  dispose(): void {
    this.object.geometry.dispose();
    this.object.material.dispose();
  }
}
