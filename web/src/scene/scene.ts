// SPDX-License-Identifier: Apache-2.0
// The 3D scene: layers in the map frame (z up), drawn only when something changed.
import * as three from "three";
import { toSeconds, yawOf, type PointCloud2, type TransformStamped, type VehicleState } from "../messages";
import { goSlowly, isSoftware, onEveryFrame } from "../frame_pace";
import { onThemeChange, themeColor } from "../theme";
import type { Ground, MapPoints, World } from "../world_data";
import { DrivableLayer } from "./drivable";
import { EgoLayer } from "./ego";
import { FramesLayer } from "./frames";
import { GroundLayer } from "./ground";
import { MapPointsLayer } from "./map_points";
import { PointsLayer, type PointColoring } from "./points";
import { PosePicker } from "./pose_picker";
import { TrailLayer, TrajectoryLayer } from "./trajectory";
import { ViewCamera } from "./view_camera";

export type LayerName = "lidar" | "ground" | "drivable" | "path" | "trail" | "frames" | "map";

const kGroundCells = 320; // in each direction; more is not seen
const kGroundCellsWithoutGpu = 160;
const kLabelsWithin = 40; // m; from farther away they hide what they name
// The simulator needs the same CPU.
const kPauseWithoutGpuMs = navigator.hardwareConcurrency > 4 ? 80 : 300;
const kPixelsWithoutGpu = 0.7; // of those on the screen, in each direction

// Smooth edges cost little on a GPU and much without one.
function createRenderer(canvas: HTMLCanvasElement, has_gpu: boolean): three.WebGLRenderer {
  const renderer = new three.WebGLRenderer({ canvas, antialias: has_gpu });
  renderer.setPixelRatio(has_gpu ? Math.min(window.devicePixelRatio, 2) : kPixelsWithoutGpu);
  return renderer;
}

function hasGpu(): boolean {
  const probe = document.createElement("canvas").getContext("webgl2");
  const is_software = isSoftware(probe);
  probe?.getExtension("WEBGL_lose_context")?.loseContext();
  return !is_software;
}

interface WorldLayers {
  ground: GroundLayer;
  drivable: DrivableLayer;
  path: TrajectoryLayer;
  ego: EgoLayer;
}

export class Scene {
  readonly view: ViewCamera;
  readonly picker: PosePicker;
  readonly root = new three.Scene();
  readonly has_gpu: boolean;
  private readonly renderer: three.WebGLRenderer;
  private readonly trail = new TrailLayer();
  private readonly frames = new FramesLayer();
  private readonly lidars = new Map<string, PointsLayer>();
  private readonly hidden = new Set<LayerName>();
  private world: WorldLayers | undefined;
  private map_points: MapPointsLayer | undefined;
  private coloring: PointColoring = "height";
  private ego_yaw = 0;
  private is_dirty = true;
  private due_ms = 0;

  // Throws where the browser has no WebGL.
  constructor(private readonly container: HTMLElement) {
    const canvas = document.createElement("canvas");
    this.has_gpu = hasGpu();
    if (!this.has_gpu) goSlowly();
    this.renderer = createRenderer(canvas, this.has_gpu);
    canvas.setAttribute("aria-label", "3D scene: drag to turn, wheel to zoom, right drag to move");
    canvas.setAttribute("role", "img");
    container.prepend(canvas);
    this.view = new ViewCamera(canvas, () => this.changed());
    this.picker = new PosePicker({
      canvas,
      camera: this.view.camera,
      heightAt: (x, y) => this.world?.ground.heightAt(x, y) ?? NaN,
      currentYaw: () => this.ego_yaw,
      onActive: (is_active) => {
        this.view.enabled = !is_active;
        container.classList.toggle("picking", is_active);
      },
      onChange: () => this.changed(),
    });
    const sun = new three.DirectionalLight(0xffffff, 2.2);
    sun.position.set(0.4, 0.3, 1);
    this.root.add(sun, new three.HemisphereLight(0xffffff, 0xc4c4c4, 1.4));
    this.root.add(this.trail.object, this.picker.marker);
    new ResizeObserver(() => this.resize()).observe(container);
    onThemeChange(() => this.applyTheme());
    this.applyTheme();
    onEveryFrame((now) => this.drawIfDue(now));
  }

  // `data-drawn` tells tests whether the canvas shows what the page knows.
  changed(): void {
    if (!this.is_dirty) this.container.dataset["drawn"] = "false";
    this.is_dirty = true;
  }

  setWorld(world: World, ground: Ground | undefined, shows_ego: boolean): void {
    this.clearWorld();
    const ground_layer = new GroundLayer(ground, this.has_gpu ? kGroundCells : kGroundCellsWithoutGpu);
    this.world = {
      ground: ground_layer,
      drivable: new DrivableLayer(world.drivable, ground_layer),
      path: new TrajectoryLayer(world.trajectory),
      ego: new EgoLayer(world.vehicle),
    };
    const { ego, drivable, path } = this.world;
    this.root.add(ground_layer.object, drivable.object, path.object);
    if (shows_ego) this.root.add(ego.object);
    ego.object.add(this.frames.object);
    const { x, y, z, yaw } = world.start;
    this.view.restart(x, y, z, yaw);
    for (const name of ["ground", "drivable", "path", "frames"] as const)
      this.show(name, !this.hidden.has(name));
  }

