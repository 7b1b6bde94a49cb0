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
    gl_Position = projectionMatrix * vec4(0.995 * in_view.xyz, 1.0); // in front of the ground it lies on
    gl_PointSize = pixel_ratio * clamp(size / -in_view.z, 1.5, 6.0);
  }`;
const kFragment = `
  varying vec3 v_color;
  void main() { gl_FragColor = vec4(v_color, 1.0); }`;

// A stride of the buffer: nothing is copied.
function everyNth(values: Float32Array | Uint8Array, every: number, is_normalized: boolean) {
  const stride = 3 * every;
  const whole = values.subarray(0, stride * Math.floor(values.length / stride));
  const buffer = new three.InterleavedBuffer(whole, stride);
  return new three.InterleavedBufferAttribute(buffer, 3, 0, is_normalized);
}

export class MapPointsLayer {
  readonly object: three.Points<three.BufferGeometry, three.ShaderMaterial>;

  // Every n-th point, somewhat larger.
  constructor({ positions, colors }: MapPoints, pixel_ratio: number, every: number) {
    const geometry = new three.BufferGeometry();
    geometry.setAttribute("position", everyNth(positions, every, false));
    geometry.setAttribute("color", everyNth(colors, every, true));
    const material = new three.ShaderMaterial({
      vertexShader: kVertex,
      fragmentShader: kFragment,
      uniforms: { pixel_ratio: { value: pixel_ratio }, size: { value: 95 * Math.sqrt(every) } },
    });
    this.object = new three.Points(geometry, material);
    this.object.frustumCulled = false;
  }

  dispose(): void {
    this.object.geometry.dispose();
    this.object.material.dispose();
  }
}
