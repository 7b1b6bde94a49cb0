// SPDX-License-Identifier: Apache-2.0
// Pause, step, reset, teleport, pace: buttons and keys that become service calls.
import { byId, isTyping, setText } from "./dom";

export interface ControlActions {
  pause(): void;
  resume(): void;
  step(): void;
  reset(): void;
  teleport(): void;
  cancel(): void;
  nextCamera(): void;
  setPace(factor: number): void;
}

export class Controls {
  private readonly pause_button = byId<HTMLButtonElement>("pause-button");
  private readonly step_button = byId<HTMLButtonElement>("step-button");
  private readonly teleport_button = byId<HTMLButtonElement>("teleport-button");
  private readonly pace = byId<HTMLSelectElement>("pace-select");
  private is_paused = false;

  constructor(private readonly actions: ControlActions) {
    this.pause_button.addEventListener("click", () => this.togglePause());
    this.step_button.addEventListener("click", () => actions.step());
    byId("reset-button").addEventListener("click", () => actions.reset());
    this.teleport_button.addEventListener("click", () => actions.teleport());
    this.pace.addEventListener("change", () => {
      actions.setPace(Number(this.pace.value));
      this.pace.blur(); // the arrows drive again
    });
    window.addEventListener("keydown", (event) => this.press(event));
    this.showPaused(false);
  }

  showPaused(is_paused: boolean): void {
    this.is_paused = is_paused;
    setText(byId("pause-label"), is_paused ? "Resume" : "Pause");
    byId("pause-icon").setAttribute("href", is_paused ? "#icon-play" : "#icon-pause");
    this.pause_button.title = is_paused ? "Go on (P)" : "Stop the time (P)";
    this.step_button.disabled = !is_paused;
  }

  showTeleporting(is_active: boolean): void {
    this.teleport_button.setAttribute("aria-pressed", String(is_active));
    byId("pick-hint").hidden = !is_active;
  }

  // A factor that is not in the list joins it: somebody chose it elsewhere.
  showPace(factor: number): void {
    const value = String(factor);
    if (![...this.pace.options].some((o) => o.value === value))
      this.pace.add(new Option(`${factor}\u00d7`, value));
    this.pace.value = value;
  }

  private togglePause(): void {
    if (this.is_paused) this.actions.resume();
    else this.actions.pause();
  }

  private press(event: KeyboardEvent): void {
    if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
    if (event.key === "Escape") return this.actions.cancel();
    switch (event.key.toLowerCase()) {
      case "p":
        return this.togglePause();
      case "n":
        return this.is_paused ? this.actions.step() : undefined;
      case "r":
        return this.actions.reset();
      case "t":
        return this.actions.teleport();
      case "c":
        return this.actions.nextCamera();
    }
  }
}
