// SPDX-License-Identifier: Apache-2.0
import { defineConfig } from "vite";

const kSimulator = process.env["GS_SIMULATOR"] ?? "http://127.0.0.1:8765";

// Relative paths: the page works wherever its files are served from. `npm run dev` shows it from its
// sources, beside a simulator that runs (GS_SIMULATOR names another address).
export default defineConfig({
  base: "./",
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: false,
    chunkSizeWarningLimit: 1500,
    // The same names in every build: the simulator embeds the files by name and never caches them.
    rollupOptions: {
      output: { entryFileNames: "page.js", chunkFileNames: "[name].js", assetFileNames: "page[extname]" },
    },
  },
  server: { proxy: { "/api": kSimulator, "/ws": { target: kSimulator, ws: true } } },
});
