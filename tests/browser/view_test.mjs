// SPDX-License-Identifier: Apache-2.0
// A world in the browser without a simulation: gs-inspect view.
import assert from "node:assert/strict";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";
import {
  changedPixels,
  firstPictureMs,
  launchBrowser,
  openWindow,
  pictureOf,
  story,
  textOf,
} from "./browser.mjs";
import { kRoot, Program, stopAll } from "../program.mjs";

const kStage = "#flight-stage > canvas";
const kScene = "#scene-stage > canvas";

const test = story(); // each goes on where the one before it ended
let browser, folder, viewer, window, page;

// The minimal world with a recorded drive: 80 m straight ahead along x.
async function worldWithPath() {
  folder = await mkdtemp(join(tmpdir(), "gs-view-"));
  await cp(join(kRoot, "worlds/minimal_test"), folder, { recursive: true });
  const index = join(folder, "world.yaml");
  const text = await readFile(index, "utf8");
  await writeFile(index, text.replace(/^sim:$/m, 'sim:\n  trajectory: "sim/trajectory.csv"'));
  const lines = ["timestamp,x,y,z,qx,qy,qz,qw"];
  for (let i = 0; i <= 80; ++i) lines.push(`${(1 + 0.1 * i).toFixed(9)},${i},0,0,0,0,0,1`);
  await writeFile(join(folder, "sim/trajectory.csv"), `${lines.join("\n")}\n`);
  return folder;
}

async function waitForText(id, pattern) {
  await page.waitForFunction(
    ([id, source]) => new RegExp(source).test(document.getElementById(id)?.innerText ?? ""),
    [id, pattern.source],
  );
}

// A rested camera is shown in full: the picture is as wide as its place, in steps of 16.
async function untilFine() {
  await page.waitForSelector("#flight-stage[data-fine=true]");
  const missing = await page.locator(kStage).evaluate((canvas) => canvas.clientWidth - canvas.width);
  assert.ok(Math.abs(missing) <= 16, `${missing} pixels`);
}

before(async () => {
  browser = await launchBrowser();
  viewer = new Program("gs-inspect", ["view", await worldWithPath(), "--port", "0"]);
  window = await openWindow(browser);
  page = window.page;
});

after(stopAll);
after(() => browser?.close());
after(() => folder && rm(folder, { recursive: true }));

test("a world is shown where its drive began", async () => {
  await page.goto(await viewer.address);
  console.log(`page to first picture: ${(await firstPictureMs(page)).toFixed(0)} ms`);
  await waitForText("world-name", /^minimal_test$/);
  await waitForText("flight-position", /^0\.0, 0\.0, 1\.6$/);
  await untilFine();
});

test("there is nothing to pause and nobody to drive", async () => {
  for (const id of ["pause-button", "camera-panel", "speed-value", "notices-button"])
    assert.equal(await page.locator(`#${id}`).isVisible(), false, id);
});

test("the sliders lead along the recorded path and beside it", async () => {
  const start = await pictureOf(page, kStage);
  const scene = await pictureOf(page, kScene);
  await page.locator("#along-slider").fill("20");
  await waitForText("flight-position", /^20\.0, 0\.0, 1\.6$/);
  await page.locator("#beside-slider").fill("-2");
  await waitForText("flight-position", /^20\.0, -2\.0, 1\.6$/);
  await waitForText("beside-value", /^2\.0 m right$/);
  await waitForText("flight-distance", /^2\.0 m$/);
  await untilFine();
  assert.ok((await changedPixels(browser, start, await pictureOf(page, kStage))) > 1000);
  await page.waitForSelector("#scene-stage[data-drawn=true]");
  assert.ok((await changedPixels(browser, scene, await pictureOf(page, kScene))) > 200);
});

test("keys fly, coarsely while they are held", async () => {
  await page.locator("#along-slider").blur();
  await page.locator("#beside-slider").blur();
  await page.keyboard.down("w");
  await page.waitForFunction(() => parseFloat(document.getElementById("flight-position").innerText) > 22);
  await page.waitForFunction(() => {
    const canvas = document.querySelector("#flight-stage > canvas");
    return canvas.width < 0.6 * canvas.clientWidth;
  });
  await page.keyboard.up("w");
  await waitForText("flight-tag", /^Free camera$/);
  await untilFine();
});

test("dragging the picture turns the camera with it", async () => {
  const box = await page.locator(kStage).boundingBox();
  await page.mouse.move(box.x + 200, box.y + 200);
  await page.mouse.down();
  await page.mouse.move(box.x + 400, box.y + 200, { steps: 5 }); // what was left comes to the middle
  await page.mouse.up();
  const [heading] = (await textOf(page, "flight-angles")).split(",").map((text) => parseFloat(text));
  const expected = (80 * 200) / box.width;
  assert.ok(Math.abs(heading - expected) < 2, `${heading}, not ${expected}`);
});

test("a click in the scene goes there", async () => {
  await page.click("#view-buttons [data-view=top]");
  await page.waitForSelector("#scene-stage[data-drawn=true]");
  const before = await textOf(page, "flight-position");
  const box = await page.locator(kScene).boundingBox();
  await page.keyboard.press("t");
  await page.mouse.click(box.x + box.width / 2 + 80, box.y + box.height / 2);
  await page.waitForFunction((before) => document.getElementById("flight-position").innerText !== before, before);
  assert.ok(parseFloat(await textOf(page, "flight-position")) > parseFloat(before) + 2);
});

test("it complains about nothing", () => {
  assert.deepEqual(window.complaints, []);
});
