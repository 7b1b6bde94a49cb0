// SPDX-License-Identifier: Apache-2.0
// The drivable area: a picture that tints the ground, and its outline.
import * as three from "three";
import { themeColor } from "../theme";
import type { Point2 } from "../world_data";
import type { GroundLayer } from "./ground";

const kLongestPx = 1024;
const kStep = 1.0; // m between points of the outline, so that it follows the ground
const kAboveGround = 0.06;

function pictureOf(rings: Point2[][], extent: three.Vector4): three.CanvasTexture {
  const scale = kLongestPx / Math.max(extent.z, extent.w);
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(extent.z * scale));
  canvas.height = Math.max(1, Math.round(extent.w * scale));
  const context = canvas.getContext("2d");
  if (context) {
    context.fillStyle = "black";
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.beginPath();
    for (const ring of rings) {
      ring.forEach(([x, y], i) => {
        const px = (x - extent.x) * scale;
        const py = canvas.height - (y - extent.y) * scale;
        if (i === 0) context.moveTo(px, py);
        else context.lineTo(px, py);
      });
      context.closePath();
    }
    context.fillStyle = "white";
    context.fill("evenodd");
  }
  return new three.CanvasTexture(canvas);
}

function outlineOf(ring: Point2[], ground: GroundLayer): three.Vector3[] {
  const points: three.Vector3[] = [];
  let height = 0;
  for (let i = 0; i < ring.length; ++i) {
    const [x0, y0] = ring[i]!;
    const [x1, y1] = ring[(i + 1) % ring.length]!;
    const steps = Math.max(1, Math.min(1000, Math.ceil(Math.hypot(x1 - x0, y1 - y0) / kStep)));
    for (let k = 0; k < steps; ++k) {
      const x = x0 + ((x1 - x0) * k) / steps;
      const y = y0 + ((y1 - y0) * k) / steps;
      const known = ground.heightAt(x, y);
      if (!Number.isNaN(known)) height = known;
      points.push(new three.Vector3(x, y, height + kAboveGround));
    }
  }
  return points;
}

export class DrivableLayer {
  readonly object = new three.Group();
  private readonly material = new three.LineBasicMaterial();
  private readonly picture: three.CanvasTexture;

  constructor(
    rings: Point2[][],
    private readonly ground: GroundLayer,
  ) {
    this.picture = pictureOf(rings, ground.extent);
    for (const ring of rings) {
      const geometry = new three.BufferGeometry().setFromPoints(outlineOf(ring, ground));
      this.object.add(new three.LineLoop(geometry, this.material));
    }
    this.show(true);
    this.applyTheme();
  }

  show(is_shown: boolean): void {
    this.object.visible = is_shown;
    this.ground.tint(is_shown ? this.picture : null);
  }

  applyTheme(): void {
    this.material.color.set(themeColor("scene-drivable-edge"));
  }

  dispose(): void {
    for (const line of this.object.children) (line as three.LineLoop).geometry.dispose();
    this.material.dispose();
    this.picture.dispose();
  }
}
