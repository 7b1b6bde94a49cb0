// SPDX-License-Identifier: Apache-2.0
// The buttons in the corners of the scene: view and layers.
import { byId } from "./dom";
import { onChoice } from "./layout";
import type { PointColoring } from "./scene/points";
import type { LayerName, Scene } from "./scene/scene";
import type { ViewMode } from "./scene/view_camera";
import { fetchMapPoints } from "./world_data";

export function startSceneControls(scene: Scene, onLayers: () => void): void {
  onChoice(byId("view-buttons"), "view", (view) => scene.view.setMode(view as ViewMode));
  const menu = byId("layer-menu");
  menu.addEventListener("change", (event) => {
    const box = event.target as HTMLInputElement;
    const layer = box.dataset["layer"] as LayerName | undefined;
    if (!layer) return;
    scene.show(layer, box.checked);
    if (layer === "map" && box.checked) void showMapPoints(scene);
    onLayers();
  });
  const coloring = byId<HTMLSelectElement>("coloring-select");
  coloring.addEventListener("change", () => scene.colorBy(coloring.value as PointColoring));
  const layers = menu.closest("details")!;
  document.addEventListener("pointerdown", (event) => {
    if (!layers.contains(event.target as Node)) layers.open = false;
  });
}

export function isLayerShown(name: LayerName): boolean {
  return document.querySelector<HTMLInputElement>(`input[data-layer="${name}"]`)?.checked ?? true;
}

// Megabytes that only those fetch who look at them.
export async function showMapPoints(scene: Scene): Promise<void> {
  const points = await fetchMapPoints();
  if (points) scene.setMapPoints(points);
}
