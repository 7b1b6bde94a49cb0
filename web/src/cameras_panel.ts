// SPDX-License-Identifier: Apache-2.0
// The live cameras: one large, the others as thumbnails. A click on a thumbnail or a double click on the
// large picture changes places. Each picture is decoded by the browser; when the next one arrives
// before that is done, the one in between is left out.
import { byId, element, setText } from "./dom";
import type { CompressedImage } from "./messages";
import { RateMeter } from "./rate_meter";
import { sensorIdOf } from "./topics";

class CameraView {
  readonly canvas = element("canvas", { width: "16", height: "9" });
  readonly rate = new RateMeter();
  private waiting: CompressedImage | undefined;
  private picture: ImageBitmap | undefined;
  private is_decoding = false;
  has_picture = false;

  constructor(
    readonly topic: string,
    readonly id: string,
    private readonly onPicture: () => void,
  ) {}

  show(image: CompressedImage): void {
    this.rate.count();
    this.waiting = image;
    if (!this.is_decoding) void this.decode();
  }

  private async decode(): Promise<void> {
    this.is_decoding = true;
    while (this.waiting) {
      const { data, format } = this.waiting;
      this.waiting = undefined;
      try {
        const type = format.includes("png") ? "image/png" : "image/jpeg";
        const picture = await createImageBitmap(new Blob([new Uint8Array(data)], { type }));
        this.picture?.close();
        this.picture = picture;
      } catch {
        // a damaged picture is followed by the next one
      }
    }
    this.is_decoding = false;
  }

  // With the next change of the screen, together with all others.
  draw(): void {
    const picture = this.picture;
    if (!picture) return;
    this.picture = undefined;
    if (this.canvas.width !== picture.width || this.canvas.height !== picture.height) {
      this.canvas.width = picture.width;
      this.canvas.height = picture.height;
    }
    this.canvas.getContext("2d")?.drawImage(picture, 0, 0);
    picture.close();
    this.has_picture = true;
    this.onPicture();
  }
}

export class CamerasPanel {
  private readonly stage = byId("camera-stage");
  private readonly strip = byId("camera-strip");
  private readonly name = byId("camera-name");
  private readonly empty = byId("camera-empty");
  private cameras: CameraView[] = [];
  private selected = 0;
  private is_paused = false;

  constructor(private readonly onSelection: () => void) {
    this.stage.addEventListener("dblclick", () => this.next());
    this.arrange();
  }

  // Whatever publishes pictures: topics of sensor_msgs/CompressedImage.
  setTopics(topics: string[]): void {
    const found = [...topics].sort();
    if (found.join() === this.cameras.map((c) => c.topic).join()) return;
    this.cameras = found.map(
      (topic) => new CameraView(topic, sensorIdOf(topic), () => this.onPicture()),
    );
    // The one that looks ahead, where there is one.
    this.selected = Math.max(0, this.cameras.findIndex((c) => c.id.includes("front")));
    this.arrange();
  }

  get topics(): string[] {
    return this.cameras.map((c) => c.topic);
  }

  draw(): void {
    for (const camera of this.cameras) camera.draw();
  }

  receive(topic: string, image: CompressedImage): void {
    this.cameras.find((c) => c.topic === topic)?.show(image);
  }

  showPaused(is_paused: boolean): void {
    this.is_paused = is_paused;
    this.updateEmpty();
  }

  next(): void {
    if (this.cameras.length > 1) this.select((this.selected + 1) % this.cameras.length);
  }

  // Frames per second of every camera, for the status.
  get rates(): { id: string; per_second: number }[] {
    return this.cameras.map((c) => ({ id: c.id, per_second: c.rate.perSecond }));
  }

  private select(index: number): void {
    this.selected = index;
    this.arrange();
    this.onSelection();
  }

  private onPicture(): void {
    if (performance.getEntriesByName("first-picture").length === 0) performance.mark("first-picture");
    this.fitStage();
    this.updateEmpty();
  }

  // The stage takes the shape of the picture, and the thumbnails the rest.
  private fitStage(): void {
    const canvas = this.cameras[this.selected]?.canvas;
    if (canvas && this.cameras[this.selected]?.has_picture)
      this.stage.style.setProperty("--aspect", `${canvas.width} / ${canvas.height}`);
  }

  private updateEmpty(): void {
    const camera = this.cameras[this.selected];
    this.empty.hidden = camera?.has_picture === true;
    const waiting = this.is_paused ? "Paused: no picture yet" : "Waiting for the first picture";
    setText(this.empty, camera ? waiting : "No cameras");
  }

  private arrange(): void {
    const large = this.cameras[this.selected];
    this.stage.querySelector("canvas")?.remove();
    // A thumbnail is a button with a name; its picture has nothing to add.
    for (const camera of this.cameras)
      camera.canvas.setAttribute("aria-hidden", String(camera !== large));
    if (large) {
      large.canvas.setAttribute("role", "img");
      large.canvas.setAttribute("aria-label", `Camera ${large.id}`);
      this.stage.prepend(large.canvas);
    }
    setText(this.name, large?.id ?? "");
    this.name.hidden = !large;
    this.strip.replaceChildren(
      ...this.cameras.flatMap((camera, index) => {
        if (index === this.selected) return [];
        const button = element(
          "button",
          {
            class: "thumbnail",
            title: `Show camera ${camera.id} large`,
            "aria-label": `Camera ${camera.id}`,
          },
          camera.canvas,
          element("span", { class: "tag" }, camera.id),
        );
        button.addEventListener("click", () => this.select(index));
        return [button];
      }),
    );
    this.strip.hidden = this.cameras.length < 2;
    this.updateEmpty();
  }
}
