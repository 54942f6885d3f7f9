// Builds the pages into dist/, where any static host can serve them from any folder.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

import { answersCompressed, beginnings, compressed, early, first, shaken } from "./site.js";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** The benchmark's page says of what it measured. */
const versionOf = (manifest) => JSON.parse(readFileSync(here(manifest), "utf8")).version;
process.env.VITE_OURS = versionOf("../pkg/package.json");
process.env.VITE_ZARRITA = versionOf("node_modules/zarrita/package.json");

/** Prints the documentation's address below the explorer's. */
const documentation = {
  name: "documentation",
  configurePreviewServer(server) {
    const print = server.printUrls.bind(server);
    server.printUrls = () => {
      print();
      for (const url of server.resolvedUrls.local) server.config.logger.info(`  ➜  Docs:    ${url}api/`);
    };
  },
};

export default defineConfig({
  plugins: [documentation, shaken, first, early, compressed, answersCompressed],
  base: "./",
  appType: "mpa", // an absent chunk must answer 404, not the page
  resolve: {
    alias: [
      { find: /^rectilinear-zarr$/, replacement: here("../pkg/index.js") },
      { find: /^rectilinear-zarr\/answers$/, replacement: here("../pkg/answers.js") },
      { find: /^rectilinear-zarr\/stac$/, replacement: here("../pkg/stac.js") },
      { find: /^rectilinear-zarr\/access$/, replacement: here("../pkg/access.js") },
      { find: /^rectilinear-zarr\/stores$/, replacement: here("../pkg/stores.js") },
      { find: /^rectilinear-zarr\/healpix$/, replacement: here("../pkg/healpix.js") },
      { find: /^rectilinear-zarr\/levels$/, replacement: here("../pkg/levels.js") },
      { find: /^@zip\.js\/zip\.js\//, replacement: here("node_modules/@zip.js/zip.js/") }, // which the package depends on
    ],
  },
  server: { fs: { allow: [here("."), here("../pkg")] } },
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false }, // browsers without it load the same a little later, and the others one file less
    chunkSizeWarningLimit: 800, // the codecs of zarrita, which the benchmark loads
    rolldownOptions: { input: ["index.html", "bench.html"].map(here), output: { codeSplitting: { groups: beginnings } } },
  },
});
