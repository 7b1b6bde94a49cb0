// SPDX-License-Identifier: Apache-2.0
// The pictures of the README: a world along its recorded path, and with a person at the wheel.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { firstPictureMs, openWindow, waitForNumber } from "./browser.mjs";
import { Program, startSimulator } from "../program.mjs";

async function open(browser, address, colorScheme) {
  const { page } = await openWindow(browser, { colorScheme });
  const points = page.waitForResponse((response) => response.url().endsWith("/api/points"));
  await page.goto(`${address}?quality=full`);
  await firstPictureMs(page);
  await (await points).finished();
  return page;
}

async function save(page, folder, name) {
  await page.waitForSelector("#scene-stage[data-drawn=true]");
  await page.screenshot({ path: join(folder, `${name}.jpg`), type: "jpeg", quality: 85 });
}

async function takeDrive(browser, address, folder, colorScheme) {
  const page = await open(browser, address, colorScheme);
  await page.keyboard.press("r");
  await waitForNumber(page, "time-value", { above: 3, below: 8 });
  await save(page, folder, `follow_${colorScheme}`);
  await page.keyboard.down("w");
  await waitForNumber(page, "speed-value", { above: 30 });
  await save(page, folder, `drive_${colorScheme}`);
  await page.keyboard.up("w");
  await page.click("#view-buttons [data-view=top]");
  await save(page, folder, `top_${colorScheme}`);
  await page.context().close();
}

async function takeView(browser, world, folder) {
  const viewer = new Program("gs-inspect", ["view", world, "--port", "0"]);
  try {
    const page = await open(browser, await viewer.address, "light");
    await page.locator("#along-slider").fill("20");
    await page.locator("#beside-slider").fill("1.5");
    await page.locator("#beside-slider").blur();
    await page.waitForSelector("#flight-stage[data-fine=true]");
    await save(page, folder, "view_light");
    await page.context().close();
  } finally {
    await viewer.stop();
  }
}

// The world must hold its recorded path.
export async function takeScreenshots(browser, world, folder) {
  await mkdir(folder, { recursive: true });
  const simulator = startSimulator(world, "--web-port", "0", "--follow", "recorded", "--loop");
  try {
    for (const colorScheme of ["light", "dark"])
      await takeDrive(browser, await simulator.address, folder, colorScheme);
  } finally {
    await simulator.stop();
  }
  await takeView(browser, world, folder);
}