  setMapPoints(points: MapPoints): void {
    if (this.map_points) this.root.remove(this.map_points.object);
    this.map_points?.dispose();
    this.map_points = new MapPointsLayer(points, this.renderer.getPixelRatio(), this.has_gpu ? 1 : 3);
    this.root.add(this.map_points.object);
    this.show("map", !this.hidden.has("map"));
  }

  setSensorFrames(transforms: TransformStamped[], world: World | undefined): void {
    this.frames.set(transforms, world?.cameras ?? []);
    this.changed();
  }

  setEgo(state: VehicleState): void {
    const { position, orientation } = state.pose;
    this.ego_yaw = yawOf(orientation);
    this.world?.ego.moveTo(state.pose, state.steering_angle);
    const time = toSeconds(state.header.stamp);
    this.trail.moveTo([position.x, position.y, position.z], state.twist.linear.x, time);
    this.view.follow(position.x, position.y, position.z, this.ego_yaw);
    this.changed();
  }

  // A cloud belongs where the vehicle was when it was measured.
  setCloud(topic: string, cloud: PointCloud2, state: VehicleState): void {
    const base_from_lidar = this.frames.baseFrom(cloud.header.frame_id);
    if (!base_from_lidar) return; // its place is not known yet
    const { position: p, orientation: q } = state.pose;
    const map_from_lidar = new three.Matrix4()
      .compose(
        new three.Vector3(p.x, p.y, p.z),
        new three.Quaternion(q.x, q.y, q.z, q.w),
        new three.Vector3(1, 1, 1),
      )
      .multiply(base_from_lidar);
    let layer = this.lidars.get(topic);
    if (!layer) {
      layer = new PointsLayer(this.renderer.getPixelRatio());
      layer.colorBy(this.coloring);
      layer.object.visible = !this.hidden.has("lidar");
      this.lidars.set(topic, layer);
      this.root.add(layer.object);
    }
    layer.show(cloud, map_from_lidar, p.z);
    this.changed();
  }

  get pointCount(): number {
    let count = 0;
    for (const layer of this.lidars.values()) count += layer.count;
    return count;
  }

  heightAt(x: number, y: number): number {
    return this.world?.ground.heightAt(x, y) ?? NaN;
  }

  clearTrail(): void {
    this.trail.clear();
    this.changed();
  }

  colorBy(coloring: PointColoring): void {
    this.coloring = coloring;
    for (const layer of this.lidars.values()) layer.colorBy(coloring);
    this.changed();
  }

  show(name: LayerName, is_shown: boolean): void {
    if (is_shown) this.hidden.delete(name);
    else this.hidden.add(name);
    if (name === "ground" && this.world) this.world.ground.object.visible = is_shown;
    if (name === "drivable") this.world?.drivable.show(is_shown);
    if (name === "path" && this.world) this.world.path.object.visible = is_shown;
    if (name === "trail") this.trail.object.visible = is_shown;
    if (name === "frames") this.frames.object.visible = is_shown;
    if (name === "map" && this.map_points) this.map_points.object.visible = is_shown;
    if (name === "lidar") for (const layer of this.lidars.values()) layer.object.visible = is_shown;
    this.changed();
  }

  private clearWorld(): void {
    for (const layer of this.lidars.values()) {
      this.root.remove(layer.object);
      layer.dispose();
    }
    this.lidars.clear();
    this.trail.clear();
    if (this.map_points) this.root.remove(this.map_points.object);
    this.map_points?.dispose();
    this.map_points = undefined;
    if (!this.world) return;
    for (const layer of Object.values(this.world) as WorldLayers[keyof WorldLayers][]) {
      this.root.remove(layer.object);
      layer.dispose();
    }
    this.world = undefined;
  }

  private applyTheme(): void {
    this.root.background = new three.Color(themeColor("scene-sky"));
    this.root.fog = null;
    for (const layer of Object.values(this.world ?? {}) as WorldLayers[keyof WorldLayers][])
      layer.applyTheme();
    for (const layer of this.lidars.values()) layer.applyTheme();
    this.trail.applyTheme();
    this.frames.applyTheme();
    this.picker.applyTheme();
    this.changed();
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.container;
    if (width === 0 || height === 0) return;
    this.renderer.setSize(width, height);
    this.view.resize(width, height);
    this.renderer.render(this.root, this.view.camera); // at once: a resized canvas is empty
  }

  private drawIfDue(now: number): void {
    if (!this.is_dirty || now < this.due_ms || this.container.clientWidth === 0) return;
    this.is_dirty = false;
    this.due_ms = this.has_gpu ? 0 : now + kPauseWithoutGpuMs;
    this.frames.showLabels(this.view.distance < kLabelsWithin);
    this.renderer.render(this.root, this.view.camera);
    this.container.dataset["drawn"] = "true";
  }
}
