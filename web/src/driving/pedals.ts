// SPDX-License-Identifier: Apache-2.0
// What a person asks for, wherever it comes from; and from it the command of the next moment.
import type { VehicleBox } from "../world_data";

export interface Pedals {
  throttle: number; // 0 .. 1
  brake: number; // 0 .. 1; when standing: drive backwards
  steering: number; // -1 right .. 1 left
  full_brake: boolean;
  is_direct: boolean; // a stick: steering follows at once, keys turn the wheel slowly
}

export interface DriveCommand {
  steering_angle: number;
  speed: number; // the target
  acceleration: number; // the limit on the way there
}

export const kNoPedals: Pedals = {
  throttle: 0,
  brake: 0,
  steering: 0,
  full_brake: false,
  is_direct: false,
};

const kFastest = 13.9; // m/s, 50 km/h: what a person can still steer with keys
const kSlowestReverse = 3; // m/s
const kCoasting = 0.8; // m/s^2 when nothing is pressed
const kStanding = 0.3; // m/s
const kTurnRate = 0.7; // rad/s at the front wheels, with keys
const kReturnRate = 1.1;
const kSidewaysLimit = 3.5; // m/s^2: faster cars turn their wheels less

export function isPressed(pedals: Pedals): boolean {
  const { throttle, brake, steering, full_brake } = pedals;
  return throttle > 0.02 || brake > 0.02 || Math.abs(steering) > 0.05 || full_brake;
}

// The largest angle that does not throw anybody out of the seat.
export function steeringLimit(speed: number, car: VehicleBox): number {
  const v = Math.max(Math.abs(speed), 1);
  return Math.min(car.max_steering_angle, Math.atan((kSidewaysLimit * car.wheelbase) / (v * v)));
}

function towards(from: number, to: number, most: number): number {
  return from + Math.max(-most, Math.min(most, to - from));
}

export function nextCommand(
  pedals: Pedals,
  before: DriveCommand,
  speed: number,
  car: VehicleBox,
  dt: number,
): DriveCommand {
  const wanted = pedals.steering * steeringLimit(speed, car);
  const rate = pedals.is_direct ? Infinity : pedals.steering === 0 ? kReturnRate : kTurnRate;
  const steering_angle = towards(before.steering_angle, wanted, rate * dt);
  const braking = (strength: number): DriveCommand => ({
    steering_angle,
    speed: 0,
    acceleration: Math.max(0.1, strength * car.max_deceleration),
  });
  if (pedals.full_brake) return braking(1);
  if (pedals.throttle > 0 && speed < -kStanding) return braking(0.7 * pedals.throttle);
  if (pedals.throttle > 0)
    return {
      steering_angle,
      speed: Math.min(kFastest, car.max_speed),
      acceleration: Math.max(0.1, pedals.throttle * car.max_acceleration),
    };
  if (pedals.brake > 0 && speed > kStanding) return braking(0.7 * pedals.brake);
  if (pedals.brake > 0)
    return {
      steering_angle,
      speed: -Math.min(kSlowestReverse, car.max_reverse_speed),
      acceleration: Math.max(0.1, 0.5 * pedals.brake * car.max_acceleration),
    };
  return { steering_angle, speed: 0, acceleration: kCoasting };
}
