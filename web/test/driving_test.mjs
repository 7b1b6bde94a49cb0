// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";
import { load } from "./bundle.mjs";

const { isPressed, kNoPedals, nextCommand, steeringLimit } = await load("driving/pedals");
const { pedalsOf } = await load("driving/gamepad");
const { commandMessage, kCommandSchema } = await load("driving/driver");
const { createReader, createWriter } = await load("decode");

const kCar = {
  wheelbase: 2.8,
  max_steering_angle: 0.5,
  max_speed: 30,
  max_reverse_speed: 5,
  max_acceleration: 3,
  max_deceleration: 5,
};
const kAtRest = { steering_angle: 0, speed: 0, acceleration: 0 };
const after = (pedals, speed = 0, before = kAtRest) =>
  nextCommand({ ...kNoPedals, ...pedals }, before, speed, kCar, 0.05);

test("throttle accelerates towards a speed within the vehicle's limits", () => {
  const { speed, acceleration } = after({ throttle: 1 });
  assert.ok(speed > 10 && speed <= kCar.max_speed);
  assert.equal(acceleration, kCar.max_acceleration);
  assert.equal(nextCommand({ ...kNoPedals, throttle: 1 }, kAtRest, 0, { ...kCar, max_speed: 4 }, 0.05).speed, 4);
});

test("nothing pressed rolls out gently", () => {
  const { speed, acceleration } = after({}, 10);
  assert.equal(speed, 0);
  assert.ok(acceleration > 0 && acceleration < 2);
});

test("the brake key brakes first and drives backwards only when the car stands", () => {
  assert.equal(after({ brake: 1 }, 10).speed, 0);
  assert.ok(after({ brake: 1 }, 0).speed < 0);
  assert.ok(after({ brake: 1 }, 0).speed >= -kCar.max_reverse_speed);
});

test("throttle while rolling backwards brakes", () => {
  assert.equal(after({ throttle: 1 }, -2).speed, 0);
});

test("the space bar brakes with all there is", () => {
  assert.deepEqual(after({ full_brake: true, throttle: 1 }, 10), { ...kAtRest, acceleration: 5 });
});

test("keys turn the wheel slowly and it returns by itself, a stick turns it at once", () => {
  const first = after({ steering: 1 });
  assert.ok(first.steering_angle > 0 && first.steering_angle < 0.1);
  const returning = after({}, 0, { ...kAtRest, steering_angle: 0.02 });
  assert.equal(returning.steering_angle, 0);
  assert.equal(after({ steering: -1, is_direct: true }).steering_angle, -kCar.max_steering_angle);
});

test("the faster, the less the wheels turn", () => {
  assert.equal(steeringLimit(0, kCar), kCar.max_steering_angle);
  const v = 20;
  const sideways = (v * v * Math.tan(steeringLimit(v, kCar))) / kCar.wheelbase;
  assert.ok(Math.abs(sideways - 3.5) < 1e-9);
});

test("a stick at rest is not pressed, even when it is worn out", () => {
  const buttons = Array.from({ length: 17 }, () => ({ value: 0 }));
  assert.ok(!isPressed(pedalsOf({ axes: [0.06, 0], buttons })));
  assert.ok(pedalsOf({ axes: [-1, 0], buttons }).steering === 1, "left is positive");
  buttons[7] = { value: 0.5 };
  assert.equal(pedalsOf({ axes: [0, 0], buttons }).throttle, 0.5);
});

test("a command survives the wire, stamped 'now'", () => {
  const sent = commandMessage({ steering_angle: 0.25, speed: 5, acceleration: 1.5 });
  const { header, drive } = createReader(kCommandSchema)(createWriter(kCommandSchema)(sent));
  assert.deepEqual(header.stamp, { sec: 0, nanosec: 0 });
  assert.deepEqual([drive.steering_angle, drive.speed, drive.acceleration, drive.jerk], [0.25, 5, 1.5, 0]);
});
