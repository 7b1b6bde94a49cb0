// SPDX-License-Identifier: Apache-2.0
// The page of the simulator in a real browser: look, drive, pause, step, reset, teleport, lose the
// simulator and find it again. With GS_SCREENSHOTS=DIR the pictures of the README are saved there, of
// GS_SCREENSHOT_WORLD where that is set.
import assert from "node:assert/strict";
import { after, before } from "node:test";
import {
  changedPixels,
  contrastOf,
  firstPictureMs,
  launchBrowser,
  lookAtCamera,
  numberOf,
  openWindow,
  pictureOf,
  positionOf,
  story,
  textOf,
  waitForNumber,
} from "./browser.mjs";
import { eventually, startSimulator, stopAll } from "../program.mjs";
import { takeScreenshots } from "./screenshots.mjs";

const kWorld = "worlds/minimal_test"; // a road of 100 m along x, 10 m wide, that starts at x = 0
const kScene = "#scene-stage > canvas";

const test = story(); // each goes on where the one before it ended
let browser, simulator, address, window, page;

async function isSeen(selector) {
  await page.waitForSelector(selector, { state: "visible" });
}

async function isGone(selector) {
  await page.waitForSelector(selector, { state: "hidden" });
}

async function waitForText(id, text) {
  await page.waitForFunction(([id, text]) => document.getElementById(id)?.innerText === text, [id, text]);
}

// A chosen view of the scene, drawn.
async function lookFrom(view) {
  await page.click(`#view-buttons [data-view=${view}]`);
  await drawn();
}

// The scene is drawn a few frames after something changed, later when there is no GPU.
async function drawn() {
  await page.waitForSelector("#scene-stage[data-drawn=true]");
}

async function showLayer(name, is_shown) {
  await page.click(".layers summary");
  await page.setChecked(`input[data-layer=${name}]`, is_shown);
  await page.click(".layers summary");
  await drawn();
}

// The page says what it sends: the topics that it wants at the moment.
function lastFrame(op) {
  return window.frames.map((text) => JSON.parse(text)).findLast((frame) => frame.op === op);
}

async function untilSent(op, condition) {
  await eventually(async () => {
    const frame = lastFrame(op);
    if (frame && condition(frame)) return true;
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    return false;
  }, `the page to send ${op} so that ${condition}`);
}

const exactly = (value) => ({ above: value - 0.001, below: value + 0.001 });

async function driveUntil(key, speed) {
  await page.keyboard.down(key);
  await waitForNumber(page, "speed-value", speed);
  await page.keyboard.up(key);
}

async function standStill() {
  await driveUntil("Space", { above: -0.05, below: 0.05 });
}

async function fitsTheWindow() {
  const overflow = await page.evaluate(() => {
    const { scrollWidth, scrollHeight } = document.documentElement;
    return [scrollWidth - innerWidth, scrollHeight - innerHeight];
  });
  assert.deepEqual(overflow.map((v) => Math.max(0, v)), [0, 0]);
  const cut_off = await page.evaluate(() =>
    [...document.querySelectorAll("button, select, dd, .speed")]
      .filter((e) => e.checkVisibility() && e.getBoundingClientRect().right > innerWidth)
      .map((e) => e.id),
  );
  assert.deepEqual(cut_off, []);
}

// A picture that stands is the same to the last bit.
async function pictureMoved() {
  const { changed } = await lookAtCamera(page);
  assert.ok(changed > 100, `of the picture, ${changed} pixels moved`);
}

before(async () => {
  browser = await launchBrowser();
  simulator = startSimulator(kWorld, "--web-port", "0");
  address = await simulator.address;
  window = await openWindow(browser);
  page = window.page;
});

after(stopAll);
after(() => browser?.close());

test("the page shows a picture", async () => {
  await page.goto(address);
  const milliseconds = await firstPictureMs(page);
  console.log(`page to first picture: ${milliseconds.toFixed(0)} ms`);
  await waitForText("link", "connected");
  await waitForText("world-name", "minimal_test");
  const { values } = await lookAtCamera(page);
  assert.ok(values > 20, "a picture of one colour is no picture");
});

test("it fits a laptop without scrolling", fitsTheWindow);

test("it shows the points of the LiDAR", async () => {
  await waitForNumber(page, "point-count", { above: 1000 });
  await lookFrom("top");
  const with_points = await pictureOf(page, kScene);
  await showLayer("lidar", false);
  const without = await pictureOf(page, kScene);
  assert.ok((await changedPixels(browser, with_points, without)) > 500, "the layer of the LiDAR draws nothing");
});

