// SPDX-License-Identifier: Apache-2.0
// WASD or arrows and the space bar as pedals. By the place of the key, so that every layout works.
import { isTyping } from "../dom";
import { kNoPedals, type Pedals } from "./pedals";

const kKeys: Record<string, "ahead" | "back" | "left" | "right" | "brake"> = {
  KeyW: "ahead",
  ArrowUp: "ahead",
  KeyS: "back",
  ArrowDown: "back",
  KeyA: "left",
  ArrowLeft: "left",
  KeyD: "right",
  ArrowRight: "right",
  Space: "brake",
};

export class Keyboard {
  private readonly held = new Set<string>();

  constructor(onPress: () => void) {
    window.addEventListener("keydown", (event) => {
      if (!kKeys[event.code] || event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
      event.preventDefault(); // arrows scroll and the space bar presses buttons
      if (event.repeat) return;
      this.held.add(event.code);
      onPress();
    });
    window.addEventListener("keyup", (event) => {
      if (kKeys[event.code] && !isTyping(event)) event.preventDefault();
      this.held.delete(event.code);
    });
    // A window without focus hears no release.
    window.addEventListener("blur", () => this.held.clear());
    document.addEventListener("visibilitychange", () => this.held.clear());
  }

  get pedals(): Pedals {
    const is = (what: string): number => Number([...this.held].some((code) => kKeys[code] === what));
    return {
      ...kNoPedals,
      throttle: is("ahead"),
      brake: is("back"),
      steering: is("left") - is("right"),
      full_brake: is("brake") > 0,
    };
  }
}
