// SPDX-License-Identifier: Apache-2.0
// What is not about any simulation: panels, theme, help.
import { byId, isTyping } from "./dom";
import { switchTheme } from "./theme";

export type Layout = "camera" | "both" | "scene";

// Marks the pressed one of a group of buttons and says which it is.
export function onChoice(group: HTMLElement, attribute: string, choose: (value: string) => void): void {
  group.addEventListener("click", (event) => {
    const pressed = (event.target as HTMLElement).closest("button");
    const value = pressed?.dataset[attribute];
    if (!pressed || value === undefined) return;
    for (const button of group.querySelectorAll("button"))
      button.setAttribute("aria-pressed", String(button === pressed));
    choose(value);
  });
}

export function currentLayout(): Layout {
  return (byId("main").dataset["layout"] ?? "both") as Layout;
}

export function startLayout(onLayout: () => void): void {
  onChoice(byId("layout-buttons"), "layout", (layout) => {
    byId("main").dataset["layout"] = layout;
    onLayout();
  });
  byId("theme-button").addEventListener("click", switchTheme);
  const help = byId<HTMLDialogElement>("help-dialog");
  byId("help-button").addEventListener("click", () => help.showModal());
  byId("help-close").addEventListener("click", () => help.close());
  help.addEventListener("click", (event) => {
    if (event.target === help) help.close(); // beside the dialog
  });
  window.addEventListener("keydown", (event) => {
    if (event.key !== "?" || isTyping(event)) return;
    if (help.open) help.close();
    else help.showModal();
  });
}
