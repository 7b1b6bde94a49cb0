// SPDX-License-Identifier: Apache-2.0
// Elements in one line. Text is always set as text, never as markup: names of worlds and warnings
// come from files.

type Attributes = Record<string, string>;

export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) throw new Error(`index.html has no #${id}`);
  return found as T;
}

// Writes only what changed: most of the status is the same from frame to frame.
export function setText(target: HTMLElement, text: string): void {
  if (target.textContent !== text) target.textContent = text;
}

// A number with so many digits, and no -0.0.
export function fixed(value: number, digits: number): string {
  const text = value.toFixed(digits);
  return Number(text) === 0 ? (0).toFixed(digits) : text;
}

// Keys belong to the page unless somebody is typing, choosing, or walks the buttons with Tab and presses
// one with the space bar.
export function isTyping(event: KeyboardEvent): boolean {
  const target = event.target;
  if (!(target instanceof HTMLElement)) return false;
  if (event.code === "Space" && target.matches("button:focus-visible, summary:focus-visible")) return true;
  return target.matches("input, select, textarea");
}
