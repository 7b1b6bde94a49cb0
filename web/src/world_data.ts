// SPDX-License-Identifier: Apache-2.0
// What the server tells over HTTP: the session, the world, its ground and its points. Nothing here is
// taken on trust: a part that is missing or malformed is left out and the rest is shown.

export interface Session {
  mode: "simulation" | "view";
  world: string;
  version: string;
  driver: string;
}

export interface VehicleBox {
  length: number;
  width: number;
  height: number;
  wheelbase: number;
  rear_overhang: number;
  track_width: number;
  // How base_link, which poses are of, hangs over the road.
  base_link_height: number;
  base_link_pitch: number;
  base_link_roll: number;
  max_steering_angle: number;
  max_speed: number;
  max_reverse_speed: number;
  max_acceleration: number;
  max_deceleration: number;
}

export interface CameraModel {
  id: string;
  frame: string;
  width: number;
  height: number;
  fx: number;
  fy: number;
}

export type Point2 = [number, number];
export type Point3 = [number, number, number];

export interface World {
  name: string;
  start: { x: number; y: number; z: number; yaw: number };
  vehicle: VehicleBox;
  cameras: CameraModel[];
  drivable: Point2[][]; // rings; even-odd, so that holes are rings too
  trajectory: Point3[];
}

export interface Ground {
  origin_x: number;
  origin_y: number;
  resolution: number;
  width: number;
  height: number;
  heights: Float32Array; // row by row from the lower left; NaN: unknown
}

export interface MapPoints {
  positions: Float32Array;
  colors: Uint8Array;
}

const kUsualVehicle: VehicleBox = {
  length: 4.6,
  width: 1.8,
  height: 1.6,
  wheelbase: 2.8,
  rear_overhang: 0.9,
  track_width: 1.6,
  base_link_height: 0,
  base_link_pitch: 0,
  base_link_roll: 0,
  max_steering_angle: 0.52,
  max_speed: 30,
  max_reverse_speed: 5,
  max_acceleration: 3,
  max_deceleration: 5,
};

type Json = Record<string, unknown>;

function asObject(value: unknown): Json {
  return typeof value === "object" && value !== null ? (value as Json) : {};
}

function asNumber(value: unknown, otherwise: number): number {
  return typeof value === "number" && Number.isFinite(value) ? value : otherwise;
}

function asText(value: unknown, otherwise: string): string {
  return typeof value === "string" ? value : otherwise;
}

function isPoint(value: unknown): value is number[] {
  return Array.isArray(value) && value.length >= 2 && value.every((v) => Number.isFinite(v));
}

// Rings at any depth: a polygon is a list of rings, a multipolygon a list of those.
function ringsIn(value: unknown): Point2[][] {
  if (!Array.isArray(value) || value.length === 0) return [];
  if (isPoint(value[0])) return [value.filter(isPoint).map((p): Point2 => [p[0]!, p[1]!])];
  return value.flatMap(ringsIn);
}

function readVehicle(value: unknown): VehicleBox {
  const json = asObject(value);
  const vehicle = { ...kUsualVehicle };
  for (const key of Object.keys(vehicle) as (keyof VehicleBox)[])
    vehicle[key] = asNumber(json[key], vehicle[key]);
  return vehicle;
}

function readCamera(value: unknown): CameraModel {
  const json = asObject(value);
  const id = asText(json["id"], "");
  return {
    id,
    frame: asText(json["frame_id"], `camera_${id}`),
    width: asNumber(json["width"], 640),
    height: asNumber(json["height"], 480),
    fx: asNumber(json["fx"], 500),
    fy: asNumber(json["fy"], 500),
  };
}

export function readWorld(value: unknown): World {
  const json = asObject(value);
  const start = asObject(json["start"]);
  const trajectory = Array.isArray(json["trajectory"]) ? json["trajectory"] : [];
  const cameras = Array.isArray(json["cameras"]) ? json["cameras"] : [];
  return {
    name: asText(json["name"], ""),
    start: {
      x: asNumber(start["x"], 0),
      y: asNumber(start["y"], 0),
      z: asNumber(start["z"], 0),
      yaw: asNumber(start["yaw"], 0),
    },
    vehicle: readVehicle(json["vehicle"]),
    cameras: cameras.map(readCamera),
    drivable: ringsIn(json["drivable"]),
    trajectory: trajectory.filter(isPoint).map((p): Point3 => [p[0]!, p[1]!, p[2] ?? 0]),
  };
}

export function readGround(bytes: ArrayBuffer): Ground | undefined {
  if (bytes.byteLength < 20) return undefined;
  const view = new DataView(bytes);
  const width = view.getUint32(12, true);
  const height = view.getUint32(16, true);
  const resolution = view.getFloat32(8, true);
  if (width < 2 || height < 2 || !(resolution > 0)) return undefined;
  if (bytes.byteLength !== 20 + 4 * width * height) return undefined;
  return {
    origin_x: view.getFloat32(0, true),
    origin_y: view.getFloat32(4, true),
    resolution,
    width,
    height,
    heights: new Float32Array(bytes, 20),
  };
}

export function readMapPoints(bytes: ArrayBuffer): MapPoints | undefined {
  if (bytes.byteLength < 4) return undefined;
  const view = new DataView(bytes);
  const count = view.getUint32(0, true);
  if (bytes.byteLength !== 4 + 16 * count) return undefined;
  const positions = new Float32Array(3 * count);
  const colors = new Uint8Array(3 * count);
  for (let i = 0; i < count; ++i) {
    const at = 4 + 16 * i;
    for (let k = 0; k < 3; ++k) {
      positions[3 * i + k] = view.getFloat32(at + 4 * k, true);
      colors[3 * i + k] = view.getUint8(at + 12 + k);
    }
  }
  return { positions, colors };
}

async function get(path: string): Promise<Response> {
  const response = await fetch(path, { cache: "no-store" });
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return response;
}

export async function fetchSession(): Promise<Session> {
  const json = asObject(await (await get("api/session")).json());
  return {
    mode: json["mode"] === "view" ? "view" : "simulation",
    world: asText(json["world"], ""),
    version: asText(json["version"], ""),
    driver: asText(json["driver"], "nobody"),
  };
}

export async function fetchWorld(): Promise<World> {
  return readWorld(await (await get("api/world")).json());
}

// A world without ground is still a world.
export async function fetchGround(): Promise<Ground | undefined> {
  return get("api/ground").then(async (r) => readGround(await r.arrayBuffer()), () => undefined);
}

export async function fetchMapPoints(): Promise<MapPoints | undefined> {
  return get("api/points").then(async (r) => readMapPoints(await r.arrayBuffer()), () => undefined);
}
