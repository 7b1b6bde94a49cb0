// SPDX-License-Identifier: Apache-2.0
// One module of the page as a module of Node.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "vite";

export async function load(module) {
  const folder = await mkdtemp(join(tmpdir(), "gs-web-"));
  try {
    await build({
      configFile: false,
      logLevel: "error",
      build: {
        outDir: folder,
        minify: false,
        copyPublicDir: false,
        lib: {
          entry: fileURLToPath(new URL(`../src/${module}.ts`, import.meta.url)),
          formats: ["es"],
          fileName: () => "module.mjs",
        },
      },
    });
    return await import(pathToFileURL(join(folder, "module.mjs")).href);
  } finally {
    await rm(folder, { recursive: true });
  }
}
