/** neuroglancer for pages: its program and its workers, bundled with the data sources that a test needs. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";

import { ROOT, SUPPORT } from "./paths.mjs";

const LIB = join(ROOT, "tests/node_modules/neuroglancer/lib");

/** Kinds of data and layers that are left in; all others need programs of their own to build. */
const KEPT = ["datasource:none_by_default", "datasource/zarr:enabled", "kvstore:none_by_default", "kvstore/http:enabled", "layer:none_by_default", "layer/image:enabled"];

/** Empty icons: neuroglancer's are in a git repository, which no npm registry has. */
const icons = {
  name: "icons",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^ikonate\/.*\?raw$/ }, ({ path }) => ({ path, namespace: "icons" }));
    onLoad({ filter: /./, namespace: "icons" }, () => ({ contents: '<svg xmlns="http://www.w3.org/2000/svg"/>', loader: "text" }));
  },
};

/** Bundles neuroglancer in a directory: `lib/neuroglancer.js`, and its workers where it looks for them. */
export async function builtNeuroglancer() {
  const directory = await mkdtemp(join(tmpdir(), "rectilinear-neuroglancer-"));
  await build({
    entryPoints: {
      "lib/neuroglancer": join(SUPPORT, "../viewers/neuroglancer.js"),
      "lib/chunk_worker.bundle": join(LIB, "chunk_worker.bundle.js"),
      "async_computation.bundle": join(LIB, "async_computation.bundle.js"),
    },
    outdir: directory,
    bundle: true,
    format: "esm",
    logLevel: "error",
    conditions: KEPT.map((name) => `neuroglancer/${name}`),
    loader: { ".wasm": "file" },
    plugins: [icons],
    minify: true,
  });
  return { directory, remove: () => rm(directory, { recursive: true, force: true }) };
}
