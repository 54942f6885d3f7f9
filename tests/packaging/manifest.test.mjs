/** The manifest: what it exports, that npm would publish it, and that the changes ship. Its types are checked in `types.test.mjs`. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { promisify } from "node:util";

import { PACKAGE } from "../browser/support/paths.mjs";

const run = promisify(execFile);
const manifest = JSON.parse(await readFile(join(PACKAGE, "package.json"), "utf8"));

/** Exports of each entry that is JavaScript: more is a promise, less a break. */
const EXPORTS = {
  ".": ["ChunkGrid", "Group", "RectilinearArray", "codecs", "decoder", "slice"],
  "./inline": ["ChunkGrid", "Group", "RectilinearArray", "codecs", "decoder", "slice"],
  "./stores": ["directoryStore", "zipStore"],
  "./levels": ["Levels", "scene"],
  "./adapters": ["asRegularStore", "fetchHandler", "registerViews", "toZarrita"],
  "./access": ["azure", "gcs", "list", "planetary", "s3"],
  "./stac": ["stac"],
  "./answers": ["reduce", "series", "zonal"],
  "./sparse": ["ragged", "sparse", "table"],
  "./healpix": ["healpix"],
  "./worker": ["codecs", "decoder"],
};

// The entry for workers listens for messages, which Node does not have.
globalThis.addEventListener ??= () => {};

describe("the manifest", () => {
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
    for (const name of ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE", "THIRD-PARTY-NOTICES"]) assert.ok(packed.has(`./${name}`), name);
  });

  test("tools that do not know exports find the same files, and their types", async () => {
    for (const [entry, target] of Object.entries(manifest.exports)) {
      const name = entry.slice("./".length);
      if (!target.default?.endsWith(".js") || entry === ".") continue;
      assert.equal(target.default, `./${name}.js`);
      assert.ok((await readFile(join(PACKAGE, `${name}.d.ts`), "utf8")).length > 0, entry);
    }
  });

  test("the notices name what is compiled in, with its licence", async () => {
    const notices = await readFile(join(PACKAGE, "THIRD-PARTY-NOTICES"), "utf8");
    for (const [name, text] of [["snap", "Redistribution and use in source and binary forms"], ["foldhash", "Altered source versions must be plainly marked"], ["libbz2-rs-sys", "Julian"], ["wasm-bindgen", "Permission is hereby granted"]]) {
      const part = notices.split(/\n-{80}\n/).find((part) => new RegExp(`^${name} \\d`, "m").test(part));
      assert.ok(part?.includes(text), name);
    }
  });

  test("the changes that ship have this version on top, and no link to a file that does not ship", async () => {
    const changes = await readFile(join(PACKAGE, "CHANGELOG.md"), "utf8");
    assert.match(changes, /^\s*# Changes\n/);
    const [, latest] = /^## (\S+?),? /m.exec(changes) ?? [];
    assert.equal(latest, manifest.version);
    assert.deepEqual(changes.match(/\]\((?!https:)[^)]*\)/g), null);
  });
});
