// SPDX-License-Identifier: Apache-2.0
// The messages that the page reads, as @foxglove/rosmsg2-serialization gives them. Only the fields
// that are used: the schema itself comes from the simulator.

export interface Time {
  sec: number;
  nanosec: number;
}

export interface Header {
  stamp: Time;
  frame_id: string;
}

export interface Vector3 {
  x: number;
  y: number;
  z: number;
}

export interface Quaternion extends Vector3 {
  w: number;
}

export interface Pose {
  position: Vector3;
  orientation: Quaternion;
}

export interface Twist {
  linear: Vector3;
  angular: Vector3;
}

export interface VehicleState {
  header: Header;
  pose: Pose;
  twist: Twist;
  steering_angle: number;
}

export interface SimulationStatus {
  sim_time: Time;
  step_count: bigint;
  real_time_factor: number;
  step_duration_ms: number;
  is_collision: boolean;
  is_offroad: boolean;
  is_paused: boolean;
  warnings: string[];
  errors: string[];
}

export interface WorldInfo {
  world_id: string;
  world_bundle_path: string;
}

export interface CompressedImage {
  header: Header;
  format: string;
  data: Uint8Array;
}

export interface PointField {
  name: string;
  offset: number;
  datatype: number;
}

export interface PointCloud2 {
  header: Header;
  width: number;
  height: number;
  fields: PointField[];
  point_step: number;
  is_bigendian: boolean;
  data: Uint8Array;
}

export interface TransformStamped {
  header: Header;
  child_frame_id: string;
  transform: { translation: Vector3; rotation: Quaternion };
}

export interface TFMessage {
  transforms: TransformStamped[];
}

export interface StringMessage {
  data: string;
}

// Every service of the simulator answers with these two, some with more.
export interface ServiceAnswer {
  success: boolean;
  message: string;
}

export function toSeconds(time: Time): number {
  return time.sec + time.nanosec * 1e-9;
}

export function yawOf(q: Quaternion): number {
  return Math.atan2(2 * (q.w * q.z + q.x * q.y), 1 - 2 * (q.y * q.y + q.z * q.z));
}

export function quaternionOfYaw(yaw: number): Quaternion {
  return { x: 0, y: 0, z: Math.sin(yaw / 2), w: Math.cos(yaw / 2) };
}
