/** Modules of `src/web` for Node, which the package has inside of other files. */
import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import * as esbuild from "esbuild";

import { ROOT } from "./paths.mjs";

const WEB = join(ROOT, "src/web");

/** Imports are paths of the flat package. The mark of a build is written by the build. */
const flat = {
  name: "flat",
  setup(build) {
    const files = new Map(readdirSync(WEB, { recursive: true }).map((path) => [basename(path), join(WEB, path)]));
    build.onResolve({ filter: /^\.\// }, ({ path }) => (files.has(basename(path)) ? { path: files.get(basename(path)) } : { path, namespace: "built" }));
    build.onLoad({ filter: /./, namespace: "built" }, () => ({ contents: "module.exports = {};" }));
  },
};

/** Imports a module of `src/web` by its name. */
export async function sourceOf(name) {
  const entry = `export * from "./${name}";`;
  const { outputFiles } = await esbuild.build({ stdin: { contents: entry }, bundle: true, format: "esm", platform: "node", write: false, logLevel: "error", plugins: [flat] });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}
