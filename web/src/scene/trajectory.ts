// SPDX-License-Identifier: Apache-2.0
// The recorded path of the log, and the trail of what was driven since the last jump.
import { themeColor } from "../theme";
import type { Point3 } from "../world_data";
import { Ribbon } from "./ribbon";

const kMostTrailPoints = 8000;
const kTrailStep = 0.25; // m
const kJump = 3; // m beyond what the speed explains is a reset or a teleport

export class TrajectoryLayer {
  private readonly ribbon: Ribbon;

  constructor(points: Point3[]) {
    this.ribbon = new Ribbon(points.length, 0.2, 0.08);
    for (const [x, y, z] of points) this.ribbon.add(x, y, z);
    this.applyTheme();
  }

  get object() {
    return this.ribbon.object;
  }

  applyTheme(): void {
    this.ribbon.object.material.color.set(themeColor("scene-path"));
  }

  dispose(): void {
    this.ribbon.dispose();
  }
}

export class TrailLayer {
  private readonly ribbon = new Ribbon(kMostTrailPoints, 0.3, 0.12);
  private last: Point3 | undefined;
  private last_time = 0;

  constructor() {
    this.applyTheme();
  }

  get object() {
    return this.ribbon.object;
  }

  // States may be left out on the way here: what counts is how far the car can have come.
  moveTo([x, y, z]: Point3, speed: number, time: number): void {
    const moved = this.last ? Math.hypot(x - this.last[0], y - this.last[1]) : Infinity;
    if (moved < kTrailStep) return;
    const elapsed = time - this.last_time;
    if (elapsed < 0 || moved > kJump + 2 * Math.abs(speed) * elapsed) this.ribbon.clear();
    this.ribbon.add(x, y, z);
    this.last = [x, y, z];
    this.last_time = time;
  }

  clear(): void {
    this.ribbon.clear();
    this.last = undefined;
  }

  applyTheme(): void {
    this.ribbon.object.material.color.set(themeColor("accent"));
  }
}
