// SPDX-License-Identifier: Apache-2.0
// The page of a world without a simulation: its geometry beside a picture that the server renders from
// wherever one flies, and sliders that show how far beside the recorded path the world can be trusted.
import { byId, element, fixed, isTyping, setText } from "./dom";
import { FlightControls } from "./flight/flight_controls";
import { RecordedPath } from "./flight/path_position";
import { RenderedPicture, type Viewpoint } from "./flight/rendered_picture";
import { startLayout } from "./layout";
import type { Scene } from "./scene/scene";
import { ViewpointMarker } from "./scene/viewpoint_marker";
import { showMapPoints, startSceneControls } from "./scene_controls";
import { fetchGround, fetchWorld, type Session, type World } from "./world_data";

const kEyeHeight = 1.6; // m above the path
const kDegrees = 180 / Math.PI;

export async function startViewPage(session: Session, scene: Scene | undefined): Promise<void> {
  setText(byId("world-name"), session.world);
  document.title = `${session.world} \u2013 GS Simulator`;
  const [world, ground] = await Promise.all([fetchWorld(), fetchGround()]);
  scene?.setWorld(world, ground, false);
  startLayout(() => undefined);
  if (scene) {
    startSceneControls(scene, () => undefined);
    void showMapPoints(scene);
  }
  const link = byId("link");
  link.dataset["state"] = "live";
  setText(link, "world open");
  new ViewPage(world, scene);
}

class ViewPage {
  private readonly path: RecordedPath;
  private readonly along = byId<HTMLInputElement>("along-slider");
  private readonly beside = byId<HTMLInputElement>("beside-slider");
  private readonly stage = byId("flight-stage");
  private readonly marker = new ViewpointMarker();
  private readonly picture: RenderedPicture;
  private readonly viewpoint: Viewpoint;

  constructor(
    world: World,
    private readonly scene: Scene | undefined,
  ) {
    this.path = new RecordedPath(world);
    const { x, y, z, yaw } = world.start;
    this.viewpoint = { x, y, z: z + kEyeHeight, yaw, pitch: 0, fov: 80 };
    const canvas = element("canvas");
    this.stage.prepend(canvas);
    this.picture = new RenderedPicture(
      canvas,
      (width, height, ms, is_final) => this.onPicture(width, height, ms, is_final),
      () => this.onFailure(),
    );
    new FlightControls(this.stage, this.viewpoint, () => this.moved("Free camera"));
    scene?.root.add(this.marker.object);
    this.along.max = this.path.length.toFixed(3);
    this.along.step = "0.1";
    this.along.disabled = this.beside.disabled = this.path.length === 0;
    for (const slider of [this.along, this.beside])
      slider.addEventListener("input", () => this.goToPath());
    new ResizeObserver(() => this.moved()).observe(this.stage);
    window.addEventListener("keydown", (event) => this.press(event));
    this.goToPath();
  }

  private goToPath(): void {
    const along = Number(this.along.value);
    const beside = Number(this.beside.value);
    setText(byId("along-value"), `${along.toFixed(1)} m`);
    const side = beside > 0 ? "left" : beside < 0 ? "right" : "";
    const offset = `${Math.abs(beside).toFixed(1)} m ${side}`.trim();
    setText(byId("beside-value"), offset);
    const place = this.path.at(along, beside);
    if (place) {
      const ground = this.scene?.heightAt(place.x, place.y) ?? NaN;
      const z = (Number.isNaN(ground) ? place.z : ground) + kEyeHeight;
      Object.assign(this.viewpoint, place, { z, pitch: 0 });
    }
    this.moved(side ? `${offset} of the recorded path` : "On the recorded path");
  }

  private press(event: KeyboardEvent): void {
    const picker = this.scene?.picker;
    if (!picker || isTyping(event)) return;
    if (event.key === "Escape") picker.cancel();
    if (event.key.toLowerCase() !== "t") return;
    byId("pick-hint").hidden = false;
    picker.begin((pose) => {
      byId("pick-hint").hidden = true;
      if (!pose) return;
      Object.assign(this.viewpoint, pose, { z: pose.z + kEyeHeight, pitch: 0 });
      this.moved("Free camera");
    });
  }

  private moved(name?: string): void {
    const { x, y, z, yaw, pitch } = this.viewpoint;
    if (name) setText(byId("flight-tag"), name);
    this.stage.dataset["fine"] = "false"; // tells tests, as data-drawn of the scene does
    this.picture.show({ ...this.viewpoint });
    this.marker.moveTo(this.viewpoint, this.stage.clientWidth / Math.max(1, this.stage.clientHeight));
    this.scene?.view.follow(x, y, z - kEyeHeight, yaw);
    this.scene?.changed();
    setText(byId("flight-position"), [x, y, z].map((v) => fixed(v, 1)).join(", "));
    setText(byId("flight-angles"), [yaw, pitch].map((v) => `${fixed(kDegrees * v, 0)}\u00b0`).join(", "));
    const away = this.path.distanceTo(x, y);
    setText(byId("flight-distance"), Number.isFinite(away) ? `${away.toFixed(1)} m` : "-");
  }

  private onPicture(width: number, height: number, milliseconds: number, is_final: boolean): void {
    if (is_final) this.stage.dataset["fine"] = "true";
    if (performance.getEntriesByName("first-picture").length === 0) performance.mark("first-picture");
    byId("flight-empty").hidden = true;
    setText(byId("flight-picture"), `${width} \u00d7 ${height}, ${milliseconds.toFixed(0)} ms`);
  }

  private onFailure(): void {
    byId("flight-empty").hidden = false;
    setText(byId("flight-empty"), "The server does not answer. Is gs-inspect still running?");
  }
}
