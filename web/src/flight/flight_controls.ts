// SPDX-License-Identifier: Apache-2.0
// A camera that flies: W A S D along its view, E and Q up and down, the mouse turns it.
import { isTyping } from "../dom";
import type { Viewpoint } from "./rendered_picture";

const kSpeed = 5; // m/s
const kFaster = 4; // times, with Shift
const kMostPitch = 1.5;
const kKeys = new Set(["KeyW", "KeyA", "KeyS", "KeyD", "KeyE", "KeyQ"]);

export class FlightControls {
  private readonly held = new Set<string>();
  private is_fast = false;
  private last_ms = 0;

  constructor(
    stage: HTMLElement,
    readonly viewpoint: Viewpoint,
    private readonly onMove: () => void,
  ) {
    window.addEventListener("keydown", (event) => {
      if (!kKeys.has(event.code) || event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
      if (this.held.size === 0) {
        this.last_ms = performance.now();
        requestAnimationFrame(() => this.fly());
      }
      this.held.add(event.code);
    });
    window.addEventListener("keyup", (event) => this.held.delete(event.code));
    for (const type of ["keydown", "keyup"] as const)
      window.addEventListener(type, (event) => (this.is_fast = event.shiftKey));
    window.addEventListener("blur", () => this.held.clear());
    this.turnWithMouse(stage);
  }

  private turnWithMouse(stage: HTMLElement): void {
    stage.addEventListener("pointerdown", (event) => {
      stage.setPointerCapture(event.pointerId);
      stage.classList.add("looking");
    });
    stage.addEventListener("pointerup", () => stage.classList.remove("looking"));
    stage.addEventListener("pointermove", (event) => {
      if (!stage.hasPointerCapture(event.pointerId)) return;
      const per_pixel = ((this.viewpoint.fov / stage.clientWidth) * Math.PI) / 180;
      const { viewpoint } = this;
      viewpoint.yaw += event.movementX * per_pixel;
      const pitch = viewpoint.pitch + event.movementY * per_pixel;
      viewpoint.pitch = Math.max(-kMostPitch, Math.min(kMostPitch, pitch));
      this.onMove();
    });
  }

  private fly(): void {
    if (this.held.size === 0) return;
    const now = performance.now();
    const step = (kSpeed * (this.is_fast ? kFaster : 1) * Math.min(100, now - this.last_ms)) / 1000;
    this.last_ms = now;
    const is = (code: string): number => Number(this.held.has(code));
    const ahead = step * (is("KeyW") - is("KeyS"));
    const left = step * (is("KeyA") - is("KeyD"));
    const { viewpoint } = this;
    const { yaw, pitch } = viewpoint;
    viewpoint.x += ahead * Math.cos(yaw) * Math.cos(pitch) - left * Math.sin(yaw);
    viewpoint.y += ahead * Math.sin(yaw) * Math.cos(pitch) + left * Math.cos(yaw);
    viewpoint.z += ahead * Math.sin(pitch) + step * (is("KeyE") - is("KeyQ"));
    this.onMove();
    requestAnimationFrame(() => this.fly());
  }
}
