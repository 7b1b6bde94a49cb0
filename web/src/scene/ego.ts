// SPDX-License-Identifier: Apache-2.0
// The vehicle: a car of the true length, width and height, whose front wheels steer.
import * as three from "three";
import type { Pose } from "../messages";
import { themeColor } from "../theme";
import type { VehicleBox } from "../world_data";

const kWheelRadius = 0.33;
const kWheelWidth = 0.22;

// Seen from the side, x ahead of the rear axle, z above the ground; fractions of length and height.
const kBodySide: [number, number][] = [
  [0.0, 0.17], [0.0, 0.5], [0.02, 0.58], [0.2, 0.62], [0.72, 0.6], [0.97, 0.5], [1.0, 0.42], [1.0, 0.17],
];
const kCabinSide: [number, number][] = [
  [0.08, 0.6], [0.17, 0.95], [0.26, 1.0], [0.5, 1.0], [0.58, 0.96], [0.74, 0.6],
];

function extruded(side: [number, number][], car: VehicleBox, width: number): three.BufferGeometry {
  const shape = new three.Shape(
    side.map(([x, z]) => new three.Vector2(x * car.length - car.rear_overhang, z * car.height)),
  );
  const geometry = new three.ExtrudeGeometry(shape, { depth: width, bevelEnabled: false });
  geometry.rotateX(Math.PI / 2); // drawn in x y, stands in x z
  geometry.translate(0, width / 2, 0);
  return geometry;
}

// What stands on the road, as seen from base_link: the inverse of how base_link hangs over it.
function standingBelow(car: VehicleBox): three.Group {
  const tilt = new three.Euler(car.base_link_roll, car.base_link_pitch, 0, "ZYX");
  const standing = new three.Group();
  standing.quaternion.setFromEuler(tilt).invert();
  standing.position.set(0, 0, -car.base_link_height).applyQuaternion(standing.quaternion);
  return standing;
}

export class EgoLayer {
  readonly object = new three.Group();
  private readonly body = new three.MeshLambertMaterial();
  private readonly glass = new three.MeshLambertMaterial();
  private readonly rubber = new three.MeshLambertMaterial();
  private readonly front_wheels: three.Object3D[] = [];

  constructor(car: VehicleBox) {
    const standing = standingBelow(car);
    this.object.add(standing);
    standing.add(new three.Mesh(extruded(kBodySide, car, car.width), this.body));
    standing.add(new three.Mesh(extruded(kCabinSide, car, 0.84 * car.width), this.glass));
    const wheel = new three.CylinderGeometry(kWheelRadius, kWheelRadius, kWheelWidth, 20);
    const half_track = (car.width - kWheelWidth) / 2 + 0.02;
    for (const x of [0, car.wheelbase]) {
      for (const y of [half_track, -half_track]) {
        const mesh = new three.Mesh(wheel, this.rubber);
        mesh.position.set(x, y, kWheelRadius);
        standing.add(mesh);
        if (x > 0) this.front_wheels.push(mesh);
      }
    }
    this.applyTheme();
  }

  moveTo(pose: Pose, steering_angle: number): void {
    const { position: p, orientation: q } = pose;
    this.object.position.set(p.x, p.y, p.z);
    this.object.quaternion.set(q.x, q.y, q.z, q.w);
    for (const wheel of this.front_wheels) wheel.rotation.z = steering_angle;
  }

  applyTheme(): void {
    this.body.color.set(themeColor("accent"));
    this.glass.color.set(themeColor("scene-glass"));
    this.rubber.color.set(themeColor("scene-rubber"));
  }

  dispose(): void {
    this.object.traverse((part) => {
      if (part instanceof three.Mesh) (part.geometry as three.BufferGeometry).dispose();
    });
    for (const material of [this.body, this.glass, this.rubber]) material.dispose();
  }
}
