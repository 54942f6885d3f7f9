// Builds the page into dist/, where any static host can serve it from any folder.
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  base: "./",
  appType: "mpa", // an absent chunk must answer 404, not the page
  resolve: { alias: { "rectilinear-zarr": here("../pkg/index.js") } },
  server: { fs: { allow: [here("."), here("../pkg")] } },
  build: { target: "es2022", assetsInlineLimit: 0 },
});
