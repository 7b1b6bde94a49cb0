// SPDX-License-Identifier: Apache-2.0
// The vehicle states of the last moments, so that a cloud can be put where it was measured.
import type { Incoming } from "./connection";
import type { VehicleState } from "./messages";

const kMost = 256;

export class StateHistory {
  private entries: Incoming[] = [];

  clear(): void {
    this.entries = [];
  }

  // Time that goes backwards is a reset: what was before is of no use.
  add(message: Incoming): void {
    const last = this.entries.at(-1);
    if (last && message.stamp_ns < last.stamp_ns) this.clear();
    this.entries.push(message);
    if (this.entries.length > kMost) this.entries.splice(0, kMost / 2);
  }

  nearest(stamp_ns: bigint): VehicleState | undefined {
    let best: Incoming | undefined;
    for (const entry of this.entries) {
      const away = entry.stamp_ns - stamp_ns;
      const best_away = best ? best.stamp_ns - stamp_ns : 0n;
      if (!best || (away < 0n ? -away : away) < (best_away < 0n ? -best_away : best_away)) best = entry;
    }
    return best?.read() as VehicleState | undefined;
  }
}
