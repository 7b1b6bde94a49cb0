// SPDX-License-Identifier: Apache-2.0
// A browser window on a page of ours, and pictures of it as numbers.
import { test } from "node:test";
import { chromium } from "playwright-core";
import { kPatienceMs } from "../program.mjs";

export async function launchBrowser() {
  return chromium.launch({
    executablePath: process.env.GS_CHROMIUM ?? "/usr/bin/chromium",
    // Without a GPU, WebGL is drawn by the CPU; Chromium wants to be told that this is meant.
    args: ["--no-sandbox", "--enable-unsafe-swiftshader"],
  });
}

// A laptop's window. Keeps what the page complains about and whom it asks.
export async function openWindow(browser, options = {}) {
  const context = await browser.newContext({
    viewport: { width: 1366, height: 768 },
    colorScheme: "light",
    ...options,
  });
  const page = await context.newPage();
  const complaints = [];
  const requests = [];
  const frames = []; // sent to the simulator, as text
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("request", (request) => requests.push(request.url()));
  page.on("websocket", (socket) => {
    requests.push(socket.url());
    socket.on("framesent", ({ payload }) => {
      if (typeof payload === "string") frames.push(payload);
    });
  });
  page.setDefaultTimeout(kPatienceMs); // everything is waited for by what it shows
  return { page, complaints, requests, frames };
}

// Tests on one page, of which each goes on where the one before it ended: when one has failed, those after it
// are not told, instead of each waiting for what cannot come any more.
export function story() {
  let failed;
  return (name, ...options_and_run) => {
    const run = options_and_run.pop();
    test(name, ...options_and_run, async (t) => {
      if (failed) return t.skip(`after "${failed}" failed`);
      try {
        await run(t);
      } catch (error) {
        failed = name;
        throw error;
      }
    });
  };
}

export async function firstPictureMs(page) {
  await page.waitForFunction(() => performance.getEntriesByName("first-picture").length > 0);
  return page.evaluate(() => performance.getEntriesByName("first-picture")[0].startTime);
}

// Text of an element by its id.
export function textOf(page, id) {
  return page.locator(`#${id}`).innerText();
}

export async function numberOf(page, id) {
  return Number((await textOf(page, id)).replace(/[^-\d.]/g, ""));
}

// Waits until the text of an element is a number between two bounds.
export async function waitForNumber(page, id, { above = -Infinity, below = Infinity }) {
  await page.waitForFunction(
    ([id, above, below]) => {
      const text = document.getElementById(id)?.innerText ?? "";
      const value = Number(text.replace(/[^-\d.]/g, ""));
      return text !== "" && value > above && value < below;
    },
    [id, above, below],
  );
}

export async function positionOf(page) {
  return (await textOf(page, "position-value")).split(",").map(Number);
}

// What is on the screen there, as a PNG.
export function pictureOf(page, selector) {
  return page.locator(selector).screenshot();
}

// How many pixels of two PNGs differ clearly: counted by the browser itself, in an empty page.
export async function changedPixels(browser, a, b) {
  const empty = await browser.newPage();
  try {
    return await empty.evaluate(
      async (pictures) => {
        const [a, b] = await Promise.all(
          pictures.map(async (base64) => {
            const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
            const picture = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
            const context = new OffscreenCanvas(picture.width, picture.height).getContext("2d");
            context.drawImage(picture, 0, 0);
            return context.getImageData(0, 0, picture.width, picture.height).data;
          }),
        );
        let changed = 0;
        for (let i = 0; i < a.length; i += 4)
          if (Math.abs(a[i] - b[i]) + Math.abs(a[i + 1] - b[i + 1]) + Math.abs(a[i + 2] - b[i + 2]) > 24)
            changed += 1;
        return changed;
      },
      [a, b].map((png) => png.toString("base64")),
    );
  } finally {
    await empty.close();
  }
}

// The large camera as it arrived: how many values its pixels have, and how many pixels differ clearly
// from the time before that somebody asked.
export function lookAtCamera(page) {
  return page.evaluate(() => {
    const canvas = document.querySelector("#camera-stage canvas");
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    const before = globalThis.camera_before;
    globalThis.camera_before = data;
    let changed = 0;
    for (let i = 0; before && i < data.length; i += 4)
      if (Math.abs(data[i] - before[i]) + Math.abs(data[i + 1] - before[i + 1]) > 16) changed += 1;
    return { values: new Set(data).size, changed };
  });
}

// Contrast of text and what is behind it, as WCAG counts it.
export function contrastOf(page, selector) {
  return page.locator(selector).first().evaluate((element) => {
    const luminance = (color) => {
      const [r, g, b] = color.match(/[\d.]+/g).slice(0, 3).map((v) => {
        const c = Number(v) / 255;
        return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    let behind = element;
    while (getComputedStyle(behind).backgroundColor === "rgba(0, 0, 0, 0)") behind = behind.parentElement;
    const [a, b] = [getComputedStyle(element).color, getComputedStyle(behind).backgroundColor].map(luminance);
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  });
}
