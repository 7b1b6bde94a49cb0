// SPDX-License-Identifier: Apache-2.0
// A line on the ground with a width in metres: a strip of triangles along points, which may grow.
import * as three from "three";

export class Ribbon {
  readonly object: three.Mesh<three.BufferGeometry, three.MeshBasicMaterial>;
  private readonly positions: three.BufferAttribute;
  private count = 0;

  constructor(
    private readonly most_points: number,
    private readonly width: number,
    private readonly above: number,
  ) {
    const geometry = new three.BufferGeometry();
    this.positions = new three.BufferAttribute(new Float32Array(6 * most_points), 3);
    this.positions.setUsage(three.DynamicDrawUsage);
    geometry.setAttribute("position", this.positions);
    const indices = new Uint32Array(6 * Math.max(0, most_points - 1));
    for (let i = 0; i + 1 < most_points; ++i) {
      const a = 2 * i;
      indices.set([a, a + 1, a + 2, a + 1, a + 3, a + 2], 6 * i);
    }
    geometry.setIndex(new three.BufferAttribute(indices, 1));
    geometry.setDrawRange(0, 0);
    const material = new three.MeshBasicMaterial({
      side: three.DoubleSide,
      polygonOffset: true, // wins over the ground, however far away
      polygonOffsetFactor: -2,
      polygonOffsetUnits: -2,
    });
    this.object = new three.Mesh(geometry, material);
    this.object.frustumCulled = false;
  }

  clear(): void {
    this.count = 0;
    this.object.geometry.setDrawRange(0, 0);
  }

  // The oldest half goes when there is no room: rarely, and nobody looks there.
  add(x: number, y: number, z: number): void {
    if (this.count === this.most_points) {
      const kept = Math.floor(this.most_points / 2);
      this.positions.array.copyWithin(0, 6 * (this.count - kept), 6 * this.count);
      this.count = kept;
    }
    const values = this.positions.array as Float32Array;
    const i = this.count++;
    const before = 6 * Math.max(0, i - 1);
    const from_x = i ? (values[before]! + values[before + 3]!) / 2 : x - 1;
    const from_y = i ? (values[before + 1]! + values[before + 4]!) / 2 : y;
    const length = Math.hypot(x - from_x, y - from_y) || 1;
    const side_x = (-(y - from_y) / length) * (this.width / 2);
    const side_y = ((x - from_x) / length) * (this.width / 2);
    values.set([x + side_x, y + side_y, z + this.above, x - side_x, y - side_y, z + this.above], 6 * i);
    if (i === 1) this.straightenStart(values, side_x, side_y);
    this.positions.needsUpdate = true;
    this.object.geometry.setDrawRange(0, 6 * Math.max(0, this.count - 1));
  }

  dispose(): void {
    this.object.geometry.dispose();
    this.object.material.dispose();
  }

  // The first point has no direction until there is a second.
  private straightenStart(values: Float32Array, side_x: number, side_y: number): void {
    const x = (values[0]! + values[3]!) / 2;
    const y = (values[1]! + values[4]!) / 2;
    values.set([x + side_x, y + side_y], 0);
    values.set([x - side_x, y - side_y], 3);
  }
}
