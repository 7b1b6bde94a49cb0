// SPDX-License-Identifier: Apache-2.0
// Where the free camera of view mode is and looks to.
import * as three from "three";
import type { Viewpoint } from "../flight/rendered_picture";
import { onThemeChange, themeColor } from "../theme";

const kReach = 3; // m

export class ViewpointMarker {
  readonly object = new three.Group();
  private readonly lines = new three.LineBasicMaterial();
  private readonly faces = new three.MeshBasicMaterial({
    transparent: true,
    opacity: 0.25,
    side: three.DoubleSide,
  });
  private readonly pyramid = new three.ConeGeometry(1, 1, 4, 1, true);

  constructor() {
    this.pyramid.rotateY(Math.PI / 4); // edges become corners
    this.pyramid.translate(0, -0.5, 0); // the tip is the camera
    this.pyramid.rotateZ(Math.PI / 2); // and looks along x
    const mesh = new three.Mesh(this.pyramid, this.faces);
    const edges = new three.LineSegments(new three.EdgesGeometry(this.pyramid), this.lines);
    this.object.add(mesh, edges);
    this.object.rotation.order = "ZYX";
    onThemeChange(() => this.applyTheme());
    this.applyTheme();
  }

  moveTo({ x, y, z, yaw, pitch, fov }: Viewpoint, aspect: number): void {
    this.object.position.set(x, y, z);
    this.object.rotation.set(0, -pitch, yaw);
    const half_width = Math.tan((fov * Math.PI) / 360) * kReach * Math.SQRT2;
    this.object.scale.set(kReach, half_width, half_width / aspect);
  }

  private applyTheme(): void {
    this.lines.color.set(themeColor("accent"));
    this.faces.color.set(themeColor("accent"));
  }
}