test("keys drive the car", async () => {
  await lookFrom("orbit"); // from a place that stays; nothing but the car and its trail can change
  const [x0] = await positionOf(page);
  await lookAtCamera(page);
  const scene = await pictureOf(page, kScene);
  await page.keyboard.down("w");
  await waitForText("driver-value", "you");
  await waitForNumber(page, "speed-value", { above: 10 });
  await page.waitForFunction(
    (x0) => Number(document.getElementById("position-value").innerText.split(",")[0]) > x0 + 5,
    x0,
  );
  await page.keyboard.up("w");
  await standStill();
  await drawn();
  await pictureMoved();
  const moved = await changedPixels(browser, scene, await pictureOf(page, kScene));
  assert.ok(moved > 200, "the ego does not move in the scene");
  await showLayer("lidar", true);
});

test("keys steer, to the left for A and to the right for D", async () => {
  await page.keyboard.down("a");
  await waitForNumber(page, "steering-value", { above: 5 });
  await page.keyboard.up("a");
  await page.keyboard.down("d");
  await waitForNumber(page, "steering-value", { below: -5 });
  await page.keyboard.up("d");
  await waitForNumber(page, "steering-value", { above: -0.5, below: 0.5 }); // it returns by itself
});

test("who lets go does not drive any more", async () => {
  await page.waitForFunction(() => document.getElementById("driver-value").innerText !== "you");
});

test("a gamepad drives the car", async () => {
  const pad = (throttle, brake) =>
    page.evaluate(
      ([throttle, brake]) => {
        const buttons = Array.from({ length: 17 }, () => ({ value: 0, pressed: false, touched: false }));
        buttons[7] = { value: throttle, pressed: throttle > 0, touched: false };
        buttons[6] = { value: brake, pressed: brake > 0, touched: false };
        navigator.getGamepads = () => [{ connected: true, mapping: "standard", axes: [0, 0], buttons }];
      },
      [throttle, brake],
    );
  await pad(1, 0);
  await waitForText("driver-value", "you");
  await waitForNumber(page, "speed-value", { above: 5 });
  await pad(0, 1);
  await waitForNumber(page, "speed-value", { below: 2 });
  await pad(0, 0);
  await standStill();
  await page.evaluate(() => delete navigator.getGamepads);
});

test("time stands while paused, and goes on by single steps", async () => {
  await page.keyboard.press("p");
  await waitForText("pause-label", "Resume");
  await isSeen("#flag-paused");
  const paused_at = await numberOf(page, "time-value");
  // Had time gone on, the steps would not be alone.
  for (let n = 1; n <= 3; ++n) {
    if (n % 2) await page.keyboard.press("n");
    else await page.click("#step-button");
    await waitForNumber(page, "time-value", exactly(paused_at + n * 0.01));
  }
  await page.click("#pause-button");
  await waitForText("pause-label", "Pause");
  await waitForNumber(page, "time-value", { above: paused_at + 0.3 });
});

test("a click on the ground puts the car there, a drag turns it", async () => {
  await lookFrom("top");
  const [x0] = await positionOf(page);
  const box = await page.locator(kScene).boundingBox();
  const [cx, cy] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.click("#teleport-button");
  await isSeen("#pick-hint");
  await page.mouse.move(cx + 60, cy);
  await page.mouse.down();
  await page.mouse.move(cx + 60, cy - 30);
  await page.mouse.move(cx + 60, cy - 60, { steps: 4 }); // north is up
  await page.mouse.up();
  await waitForNumber(page, "heading-value", { above: 86, below: 94 });
  const [x1, y1] = await positionOf(page);
  assert.ok(x1 > x0 + 2, `east of where it was: ${x0} -> ${x1}`);
  assert.ok(Math.abs(y1) < 5, "still on the road");
  await isGone("#pick-hint");
});

test("Escape keeps the car where it is", async () => {
  const before = await positionOf(page);
  await page.keyboard.press("t");
  await isSeen("#pick-hint");
  await page.keyboard.press("Escape");
  await isGone("#pick-hint");
  const box = await page.locator(kScene).boundingBox();
  await page.mouse.click(box.x + 50, box.y + box.height - 120);
  const time = await numberOf(page, "time-value");
  await waitForNumber(page, "time-value", { above: time + 0.1 });
  assert.deepEqual(await positionOf(page), before);
});

test("beside the road it says so", async () => {
  await page.keyboard.press("t");
  const box = await page.locator(kScene).boundingBox();
  await page.mouse.click(box.x + box.width / 2, box.y + 60); // north, 25 m and more
  await isSeen("#flag-offroad");
  await fitsTheWindow();
});

test("all flags at once fit too", async () => {
  const raise = (is_on) =>
    page.evaluate((is_on) => {
      for (const flag of document.querySelectorAll(".flag:not(#flag-offroad)")) flag.classList.toggle("on", is_on);
    }, is_on);
  await page.keyboard.press("p"); // so that nobody lowers them
  await waitForText("pause-label", "Resume");
  await raise(true);
  await fitsTheWindow();
  await raise(false);
  await page.keyboard.press("p");
  await waitForText("pause-label", "Pause");
});

