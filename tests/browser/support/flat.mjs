/** Imports of single source files of `src/web`, whose imports are paths of the flat package. */

import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

import { ROOT } from "./paths.mjs";

/** Imports a file of `src/web` by its name, with copies of the files that it imports, by theirs. */
export async function flat(...names) {
  const folder = mkdtempSync(join(tmpdir(), "flat-"));
  try {
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    const sources = readdirSync(join(ROOT, "src/web"), { recursive: true }).filter((path) => names.includes(basename(path)));
    for (const path of sources) cpSync(join(ROOT, "src/web", path), join(folder, basename(path)));
    return await import(join(folder, names[0]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
