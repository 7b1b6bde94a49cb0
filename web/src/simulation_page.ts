// SPDX-License-Identifier: Apache-2.0
// The page of a running simulator: what arrives goes to the panels, what is pressed goes to the
// simulator. Messages are shown at the pace of the screen; those in between are dropped unread.
import type { ServerInfo } from "@foxglove/ws-protocol";
import { CamerasPanel } from "./cameras_panel";
import { Connection, type Incoming, type Topic } from "./connection";
import { Controls } from "./controls";
import { byId, setText } from "./dom";
import { commandMessage, Driver, kCommandSchema, kCommandTopic, kCommandType } from "./driving/driver";
import { onEveryFrame } from "./frame_pace";
import { currentLayout, startLayout } from "./layout";
import {
  quaternionOfYaw,
  type CompressedImage,
  type PointCloud2,
  type Pose,
  type SimulationStatus,
  type StringMessage,
  type TFMessage,
  type VehicleState,
  type WorldInfo,
} from "./messages";
import { Notices } from "./notices";
import { RateMeter } from "./rate_meter";
import type { PickedPose } from "./scene/pose_picker";
import type { Scene } from "./scene/scene";
import { isLayerShown, showMapPoints, startSceneControls } from "./scene_controls";
import { StateHistory } from "./state_history";
import { StatusBar } from "./status_bar";
import { kCloudType, kPictureType, namesOfType } from "./topics";
import {
  fetchGround,
  fetchSession,
  fetchWorld,
  readWorld,
  type Ground,
  type Session,
  type World,
} from "./world_data";

const kPaceParameter = "simulation.real_time_factor";
const kModeParameter = "simulation.control_mode";
const kAlwaysWanted = ["/vehicle/state", "/sim/status", "/sim/world_info", "/sim/driver", "/tf_static"];
const kStanding = 0.05; // m/s
const kSilenceMs = 2500; // without a status
const kNoRotation = { x: 0, y: 0, z: 0, w: 0 };
const kNoVector = { x: 0, y: 0, z: 0 };

const kDriverText: Record<string, string> = {
  nobody: "nobody",
  script: "script",
  ros2: "ROS 2",
  browser: "browser",
};

function socketAddress(): string {
  const address = new URL("ws", location.href);
  address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
  return address.href;
}

export class SimulationPage {
  private readonly status_bar = new StatusBar();
  private readonly notices = new Notices();
  private readonly cameras = new CamerasPanel(() => this.subscribe());
  private readonly controls: Controls;
  private readonly driver: Driver;
  private readonly connection: Connection;
  private readonly latest = new Map<string, Incoming>();
  private readonly states = new StateHistory();
  private readonly cloud_rates = new Map<string, RateMeter>();
  private scene: Scene | undefined;
  private world: World = readWorld({});
  private ground: Ground | undefined;
  private is_world_known = false;
  private world_load = 0;
  private world_path: string | undefined;
  private transforms: TFMessage["transforms"] = [];
  private state: VehicleState | undefined;
  private other_driver: string;
  private is_driving = false;
  private is_live = false;
  private is_paused = false;
  private heard_ms = 0;
  private is_timed_out = false;
  private control_mode = "ackermann";

  constructor(session: Session) {
    this.other_driver = session.driver;
    this.controls = new Controls({
      pause: () => this.request("/sim/pause", {}).then((ok) => ok && this.showPaused(true)),
      resume: () => this.request("/sim/resume", {}).then((ok) => ok && this.showPaused(false)),
      step: () => this.request("/sim/step", {}),
      reset: () => this.reset(),
      teleport: () => this.teleport(),
      cancel: () => this.scene?.picker.cancel(),
      nextCamera: () => this.cameras.next(),
      setPace: (factor) => this.connection.setParameter(kPaceParameter, factor),
    });
    startLayout(() => this.subscribe());
    this.connection = new Connection(socketAddress(), [kPaceParameter, kModeParameter], {
      onOpen: (info, is_new) => this.onOpen(info, is_new),
      onLost: () => this.onLost(),
      onTopics: (topics) => this.onTopics(topics),
      onMessage: (message) => this.receive(message),
      onParameter: (name, value) => this.onParameter(name, value),
      onNotice: (text) => this.notices.add(text, "warning"),
    });
    this.driver = new Driver({
      vehicle: () => this.world.vehicle,
      speed: () => this.state?.twist.linear.x ?? 0,
      steering: () => this.state?.steering_angle ?? 0,
      hasOtherDriver: () => this.other_driver !== "nobody",
      canDrive: () => this.is_live && this.control_mode === "ackermann",
      send: (command) => {
        this.is_timed_out = false;
        this.connection.publish(kCommandTopic, kCommandType, kCommandSchema, commandMessage(command));
      },
      onDriving: (is_driving) => {
        this.is_driving = is_driving;
        this.showDriver();
      },
    });
    document.addEventListener("visibilitychange", () => this.subscribe());
    window.setInterval(() => this.noticeSilence(), kSilenceMs / 5);
    this.status_bar.showLink("connecting");
    this.showDriver();
    this.setWorldName(session.world);
    onEveryFrame(() => this.showLatest());
  }

