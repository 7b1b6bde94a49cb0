// SPDX-License-Identifier: Apache-2.0
// How often the screen changes: with every frame where a GPU composes it. Without one, each change costs
// CPU that the simulator on the same machine needs; then the page changes all at once, a few times
// per second. `?quality=full` in the address asks for everything all the same.

const kWithoutGpuMs = 80;

let is_slow = false;

export function isSoftware(context: WebGL2RenderingContext | null): boolean {
  const names = context?.getExtension("WEBGL_debug_renderer_info");
  const name = names ? String(context?.getParameter(names.UNMASKED_RENDERER_WEBGL)) : "";
  const is_asked_for = new URLSearchParams(location.search).get("quality") === "full";
  return !is_asked_for && /swiftshader|llvmpipe|software/i.test(name);
}

// Said by the scene, which is the first to know.
export function goSlowly(): void {
  is_slow = true;
}

export function onEveryFrame(draw: (now: number) => void): void {
  const frame = (now: number): void => {
    draw(now);
    if (is_slow) window.setTimeout(() => requestAnimationFrame(frame), kWithoutGpuMs);
    else requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}
