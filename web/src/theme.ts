// SPDX-License-Identifier: Apache-2.0
// Light and dark. The colours live in style.css and nowhere else; the 3D scene asks for them here.

const kKey = "gs-theme";
const prefers_dark = window.matchMedia("(prefers-color-scheme: dark)");

export type Theme = "light" | "dark";
type Listener = () => void;
const listeners: Listener[] = [];

// The choice survives a reload where the browser allows it.
function remembered(): string | null {
  try {
    return localStorage.getItem(kKey);
  } catch {
    return null;
  }
}

function remember(theme: Theme): void {
  try {
    localStorage.setItem(kKey, theme);
  } catch {
    // private mode: then it lasts as long as the page
  }
}

export function currentTheme(): Theme {
  return document.documentElement.dataset["theme"] === "dark" ? "dark" : "light";
}

function apply(theme: Theme): void {
  document.documentElement.dataset["theme"] = theme;
  for (const listener of listeners) listener();
}

export function startTheme(): void {
  const chosen = remembered();
  if (chosen === "light" || chosen === "dark") apply(chosen);
  else apply(prefers_dark.matches ? "dark" : "light");
  prefers_dark.addEventListener("change", (event) => {
    if (remembered() === null) apply(event.matches ? "dark" : "light");
  });
}

export function switchTheme(): void {
  const next = currentTheme() === "dark" ? "light" : "dark";
  remember(next);
  apply(next);
}

export function onThemeChange(listener: Listener): void {
  listeners.push(listener);
}

// A colour of style.css by the name of its variable, without the dashes.
export function themeColor(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}
