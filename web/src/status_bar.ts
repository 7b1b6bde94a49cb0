// SPDX-License-Identifier: Apache-2.0
// The bar below: numbers that are read at a glance, and flags that appear when something is the matter.
import { byId, fixed, setText } from "./dom";
import { toSeconds, yawOf, type SimulationStatus, type VehicleState } from "./messages";

const kDegrees = 180 / Math.PI;

export type LinkState = "connecting" | "live" | "lost";

const kLinkText: Record<LinkState, string> = {
  connecting: "connecting",
  live: "connected",
  lost: "connection lost",
};

export class StatusBar {
  private readonly speed = byId("speed-value");
  private readonly steering = byId("steering-value");
  private readonly needle = byId("steering-needle");
  private readonly time = byId("time-value");
  private readonly pace = byId("pace-value");
  private readonly position = byId("position-value");
  private readonly heading = byId("heading-value");
  private readonly rates = byId("rates-value");
  private readonly driver = byId("driver-value");
  private readonly link = byId("link");

  showVehicle(state: VehicleState, max_steering_angle: number): void {
    const { position, orientation } = state.pose;
    setText(this.speed, fixed(3.6 * state.twist.linear.x, 1));
    setText(this.steering, `${fixed(kDegrees * state.steering_angle, 1)}\u00b0`);
    // To the left is a positive angle, and to the left on the screen.
    const turned = Math.max(-1, Math.min(1, state.steering_angle / max_steering_angle));
    this.needle.style.transform = `translateX(${(-turned * 38).toFixed(1)}px)`;
    setText(this.time, toSeconds(state.header.stamp).toFixed(2));
    setText(this.position, `${fixed(position.x, 1)}, ${fixed(position.y, 1)}`);
    setText(this.heading, `${fixed(kDegrees * yawOf(orientation), 0)}\u00b0`);
  }

  showStatus(status: SimulationStatus): void {
    setText(this.pace, status.real_time_factor.toFixed(2));
    this.flag("offroad", status.is_offroad);
    this.flag("collision", status.is_collision);
  }

  showPaused(is_paused: boolean): void {
    this.flag("paused", is_paused);
    if (is_paused) setText(this.pace, "0.00");
  }

  showEmergency(is_stopping: boolean): void {
    this.flag("emergency", is_stopping);
  }

  showRates(rates: { id: string; per_second: number }[]): void {
    setText(this.rates, rates.map((r) => `${r.id} ${r.per_second.toFixed(0)}`).join("  \u00b7  ") || "-");
  }

  showDriver(name: string, is_you: boolean): void {
    setText(this.driver, name);
    this.driver.classList.toggle("you", is_you);
  }

  showLink(state: LinkState): void {
    this.link.dataset["state"] = state;
    setText(this.link, kLinkText[state]);
    byId("banner").hidden = state !== "lost";
    document.body.classList.toggle("lost", state === "lost");
  }

  private flag(name: string, is_on: boolean): void {
    byId(`flag-${name}`).classList.toggle("on", is_on);
  }
}
