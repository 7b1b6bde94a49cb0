// SPDX-License-Identifier: Apache-2.0
// The pictures of the README: a world that is driven, light and dark, and a person at the wheel.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { firstPictureMs, openWindow, waitForNumber } from "./browser.mjs";
import { startSimulator } from "./program.mjs";

async function showMap(page) {
  await page.click(".layers summary");
  const points = page.waitForResponse((response) => response.url().endsWith("/api/points"));
  await page.check("input[data-layer=map]");
  await (await points).finished();
  await page.click(".layers summary");
  await page.waitForSelector("#scene-stage[data-drawn=true]");
}

export async function takeScreenshots(browser, world, folder) {
  await mkdir(folder, { recursive: true });
  const simulator = startSimulator(world, "--web-port", "0");
  try {
    const address = await simulator.address;
    for (const colorScheme of ["light", "dark"]) {
      const { page } = await openWindow(browser, { colorScheme });
      await page.goto(address);
      await firstPictureMs(page);
      await page.keyboard.press("r");
      await showMap(page);
      await page.keyboard.down("w");
      await waitForNumber(page, "speed-value", { above: 20 });
      await page.screenshot({ path: join(folder, `page_${colorScheme}.png`) });
      await page.click("#view-buttons [data-view=top]");
      await waitForNumber(page, "speed-value", { above: 24 });
      await page.screenshot({ path: join(folder, `page_${colorScheme}_top.png`) });
      await page.keyboard.up("w");
      await page.context().close();
    }
  } finally {
    await simulator.stop();
  }
}
