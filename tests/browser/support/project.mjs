/** A user's project: the package, packed by npm and installed from the tarball, without a network. */

import { execFile } from "node:child_process";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import { PACKAGE, ZIP_JS } from "./paths.mjs";

const run = promisify(execFile);

/** Packs pkg/ and installs it in a new directory that has `files`; `remove` deletes the directory. */
export async function installed(files = {}) {
  const directory = await mkdtemp(join(tmpdir(), "rectilinear-zarr-"));
  const { stdout } = await run("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", directory], { cwd: PACKAGE });
  const [{ filename }] = JSON.parse(stdout);
  // The dependency is installed from a folder, because there is no network.
  const dependencies = { "rectilinear-zarr": `file:./${filename}`, "@zip.js/zip.js": `file:${ZIP_JS}` };
  const manifest = { name: "a-user", private: true, type: "module", dependencies };
  await writeFile(join(directory, "package.json"), JSON.stringify(manifest));
  for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text);
  const flags = ["--offline", "--no-audit", "--no-fund", "--ignore-scripts", "--no-package-lock"];
  await run("npm", ["install", ...flags], { cwd: directory });
  return {
    directory,
    copy: (from, to) => cp(from, join(directory, to), { recursive: true }),
    remove: () => rm(directory, { recursive: true, force: true }),
  };
}