  // The scene may come later than everything else: pictures do not wait for it.
  attachScene(scene: Scene): void {
    this.scene = scene;
    startSceneControls(scene, () => this.subscribe());
    if (this.is_world_known) this.showWorld();
    this.subscribe();
  }

  // connection

  private onOpen(info: ServerInfo, is_new_session: boolean): void {
    this.is_live = true;
    this.status_bar.showLink("live");
    if (info.metadata?.["world"]) this.setWorldName(info.metadata["world"]);
    if (is_new_session) this.startAfresh();
    this.subscribe();
  }

  private onLost(): void {
    this.is_live = false;
    this.latest.clear();
    this.driver.letGo();
    this.scene?.picker.cancel();
    this.status_bar.showLink("lost");
  }

  // Another simulator: nothing of the one before is true any more.
  private startAfresh(): void {
    this.latest.clear();
    this.states.clear();
    this.notices.clear();
    this.state = undefined;
    this.is_timed_out = false;
    this.world_path = undefined;
    this.scene?.clearTrail();
    void this.loadWorld();
  }

  private onTopics(topics: Topic[]): void {
    this.cameras.setTopics(namesOfType(topics, kPictureType));
    this.cloud_rates.clear();
    for (const topic of namesOfType(topics, kCloudType)) this.cloud_rates.set(topic, new RateMeter());
    this.subscribe();
  }

  // Only what is on the screen travels.
  private subscribe(): void {
    this.heard_ms = performance.now();
    if (document.visibilityState === "hidden") return this.connection?.want([]);
    const layout = currentLayout();
    const has_clouds = this.scene && layout !== "camera" && isLayerShown("lidar");
    this.connection?.want([
      ...kAlwaysWanted,
      ...(layout === "scene" ? [] : this.cameras.topics),
      ...(has_clouds ? this.cloud_rates.keys() : []),
    ]);
  }

  private async loadWorld(): Promise<void> {
    const load = ++this.world_load;
    try {
      const [session, world, ground] = await Promise.all([fetchSession(), fetchWorld(), fetchGround()]);
      if (load !== this.world_load) return; // a newer one is on its way
      this.world = world;
      this.ground = ground;
      this.is_world_known = true;
      this.other_driver = session.driver;
      this.setWorldName(world.name || session.world);
      this.showWorld();
      this.showDriver();
    } catch (error) {
      if (this.is_live) this.notices.pop(`The world could not be read: ${String(error)}`, "error");
    }
  }

  private showWorld(): void {
    if (!this.scene) return;
    this.scene.setWorld(this.world, this.ground, true);
    this.scene.setSensorFrames(this.transforms, this.world);
    if (this.state) this.scene.setEgo(this.state);
    if (isLayerShown("map")) void showMapPoints(this.scene);
  }

  private setWorldName(name: string): void {
    setText(byId("world-name"), name);
    document.title = name ? `${name} \u2013 GS Simulator` : "GS Simulator";
  }

  // what arrives

  private receive(message: Incoming): void {
    const { topic } = message;
    this.cloud_rates.get(topic)?.count();
    if (topic === "/vehicle/state") this.states.add(message);
    // Each of these says something new; of all others the latest is enough.
    if (topic === "/sim/status") this.showStatus(message.read() as SimulationStatus);
    else if (topic === "/sim/driver") this.onDriver((message.read() as StringMessage).data);
    else if (topic === "/tf_static") this.onTransforms(message.read() as TFMessage);
    else if (topic === "/sim/world_info") this.onWorldInfo(message.read() as WorldInfo);
    else this.latest.set(topic, message);
  }

  private showLatest(): void {
    this.cameras.draw();
    for (const [topic, message] of this.latest) {
      try {
        this.show(topic, message);
      } catch (error) {
        this.notices.add(`${topic}: ${String(error)}`, "error");
      }
    }
    this.latest.clear();
  }

  private show(topic: string, message: Incoming): void {
    if (topic === "/vehicle/state") {
      this.showVehicle(message.read() as VehicleState);
    } else if (this.cloud_rates.has(topic)) {
      const state = this.states.nearest(message.stamp_ns);
      if (state && this.scene) this.scene.setCloud(topic, message.read() as PointCloud2, state);
      setText(byId("point-count"), (this.scene?.pointCount ?? 0).toLocaleString("en"));
    } else {
      this.cameras.receive(topic, message.read() as CompressedImage);
    }
  }

