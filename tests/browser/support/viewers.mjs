/** The programs in ../viewers for pages: as a user's bundler makes them of npm's packages, each an entry of its own. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "vite";

import { SUPPORT } from "./paths.mjs";

/** Build the viewers of these names into a directory, whose files are `<name>.js`; `remove` deletes it. */
export async function builtViewers(...names) {
  const directory = await mkdtemp(join(tmpdir(), "rectilinear-viewers-"));
  await build({
    root: join(SUPPORT, "../viewers"),
    configFile: false,
    logLevel: "error",
    build: {
      outDir: directory,
      // The package under test is what the page finds by its name.
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
