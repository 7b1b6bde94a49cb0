// SPDX-License-Identifier: Apache-2.0
// The picture that the server renders from a place: coarse while the place changes, fine when it rests.
// One request at a time; what was asked for in between is replaced by the newest.

export interface Viewpoint {
  x: number;
  y: number;
  z: number;
  yaw: number; // from east to north
  pitch: number; // up is positive
  fov: number; // degrees, from left to right
}

const kCoarse = 0.4; // of the size on the screen
const kMostPixels = 1280 * 720;
const kRestMs = 250;

export class RenderedPicture {
  private wanted: Viewpoint | undefined;
  private is_fine = false;
  private is_busy = false;
  private rest_timer = 0;

  constructor(
    private readonly canvas: HTMLCanvasElement,
    // `is_final`: fine, and nothing newer was asked for.
    private readonly onPicture: (
      width: number,
      height: number,
      milliseconds: number,
      is_final: boolean,
    ) => void,
    private readonly onFailure: () => void,
  ) {}

  show(viewpoint: Viewpoint): void {
    this.wanted = viewpoint;
    this.is_fine = false;
    window.clearTimeout(this.rest_timer);
    this.rest_timer = window.setTimeout(() => {
      this.wanted = viewpoint;
      this.is_fine = true;
      void this.work();
    }, kRestMs);
    void this.work();
  }

  private async work(): Promise<void> {
    if (this.is_busy) return;
    this.is_busy = true;
    while (this.wanted) {
      const viewpoint = this.wanted;
      this.wanted = undefined;
      try {
        await this.fetch(viewpoint, this.is_fine);
      } catch {
        this.onFailure();
      }
    }
    this.is_busy = false;
  }

  private async fetch(viewpoint: Viewpoint, is_fine: boolean): Promise<void> {
    const [width, height] = this.size(is_fine ? 1 : kCoarse);
    const started = performance.now();
    const query = new URLSearchParams({ width: String(width), height: String(height) });
    for (const [name, value] of Object.entries(viewpoint)) query.set(name, Number(value).toFixed(5));
    const response = await fetch(`api/render?${query.toString()}`, { cache: "no-store" });
    if (!response.ok) throw new Error(String(response.status));
    const picture = await createImageBitmap(await response.blob());
    this.canvas.width = picture.width;
    this.canvas.height = picture.height;
    this.canvas.getContext("2d")?.drawImage(picture, 0, 0);
    const is_final = is_fine && this.is_fine && !this.wanted;
    this.onPicture(picture.width, picture.height, performance.now() - started, is_final);
    picture.close();
  }

  // In steps of 16, so that pictures of a moving camera are of one size.
  private size(scale: number): [number, number] {
    const { clientWidth, clientHeight } = this.canvas;
    const pixels = Math.max(1, clientWidth * clientHeight) * scale * scale;
    const fit = scale * Math.min(1, Math.sqrt(kMostPixels / pixels));
    const even = (value: number): number => Math.max(64, 16 * Math.round((value * fit) / 16));
    return [even(clientWidth), even(clientHeight)];
  }
}
