// SPDX-License-Identifier: Apache-2.0
// A person at the wheel: takes over with the first press, commands at 20 Hz, and lets go when nothing
// was pressed for a while and nobody is left alone in a rolling car.
import type { VehicleBox } from "../world_data";
import { readGamepad } from "./gamepad";
import { Keyboard } from "./keyboard";
import { isPressed, nextCommand, type DriveCommand, type Pedals } from "./pedals";

const kPeriodMs = 50;
const kLetGoAfterMs = 2000;
const kStanding = 0.05; // m/s

export const kCommandTopic = "/vehicle/control_cmd";
export const kCommandType = "ackermann_msgs/msg/AckermannDriveStamped";
export const kCommandSchema = `std_msgs/Header header
ackermann_msgs/AckermannDrive drive
================================================================================
MSG: std_msgs/Header
builtin_interfaces/Time stamp
string frame_id
================================================================================
MSG: builtin_interfaces/Time
int32 sec
uint32 nanosec
================================================================================
MSG: ackermann_msgs/AckermannDrive
float32 steering_angle
float32 steering_angle_velocity
float32 speed
float32 acceleration
float32 jerk
`;

// A stamp of zero means "now": the simulator knows its time better than we do.
export function commandMessage(command: DriveCommand): object {
  return {
    header: { stamp: { sec: 0, nanosec: 0 }, frame_id: "base_link" },
    drive: { ...command, steering_angle_velocity: 0, jerk: 0 },
  };
}

export interface DriverHost {
  vehicle(): VehicleBox;
  speed(): number;
  steering(): number;
  // Somebody else drives on when we let go, so that we need not wait for standstill.
  hasOtherDriver(): boolean;
  canDrive(): boolean;
  send(command: DriveCommand): void;
  onDriving(is_driving: boolean): void;
}

export class Driver {
  private readonly keyboard: Keyboard;
  private is_driving = false;
  private last_press_ms = 0;
  private command: DriveCommand = { steering_angle: 0, speed: 0, acceleration: 0 };

  constructor(private readonly host: DriverHost) {
    this.keyboard = new Keyboard(() => this.tick());
    window.setInterval(() => this.tick(), kPeriodMs);
  }

  letGo(): void {
    if (!this.is_driving) return;
    this.is_driving = false;
    this.host.onDriving(false);
  }

  private pedals(): Pedals {
    const keys = this.keyboard.pedals;
    return isPressed(keys) ? keys : { ...readGamepad() };
  }

  private tick(): void {
    if (!this.host.canDrive()) return this.letGo();
    const pedals = this.pedals();
    const now = performance.now();
    if (isPressed(pedals)) {
      this.last_press_ms = now;
      if (!this.is_driving) this.takeOver();
    }
    if (!this.is_driving) return;
    if (this.mayLetGo(now)) return this.letGo();
    this.command = nextCommand(
      pedals,
      this.command,
      this.host.speed(),
      this.host.vehicle(),
      kPeriodMs / 1000,
    );
    this.host.send(this.command);
  }

  // The wheel is taken where it is.
  private takeOver(): void {
    this.is_driving = true;
    this.command = { steering_angle: this.host.steering(), speed: 0, acceleration: 0 };
    this.host.onDriving(true);
  }

  private mayLetGo(now: number): boolean {
    if (now - this.last_press_ms < kLetGoAfterMs) return false;
    return this.host.hasOtherDriver() || Math.abs(this.host.speed()) < kStanding;
  }
}
