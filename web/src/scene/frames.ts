// SPDX-License-Identifier: Apache-2.0
// The transforms of the vehicle: axes and a name at every sensor, and what each camera sees. They hang
// on the vehicle, so nothing has to be moved.
import * as three from "three";
import type { TransformStamped } from "../messages";
import { themeColor } from "../theme";
import type { CameraModel } from "../world_data";

const kAxis = 0.6; // m
const kFrustum = 1.6; // m
const kLabelHeight = 0.024; // of the picture

function labelOf(text: string): three.Sprite {
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("2d")!;
  const font = "600 40px system-ui, sans-serif";
  context.font = font;
  canvas.width = Math.ceil(context.measureText(text).width) + 16;
  canvas.height = 52;
  context.font = font;
  context.textBaseline = "middle";
  context.lineWidth = 8;
  context.lineJoin = "round";
  context.strokeStyle = themeColor("scene-sky");
  context.strokeText(text, 8, 27);
  context.fillStyle = themeColor("text");
  context.fillText(text, 8, 27);
  const map = new three.CanvasTexture(canvas);
  map.colorSpace = three.SRGBColorSpace;
  const material = new three.SpriteMaterial({ map, sizeAttenuation: false, depthTest: false });
  const sprite = new three.Sprite(material);
  sprite.scale.set((kLabelHeight * canvas.width) / canvas.height, kLabelHeight, 1);
  sprite.center.set(0.5, -0.6);
  return sprite;
}

// Camera frames look along z, x to the right, y down.
function frustumOf(camera: CameraModel, material: three.LineBasicMaterial): three.LineSegments {
  const x = (kFrustum * camera.width) / (2 * camera.fx);
  const y = (kFrustum * camera.height) / (2 * camera.fy);
  const corners = [[-x, -y], [x, -y], [x, y], [-x, y]] as const;
  const points: three.Vector3[] = [];
  corners.forEach(([cx, cy], i) => {
    const [nx, ny] = corners[(i + 1) % 4]!;
    points.push(new three.Vector3(), new three.Vector3(cx, cy, kFrustum));
    points.push(new three.Vector3(cx, cy, kFrustum), new three.Vector3(nx, ny, kFrustum));
  });
  return new three.LineSegments(new three.BufferGeometry().setFromPoints(points), material);
}

export class FramesLayer {
  readonly object = new three.Group();
  private readonly lines = new three.LineBasicMaterial({ transparent: true, opacity: 0.6 });
  private labels: three.Sprite[] = [];
  private transforms: TransformStamped[] = [];
  private cameras: CameraModel[] = [];

  // base_from_sensor of every frame that is fixed to the vehicle.
  set(transforms: TransformStamped[], cameras: CameraModel[]): void {
    this.transforms = transforms;
    this.cameras = cameras;
    this.rebuild();
  }

  baseFrom(frame: string): three.Matrix4 | undefined {
    const found = this.object.getObjectByName(frame);
    return found?.matrix;
  }

  showLabels(is_shown: boolean): void {
    for (const label of this.labels) label.visible = is_shown;
  }

  applyTheme(): void {
    this.rebuild();
  }

  private rebuild(): void {
    this.clear();
    this.lines.color.set(themeColor("text-soft"));
    for (const { child_frame_id, transform } of this.transforms) {
      const { translation: t, rotation: q } = transform;
      const frame = new three.Group();
      frame.name = child_frame_id;
      frame.position.set(t.x, t.y, t.z);
      frame.quaternion.set(q.x, q.y, q.z, q.w);
      frame.updateMatrix();
      const label = labelOf(child_frame_id.replace(/^(camera|lidar)_/, ""));
      frame.add(new three.AxesHelper(kAxis), label);
      this.labels.push(label);
      label.position.z = 0.9; // above the cameras in front of it
      const camera = this.cameras.find((c) => c.frame === child_frame_id);
      if (camera) {
        frame.add(frustumOf(camera, this.lines));
        label.position.z = kFrustum; // apart from those of the other cameras
      }
      this.object.add(frame);
    }
  }

  private clear(): void {
    this.object.traverse((part) => {
      if (part instanceof three.LineSegments) (part.geometry as three.BufferGeometry).dispose();
      if (part instanceof three.Sprite) {
        part.material.map?.dispose();
        part.material.dispose();
      }
    });
    this.object.clear();
    this.labels = [];
  }
}
