/** The manifest: what publint and are-the-types-wrong say of it, what it exports, and that npm would publish it. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { promisify } from "node:util";
import { publint } from "publint";

import { PACKAGE, ROOT } from "../browser/support/paths.mjs";

const run = promisify(execFile);
const manifest = JSON.parse(await readFile(join(PACKAGE, "package.json"), "utf8"));

/** What each entry that is JavaScript exports: more is a promise, less a break. */
const EXPORTS = {
  ".": ["ChunkGrid", "Group", "RectilinearArray", "slice"],
  "./inline": ["ChunkGrid", "Group", "RectilinearArray", "slice"],
  "./stores": ["directoryStore", "zipStore"],
  "./adapters": ["asRegularStore", "fetchHandler", "toZarrita"],
};

describe("the manifest", () => {
  test("publint finds nothing", async () => {
    const { messages } = await publint({ pkgDir: PACKAGE, strict: true });
    assert.deepEqual(messages, []);
  });

  test("are-the-types-wrong finds nothing", async () => {
    // CommonJS is not offered, and what is not JavaScript has no types.
    const modules = Object.keys(manifest.exports).filter((entry) => entry.endsWith(".wasm"));
    const args = ["--pack", PACKAGE, "--profile", "esm-only", "--exclude-entrypoints", ...modules.map((entry) => entry.slice(2))];
    await run(join(ROOT, "tests/node_modules/.bin/attw"), args);
  });

  test("exports what it did", async () => {
    const found = {};
    for (const [entry, target] of Object.entries(manifest.exports)) {
      if (!target.default?.endsWith(".js")) continue;
      for (const file of new Set([target.default, target.node ?? target.default])) {
        const names = Object.keys(await import(join(PACKAGE, file))).sort();
        assert.deepEqual(names, (found[entry] ??= names), `${file} exports what its twins do`);
      }
    }
    assert.deepEqual(found, EXPORTS);
  });

  test("npm would publish it, with what it exports in it", async () => {
    await run("npm", ["publish", "--dry-run", "--ignore-scripts"], { cwd: PACKAGE });
    const { stdout } = await run("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], { cwd: PACKAGE });
    const [{ files }] = JSON.parse(stdout);
    const packed = new Set(files.map(({ path }) => `./${path}`));
    const targets = Object.values(manifest.exports).flatMap((target) => (typeof target === "string" ? target : Object.values(target)));
    assert.deepEqual(targets.filter((target) => !packed.has(target)), []);
    for (const name of ["README.md", "LICENSE-MIT", "LICENSE-APACHE"]) assert.ok(packed.has(`./${name}`), name);
  });
});
