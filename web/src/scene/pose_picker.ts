// SPDX-License-Identifier: Apache-2.0
// Choosing a pose on the ground: press is the place, drag is the heading, Escape is "never mind".
import * as three from "three";
import { themeColor } from "../theme";

const kShortestDrag = 0.8; // m; less is a click

export interface PickedPose {
  x: number;
  y: number;
  z: number;
  yaw: number;
}

// What the picker needs of the scene around it.
export interface PickerHost {
  canvas: HTMLCanvasElement;
  camera: three.Camera;
  heightAt(x: number, y: number): number;
  currentYaw(): number;
  onActive(is_active: boolean): void;
  onChange(): void;
}

export class PosePicker {
  readonly marker = new three.Group();
  private readonly material = new three.MeshBasicMaterial({ depthTest: false, transparent: true });
  private readonly ray = new three.Raycaster();
  private start: three.Vector3 | undefined;
  private yaw = 0;
  private done: ((pose: PickedPose | undefined) => void) | undefined;

  constructor(private readonly host: PickerHost) {
    const shape = new three.Shape();
    shape.moveTo(2.8, 0).lineTo(1.2, 0.9).lineTo(1.2, 0.4).lineTo(-1, 0.4);
    shape.lineTo(-1, -0.4).lineTo(1.2, -0.4).lineTo(1.2, -0.9).closePath();
    const arrow = new three.Mesh(new three.ShapeGeometry(shape), this.material);
    const ring = new three.Mesh(new three.RingGeometry(3, 3.25, 48), this.material);
    for (const part of [arrow, ring]) part.renderOrder = 10;
    this.marker.add(arrow, ring);
    this.marker.visible = false;
    host.canvas.addEventListener("pointermove", (event) => this.move(event));
    host.canvas.addEventListener("pointerdown", (event) => this.press(event));
    host.canvas.addEventListener("pointerup", (event) => this.release(event));
    this.applyTheme();
  }

  get isActive(): boolean {
    return this.done !== undefined;
  }

  applyTheme(): void {
    this.material.color.set(themeColor("accent"));
  }

  begin(done: (pose: PickedPose | undefined) => void): void {
    this.finish(undefined);
    this.done = done;
    this.yaw = this.host.currentYaw();
    this.host.onActive(true);
  }

  cancel(): void {
    this.finish(undefined);
  }

  private finish(pose: PickedPose | undefined): void {
    const done = this.done;
    if (!done) return;
    this.done = undefined;
    this.start = undefined;
    this.marker.visible = false;
    this.host.onActive(false);
    this.host.onChange();
    done(pose);
  }

  private press(event: PointerEvent): void {
    if (!this.isActive || event.button !== 0) return;
    this.start = this.groundUnder(event);
    if (this.start) this.host.canvas.setPointerCapture(event.pointerId);
  }

  private move(event: PointerEvent): void {
    if (!this.isActive) return;
    const at = this.groundUnder(event);
    if (!at) return;
    if (this.start) {
      const [dx, dy] = [at.x - this.start.x, at.y - this.start.y];
      if (Math.hypot(dx, dy) > kShortestDrag) this.yaw = Math.atan2(dy, dx);
    }
    const { x, y, z } = this.start ?? at;
    this.marker.position.set(x, y, z + 0.15);
    this.marker.rotation.z = this.yaw;
    this.marker.visible = true;
    this.host.onChange();
  }

  private release(event: PointerEvent): void {
    if (!this.isActive || !this.start) return;
    this.move(event);
    const { x, y, z } = this.start;
    this.finish({ x, y, z, yaw: this.yaw });
  }

  // Where the ray meets the ground: on a level, then on the level found there, until it settles.
  private groundUnder(event: PointerEvent): three.Vector3 | undefined {
    const box = this.host.canvas.getBoundingClientRect();
    const at = new three.Vector2(
      (2 * (event.clientX - box.left)) / box.width - 1,
      1 - (2 * (event.clientY - box.top)) / box.height,
    );
    this.ray.setFromCamera(at, this.host.camera);
    const level = new three.Plane(new three.Vector3(0, 0, 1), 0);
    const found = new three.Vector3();
    let is_known = false;
    for (let round = 0; round < 4; ++round) {
      if (!this.ray.ray.intersectPlane(level, found)) return undefined;
      const height = this.host.heightAt(found.x, found.y);
      is_known = !Number.isNaN(height);
      if (is_known) level.constant = -height;
    }
    return is_known ? found : undefined;
  }
}