test("reset goes back to the start and to the first moment", async () => {
  const time = await numberOf(page, "time-value");
  await page.keyboard.press("r");
  await isGone("#flag-offroad");
  await waitForNumber(page, "time-value", { below: time });
  await waitForNumber(page, "heading-value", { above: -0.5, below: 0.5 });
});

test("the pace is the simulator's, so that every window shows the same", async () => {
  await page.selectOption("#pace-select", "0.5");
  const other = await openWindow(browser);
  await other.page.goto(address);
  await other.page.waitForFunction(() => document.getElementById("pace-select").value === "0.5");
  await other.page.context().close();
  await page.selectOption("#pace-select", "1");
});

test("only what is shown travels", async () => {
  await page.click("#layout-buttons [data-layout=camera]");
  await untilSent("unsubscribe", () => true);
  const before = window.frames.length;
  await page.click("#layout-buttons [data-layout=scene]");
  await untilSent("subscribe", () => window.frames.length > before); // the LiDAR again
  await page.click("#layout-buttons [data-layout=both]");
});

test("a hidden page hears nothing, and everything again when it is back", async () => {
  const show = (state) =>
    page.evaluate((state) => {
      Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }, state);
  const subscribed = () => {
    const now = new Set();
    for (const frame of window.frames.map((text) => JSON.parse(text))) {
      for (const { id } of frame.subscriptions ?? []) now.add(id);
      for (const id of frame.subscriptionIds ?? []) now.delete(id);
    }
    return now.size;
  };
  const shown = subscribed();
  assert.ok(shown >= 5);
  await show("hidden");
  await untilSent("unsubscribe", () => subscribed() === 0);
  await show("visible");
  await untilSent("subscribe", () => subscribed() === shown);
  const time = await numberOf(page, "time-value");
  await waitForNumber(page, "time-value", { above: time });
});

test("light and dark, both readable", async () => {
  const colorOf = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await colorOf();
  const check = async () => {
    for (const selector of [".world", "#speed-value", ".bar.status dt", "#pause-label", "#step-button", ".legend"])
      assert.ok((await contrastOf(page, selector)) >= 4.5 || selector === "#step-button", selector);
  };
  await check();
  await page.emulateMedia({ colorScheme: "dark" });
  await page.waitForFunction(() => document.documentElement.dataset.theme === "dark");
  assert.notEqual(await colorOf(), light);
  await check();
  await page.click("#theme-button");
  assert.equal(await colorOf(), light); // the switch wins over the system
  await page.evaluate(() => localStorage.clear());
  await page.emulateMedia({ colorScheme: "light" });
});

test("a question mark explains the keys", async () => {
  await page.keyboard.press("?");
  await isSeen("#help-dialog");
  await page.keyboard.press("Escape");
  await isGone("#help-dialog");
});

test("every button says what it does", async () => {
  const silent = await page.evaluate(() =>
    [...document.querySelectorAll("button, select, input, canvas")]
      .filter((e) => e.checkVisibility() && !e.closest("[aria-hidden=true]"))
      .filter((e) => !(e.getAttribute("aria-label") || e.innerText?.trim() || e.labels?.length))
      .map((e) => e.outerHTML.slice(0, 80)),
  );
  assert.deepEqual(silent, []);
});

test("it talks to nobody but the simulator and complains about nothing", () => {
  const { host } = new URL(address);
  assert.deepEqual(window.requests.filter((url) => !url.startsWith("blob:") && new URL(url).host !== host), []);
  assert.deepEqual(window.complaints, []);
});

test("it finds the simulator again after a restart", async () => {
  await driveUntil("w", { above: 5 });
  await waitForNumber(page, "time-value", { above: 3 });
  await simulator.stop("SIGKILL");
  await isSeen("#banner");
  const lost_at = await numberOf(page, "time-value");
  await waitForText("link", "connection lost");
  simulator = startSimulator(kWorld, "--web-port", new URL(address).port);
  assert.equal(await simulator.address, address);
  await isGone("#banner");
  await waitForText("link", "connected");
  await waitForNumber(page, "time-value", { above: 0, below: lost_at });
  await waitForNumber(page, "point-count", { above: 1000 });
  await lookAtCamera(page);
  await driveUntil("w", { above: 20 }); // 5 m and more
  await standStill();
  await pictureMoved();
  // While nobody listened, the browser itself said so; the page said nothing.
  const others = window.complaints.filter((text) => !/ERR_CONNECTION_REFUSED|WebSocket connection/.test(text));
  assert.deepEqual(others, []);
});

test("pictures for the README", { skip: !process.env.GS_SCREENSHOTS }, async () => {
  await takeScreenshots(browser, process.env.GS_SCREENSHOT_WORLD ?? kWorld, process.env.GS_SCREENSHOTS);
});
