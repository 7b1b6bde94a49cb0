// SPDX-License-Identifier: Apache-2.0
// Asks the server what it is, and shows the page for it.
import { byId, setText } from "./dom";
import { Scene } from "./scene/scene";
import { SimulationPage } from "./simulation_page";
import { startTheme } from "./theme";
import { startViewPage } from "./view_page";
import { fetchSession, type Session } from "./world_data";

const kRetryMs = 1000;
const kLongestWaitMs = 800;

async function untilAnswered(): Promise<Session> {
  for (;;) {
    try {
      return await fetchSession();
    } catch {
      setText(byId("link"), "waiting for the simulator");
      await new Promise((resolve) => window.setTimeout(resolve, kRetryMs));
    }
  }
}

// A browser without WebGL still shows cameras and drives.
function createScene(): Scene | undefined {
  try {
    return new Scene(byId("scene-stage"));
  } catch {
    byId("scene-empty").hidden = false;
    return undefined;
  }
}

// WebGL takes its time to start, above all without a GPU. The first picture goes before.
function firstPictureOrSoon(): Promise<void> {
  return new Promise((resolve) => {
    new PerformanceObserver((list) => {
      if (list.getEntriesByName("first-picture").length > 0) resolve();
    }).observe({ entryTypes: ["mark"] });
    window.setTimeout(resolve, kLongestWaitMs);
  });
}

startTheme();
const session = await untilAnswered();
document.body.dataset["mode"] = session.mode;
if (session.mode === "view") {
  await startViewPage(session, createScene());
} else {
  const page = new SimulationPage(session);
  await firstPictureOrSoon();
  const scene = createScene();
  if (scene) page.attachScene(scene);
}
