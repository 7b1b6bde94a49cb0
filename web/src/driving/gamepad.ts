// SPDX-License-Identifier: Apache-2.0
// The first gamepad of the standard layout: left stick steers, right trigger accelerates, left trigger
// brakes, the lower button (A, cross) brakes fully.
import { kNoPedals, type Pedals } from "./pedals";

const kDeadZone = 0.08;
const kBrakeButton = 0;
const kLeftTrigger = 6;
const kRightTrigger = 7;

export function pedalsOf(gamepad: Pick<Gamepad, "axes" | "buttons">): Pedals {
  const stick = gamepad.axes[0] ?? 0;
  const beyond = Math.max(0, Math.abs(stick) - kDeadZone) / (1 - kDeadZone);
  const pressed = (button: number): number => gamepad.buttons[button]?.value ?? 0;
  return {
    throttle: pressed(kRightTrigger),
    brake: pressed(kLeftTrigger),
    // Squared: fine around the middle, all of it at the end. Left is negative on the stick.
    steering: -Math.sign(stick) * beyond * beyond,
    full_brake: pressed(kBrakeButton) > 0.5,
    is_direct: true,
  };
}

export function readGamepad(): Pedals {
  const found = navigator.getGamepads?.().find((g) => g?.connected && g.mapping === "standard");
  return found ? pedalsOf(found) : kNoPedals;
}
