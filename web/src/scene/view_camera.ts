// SPDX-License-Identifier: Apache-2.0
// Where the 3D scene is looked at from: behind the vehicle and turning with it, freely, or from above.
// The mouse works in all three; following only carries the view along.
import * as three from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";

export type ViewMode = "follow" | "orbit" | "top";

const kBehind = 15; // m
const kAbove = 8;
const kTopHeight = 70;

export class ViewCamera {
  readonly camera = new three.PerspectiveCamera(50, 1, 0.2, 3000);
  private readonly controls: OrbitControls;
  private mode: ViewMode = "follow";
  private ego = new three.Vector3();
  private yaw = 0;
  private is_placed = false;

  constructor(canvas: HTMLCanvasElement, onMove: () => void) {
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.maxPolarAngle = 0.495 * Math.PI; // never from below
    this.controls.minDistance = 3;
    this.controls.maxDistance = 600;
    this.controls.zoomToCursor = false;
    this.controls.addEventListener("change", onMove);
    this.place();
  }

  // From the eye to what it looks at.
  get distance(): number {
    return this.camera.position.distanceTo(this.controls.target);
  }

  set enabled(is_enabled: boolean) {
    this.controls.enabled = is_enabled;
  }

  setMode(mode: ViewMode): void {
    this.mode = mode;
    if (mode !== "orbit") this.place();
  }

  // A new world: look at this place as if for the first time.
  restart(x: number, y: number, z: number, yaw: number): void {
    this.ego.set(x, y, z);
    this.yaw = yaw;
    this.place();
  }

  follow(x: number, y: number, z: number, yaw: number): void {
    const moved = new three.Vector3(x, y, z).sub(this.ego);
    const turned = yaw - this.yaw;
    this.ego.set(x, y, z);
    this.yaw = yaw;
    if (!this.is_placed) return this.place();
    if (this.mode === "orbit") return;
    this.controls.target.add(moved);
    this.camera.position.add(moved);
    if (this.mode === "follow" && turned !== 0) {
      for (const point of [this.controls.target, this.camera.position])
        point.sub(this.ego).applyAxisAngle(this.camera.up, turned).add(this.ego);
    }
    this.controls.update();
  }

  resize(width: number, height: number): void {
    this.camera.aspect = width / Math.max(1, height);
    this.camera.updateProjectionMatrix();
  }

  private place(): void {
    this.is_placed = true;
    const ahead = new three.Vector3(Math.cos(this.yaw), Math.sin(this.yaw), 0);
    this.controls.target.copy(this.ego);
    if (this.mode === "top") {
      // A hair south of straight down, so that north is up.
      this.camera.position.copy(this.ego).add(new three.Vector3(0, -0.01, kTopHeight));
    } else {
      this.controls.target.addScaledVector(ahead, 6).z += 1;
      this.camera.position.copy(this.ego).addScaledVector(ahead, -kBehind).z += kAbove;
    }
    this.controls.update();
  }
}
