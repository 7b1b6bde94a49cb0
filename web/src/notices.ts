// SPDX-License-Identifier: Apache-2.0
// What the simulator warns about: a short notice when it is new, and a list that keeps the last ones
// with how often they came.
import { byId, element, setText } from "./dom";

const kShownMs = 6000;
const kMostListed = 50;
const kMostShown = 3;

export type Severity = "info" | "warning" | "error";

interface Listed {
  text: string;
  severity: Severity;
  times: number;
}

export class Notices {
  private readonly toasts = byId("toasts");
  private readonly panel = byId("notices-panel");
  private readonly list = byId("notice-list");
  private readonly button = byId<HTMLButtonElement>("notices-button");
  private readonly count = byId("notices-count");
  private listed: Listed[] = [];

  constructor() {
    const { panel } = this;
    this.button.addEventListener("click", () => {
      panel.hidden = !panel.hidden;
      this.button.setAttribute("aria-expanded", String(!panel.hidden));
    });
    byId("notices-clear").addEventListener("click", () => this.clear());
    this.update();
  }

  add(text: string, severity: Severity): void {
    const known = this.listed.find((n) => n.text === text);
    if (known) known.times += 1;
    else this.listed.unshift({ text, severity, times: 1 });
    this.listed.length = Math.min(this.listed.length, kMostListed);
    this.update();
    if (!known && this.panel.hidden) this.pop(text, severity);
  }

  // Says it once, without keeping it.
  pop(text: string, severity: Severity): void {
    const toast = element("div", { class: `toast ${severity}`, role: "status" }, text);
    this.toasts.append(toast);
    while (this.toasts.children.length > kMostShown) this.toasts.firstElementChild?.remove();
    window.setTimeout(() => toast.remove(), kShownMs);
  }

  clear(): void {
    this.listed = [];
    this.toasts.replaceChildren();
    this.update();
  }

  private update(): void {
    setText(this.count, String(this.listed.length));
    this.button.classList.toggle("has-notices", this.listed.length > 0);
    this.list.replaceChildren(
      ...this.listed.map(({ text, severity, times }) =>
        element(
          "li",
          { class: severity },
          element("span", { class: "times" }, times > 1 ? `${times}\u00d7 ` : ""),
          text,
        ),
      ),
    );
    if (this.listed.length === 0)
      this.list.append(element("li", { class: "nothing" }, "Nothing to report."));
  }
}
