// SPDX-License-Identifier: Apache-2.0
// One LiDAR: the latest cloud in its place in the map, coloured by height, intensity or distance.
import * as three from "three";
import type { PointCloud2 } from "../messages";
import { currentTheme } from "../theme";

export type PointColoring = "height" | "intensity" | "distance";
const kColorings: PointColoring[] = ["height", "intensity", "distance"];

const kFloat32 = 7;
const kUint8 = 2;
const kUint16 = 4;
const kFarthest = 60; // m, the end of the colours
const kTallest = 6; // m above the ground under the vehicle

const kVertex = `
  attribute float intensity;
  uniform int coloring;
  uniform float ground_z;
  uniform float pixel_ratio;
  varying float v_value;
  void main() {
    vec4 in_map = modelMatrix * vec4(position, 1.0);
    if (coloring == 0) v_value = (in_map.z - ground_z + 0.5) / ${kTallest.toFixed(1)};
    else if (coloring == 1) v_value = sqrt(intensity);
    else v_value = length(position) / ${kFarthest.toFixed(1)};
    vec4 in_view = viewMatrix * in_map;
    // A little closer along the ray: points on the ground are not swallowed by it.
    gl_Position = projectionMatrix * vec4(0.99 * in_view.xyz, 1.0);
    gl_PointSize = pixel_ratio * clamp(70.0 / -in_view.z, 1.6, 4.0);
  }`;

// Teal, green, yellow, orange, red: five colours and straight lines between them. No blue: that is the
// vehicle and its trail.
const kFragment = `
  uniform float brightness;
  varying float v_value;
  vec3 between(float t, float from, vec3 a, vec3 b) { return mix(a, b, clamp((t - from) * 4.0, 0.0, 1.0)); }
  void main() {
    float t = clamp(v_value, 0.0, 1.0);
    vec3 color = between(t, 0.0, vec3(0.05, 0.66, 0.66), vec3(0.2, 0.78, 0.4));
    color = between(t, 0.25, color, vec3(0.75, 0.85, 0.2));
    color = between(t, 0.5, color, vec3(1.0, 0.6, 0.1));
    color = between(t, 0.75, color, vec3(0.95, 0.2, 0.25));
    gl_FragColor = vec4(brightness * color, 1.0);
  }`;

function offsetOf(cloud: PointCloud2, name: string, datatypes: number[]): [number, number] | undefined {
  const field = cloud.fields.find((f) => f.name === name && datatypes.includes(f.datatype));
  return field && [field.offset, field.datatype];
}

function readValue(view: DataView, at: number, datatype: number): number {
  if (datatype === kFloat32) return view.getFloat32(at, true);
  return datatype === kUint16 ? view.getUint16(at, true) : view.getUint8(at);
}

export class PointsLayer {
  readonly object: three.Points<three.BufferGeometry, three.ShaderMaterial>;
  count = 0;
  private positions = new three.BufferAttribute(new Float32Array(0), 3);
  private intensities = new three.BufferAttribute(new Float32Array(0), 1);

  constructor(pixel_ratio: number) {
    const material = new three.ShaderMaterial({
      vertexShader: kVertex,
      fragmentShader: kFragment,
      uniforms: {
        coloring: { value: 0 },
        ground_z: { value: 0 },
        pixel_ratio: { value: pixel_ratio },
        brightness: { value: 1 },
      },
    });
    this.object = new three.Points(new three.BufferGeometry(), material);
    this.object.frustumCulled = false; // bounds would cost more than they save
    this.object.matrixAutoUpdate = false;
    this.applyTheme();
  }

  colorBy(coloring: PointColoring): void {
    this.object.material.uniforms["coloring"]!.value = kColorings.indexOf(coloring);
  }

  applyTheme(): void {
    this.object.material.uniforms["brightness"]!.value = currentTheme() === "dark" ? 1 : 0.78;
  }

  // False when the cloud is not one of floats x, y, z that fit into its bytes.
  show(cloud: PointCloud2, map_from_lidar: three.Matrix4, ground_z: number): boolean {
    const x = offsetOf(cloud, "x", [kFloat32]);
    const y = offsetOf(cloud, "y", [kFloat32]);
    const z = offsetOf(cloud, "z", [kFloat32]);
    const intensity = offsetOf(cloud, "intensity", [kFloat32, kUint8, kUint16]);
    if (!x || !y || !z || cloud.is_bigendian || cloud.point_step < 12) return false;
    const count = Math.min(cloud.width * cloud.height, Math.floor(cloud.data.length / cloud.point_step));
    this.reserve(count);
    const { data, point_step } = cloud;
    const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
    const positions = this.positions.array as Float32Array;
    const intensities = this.intensities.array as Float32Array;
    let brightest = 1; // intensities are 0..1 or 0..255
    for (let i = 0, at = 0; i < count; ++i, at += point_step) {
      positions[3 * i] = view.getFloat32(at + x[0], true);
      positions[3 * i + 1] = view.getFloat32(at + y[0], true);
      positions[3 * i + 2] = view.getFloat32(at + z[0], true);
      const value = intensity ? readValue(view, at + intensity[0], intensity[1]) : 0;
      intensities[i] = value;
      if (value > 1) brightest = 255;
    }
    if (brightest > 1) for (let i = 0; i < count; ++i) intensities[i]! /= brightest;
    this.positions.needsUpdate = true;
    this.intensities.needsUpdate = true;
    this.object.geometry.setDrawRange(0, count);
    this.object.matrix.copy(map_from_lidar);
    this.object.matrixWorldNeedsUpdate = true;
    this.object.material.uniforms["ground_z"]!.value = ground_z;
    this.count = count;
    return true;
  }

  dispose(): void {
    this.object.geometry.dispose();
    this.object.material.dispose();
  }

  private reserve(count: number): void {
    if (count <= this.positions.count) return;
    const room = Math.ceil(1.25 * count);
    this.object.geometry.dispose();
    this.object.geometry = new three.BufferGeometry();
    this.positions = new three.BufferAttribute(new Float32Array(3 * room), 3);
    this.intensities = new three.BufferAttribute(new Float32Array(room), 1);
    for (const attribute of [this.positions, this.intensities])
      attribute.setUsage(three.DynamicDrawUsage);
    this.object.geometry.setAttribute("position", this.positions);
    this.object.geometry.setAttribute("intensity", this.intensities);
  }
}
