// SPDX-License-Identifier: Apache-2.0
// Places along the recorded path and beside it.
import type { Point3, World } from "../world_data";

export interface PathPlace {
  x: number;
  y: number;
  z: number;
  yaw: number;
}

export class RecordedPath {
  private readonly points: Point3[];
  private readonly lengths: number[] = [0]; // from the start to each point

  constructor(world: World) {
    this.points = world.trajectory;
    for (let i = 1; i < this.points.length; ++i) {
      const [a, b] = [this.points[i - 1]!, this.points[i]!];
      this.lengths.push(this.lengths[i - 1]! + Math.hypot(b[0] - a[0], b[1] - a[1]));
    }
  }

  get length(): number {
    return this.points.length < 2 ? 0 : this.lengths.at(-1)!;
  }

  // `beside` metres to the left of the path at `along` metres.
  at(along: number, beside: number): PathPlace | undefined {
    if (this.length === 0) return undefined;
    let i = 1;
    while (i < this.points.length - 1 && this.lengths[i]! < along) ++i;
    const [a, b] = [this.points[i - 1]!, this.points[i]!];
    const span = this.lengths[i]! - this.lengths[i - 1]!;
    const t = span > 0 ? Math.max(0, Math.min(1, (along - this.lengths[i - 1]!) / span)) : 0;
    const yaw = this.headingAround(along);
    return {
      x: a[0] + t * (b[0] - a[0]) - beside * Math.sin(yaw),
      y: a[1] + t * (b[1] - a[1]) + beside * Math.cos(yaw),
      z: a[2] + t * (b[2] - a[2]),
      yaw,
    };
  }

  distanceTo(x: number, y: number): number {
    let best = Infinity;
    for (let i = 1; i < this.points.length; ++i) {
      const [a, b] = [this.points[i - 1]!, this.points[i]!];
      const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
      const squared = dx * dx + dy * dy;
      const t = squared > 0 ? Math.max(0, Math.min(1, ((x - a[0]) * dx + (y - a[1]) * dy) / squared)) : 0;
      best = Math.min(best, Math.hypot(x - a[0] - t * dx, y - a[1] - t * dy));
    }
    return best;
  }

  // Over a metre: a car that stood gives points that lie on each other.
  private headingAround(along: number): number {
    const [a, b] = [this.pointAt(along - 0.5), this.pointAt(along + 0.5)];
    return Math.atan2(b[1] - a[1], b[0] - a[0]);
  }

  private pointAt(along: number): Point3 {
    let i = 1;
    while (i < this.points.length - 1 && this.lengths[i]! < along) ++i;
    const [a, b] = [this.points[i - 1]!, this.points[i]!];
    const span = this.lengths[i]! - this.lengths[i - 1]! || 1;
    const t = Math.max(0, Math.min(1, (along - this.lengths[i - 1]!) / span));
    return [a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]), a[2] + t * (b[2] - a[2])];
  }
}
