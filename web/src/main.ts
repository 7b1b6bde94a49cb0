// SPDX-License-Identifier: Apache-2.0
// Asks the server what it is, and shows the page for it.
import { byId, setText } from "./dom";
import { Scene } from "./scene/scene";
import { SimulationPage } from "./simulation_page";
import { startTheme } from "./theme";
import { startViewPage } from "./view_page";
import { fetchSession, type Session } from "./world_data";

const kRetryMs = 1000;

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

startTheme();
const session = await untilAnswered();
document.body.dataset["mode"] = session.mode;
const scene = createScene();
if (session.mode === "view") await startViewPage(session, scene);
else new SimulationPage(session, scene);