  private showVehicle(state: VehicleState): void {
    this.state = state;
    this.status_bar.showVehicle(state, this.world.vehicle.max_steering_angle);
    this.status_bar.showEmergency(this.is_timed_out && !this.isStanding());
    this.scene?.setEgo(state);
  }

  private showStatus(status: SimulationStatus): void {
    this.status_bar.showStatus(status);
    this.showPaused(status.is_paused);
    const clouds = [...this.cloud_rates].map(([topic, rate]) => ({
      id: topic.split("/").slice(1, 3).join(" "),
      per_second: rate.perSecond,
    }));
    this.status_bar.showRates([...this.cameras.rates, ...clouds]);
    for (const text of status.errors) this.notices.add(text, "error");
    for (const text of status.warnings) this.warn(text);
  }

  private showPaused(is_paused: boolean): void {
    if (is_paused && !this.is_paused) this.showLatest(); // the moment at which time stands
    this.is_paused = is_paused;
    this.heard_ms = performance.now();
    this.status_bar.showPaused(is_paused);
    this.controls.showPaused(is_paused);
    this.cameras.showPaused(is_paused);
  }

  // A paused simulator publishes nothing, not even that it is paused.
  private noticeSilence(): void {
    const is_silent = performance.now() - this.heard_ms > kSilenceMs;
    if (is_silent && this.is_live && document.visibilityState === "visible") this.showPaused(true);
  }

  // A parked car without a driver is no news.
  private warn(text: string): void {
    const is_timeout = text.includes("no command for");
    if (is_timeout) this.is_timed_out = true;
    if (!is_timeout || !this.isStanding()) this.notices.add(text, "warning");
  }

  private isStanding(): boolean {
    return Math.abs(this.state?.twist.linear.x ?? 0) < kStanding;
  }

  private onTransforms(message: TFMessage): void {
    this.transforms = message.transforms;
    this.scene?.setSensorFrames(this.transforms, this.world);
  }

  private onWorldInfo(info: WorldInfo): void {
    const is_other = this.world_path !== undefined && this.world_path !== info.world_bundle_path;
    this.world_path = info.world_bundle_path;
    if (is_other) void this.loadWorld();
  }

  private onDriver(name: string): void {
    if (name !== "browser") this.other_driver = name;
    if (name !== "nobody") this.is_timed_out = false;
    this.showDriver(name);
  }

  private showDriver(name = this.other_driver): void {
    const text = this.is_driving ? "you" : (kDriverText[name] ?? name);
    this.status_bar.showDriver(text, this.is_driving);
  }

  private onParameter(name: string, value: unknown): void {
    if (name === kPaceParameter && typeof value === "number") this.controls.showPace(value);
    if (name === kModeParameter && typeof value === "string") this.control_mode = value;
  }

  // what is pressed

  private request(service: string, request: object): Promise<boolean> {
    return this.connection.call(service, request).then(
      ({ success, message }) => {
        if (!success) this.notices.pop(message || `${service} was refused`, "warning");
        return success;
      },
      (error: Error) => {
        this.notices.pop(error.message, "error");
        return false;
      },
    );
  }

  private async reset(): Promise<void> {
    this.driver.letGo();
    const initial_pose: Pose = { position: kNoVector, orientation: kNoRotation }; // the world's own start
    if (!(await this.request("/sim/reset_world", { initial_pose, reset_time: true }))) return;
    this.states.clear();
    this.scene?.clearTrail();
    this.showMoved(this.world.start);
  }

  private teleport(): void {
    const picker = this.scene?.picker;
    if (!picker) return;
    if (picker.isActive) return picker.cancel();
    picker.begin((pose) => {
      this.controls.showTeleporting(false);
      if (pose) void this.moveTo(pose);
    });
    this.controls.showTeleporting(true);
  }

  private async moveTo({ x, y, z, yaw }: PickedPose): Promise<void> {
    const pose: Pose = { position: { x, y, z }, orientation: quaternionOfYaw(yaw) };
    const twist = { linear: kNoVector, angular: kNoVector };
    if (await this.request("/sim/set_ego_pose", { pose, twist })) this.showMoved({ x, y, z, yaw });
  }

  // While paused, the next state comes with the next step; the car is there already.
  private showMoved({ x, y, z, yaw }: PickedPose): void {
    if (!this.is_paused || !this.state) return;
    this.state = {
      ...this.state,
      pose: { position: { x, y, z }, orientation: quaternionOfYaw(yaw) },
      twist: { linear: kNoVector, angular: kNoVector },
    };
    this.showVehicle(this.state);
  }
}
