/** Programs of ../viewers for pages, bundled from npm packages, each as an entry of its own. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "vite";

import { openPage } from "./chromium.mjs";
import { SUPPORT } from "./paths.mjs";

/** Opens a page as `openPage` does, with the viewers of these names as `/viewers/<name>.js`. */
export async function openViewers(names, roots = {}, options) {
  const viewers = await built(names);
  const page = await openPage({ "/viewers": viewers.directory, ...roots }, options);
  const close = async () => {
    await page.close();
    await viewers.remove();
  };
  return { ...page, close };
}

/** Opens a page with zarrita, the adapters and the comparison helpers as globals. */
export async function openZarrita(roots) {
  const page = await openViewers(["zarrita"], roots);
  await page.run(async () => {
    const [zarr, adapters, support] = await Promise.all([
      import("/viewers/zarrita.js"),
      import("rectilinear-zarr/adapters"),
      import("/support/regular.mjs"),
    ]);
    Object.assign(globalThis, { zarr, ...adapters, ...support });
  });
  return page;
}

/** Builds the viewers of these names in a directory, as `<name>.js`; `remove` deletes the directory. */
async function built(names) {
  const directory = await mkdtemp(join(tmpdir(), "rectilinear-viewers-"));
  await build({
    root: join(SUPPORT, "../viewers"),
    configFile: false,
    logLevel: "error",
    build: {
      outDir: directory,
      // The page's import map resolves the package under test.
      rollupOptions: {
        input: names.map((name) => join(SUPPORT, `../viewers/${name}.mjs`)),
        external: /^rectilinear-zarr/,
        preserveEntrySignatures: "strict",
        output: { entryFileNames: "[name].js", chunkFileNames: "[name]-[hash].js" },
      },
    },
  });
  return { directory, remove: () => rm(directory, { recursive: true, force: true }) };
}
