/** Stores of Icechunk's package for JavaScript, as npm has it, are sources as they are. In Node: its WebAssembly has threads. */

import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";

import { compareEntry } from "../support/compare.mjs";
import { FIXTURES, PACKAGE, oracle } from "../support/paths.mjs";

const { Group, RectilinearArray } = await import(pathToFileURL(join(PACKAGE, "node.js")));
const { Repository, Storage } = createRequire(import.meta.url)("@earthmover/icechunk-wasm32-wasi");

/** Arrays of each kind. Icechunk 2.2 takes no grid with a bare integer for an axis. */
const KINDS = ["rectilinear-lists", "rectilinear-runs", "sharded-rectilinear", "sharded-index-start", "int64-rectilinear", "float16-rectilinear"];
const entries = await oracle("index.json");
const kinds = KINDS.map((name) => entries.find((entry) => entry.name === name));

describe("a store of Icechunk's package", () => {
  let store;
  before(async () => {
    const repository = await Repository.create(await Storage.newInMemory());
    const session = await repository.writableSession("main");
    await session.store.set("zarr.json", new TextEncoder().encode(JSON.stringify({ zarr_format: 3, node_type: "group", attributes: { from: "Icechunk" } })));
    for (const { name, path } of kinds) {
      for (const file of await readdir(join(FIXTURES, path), { recursive: true, withFileTypes: true })) {
        if (!file.isFile()) continue;
        const at = join(file.parentPath, file.name);
        await session.store.set(`${name}${at.slice(join(FIXTURES, path).length)}`, new Uint8Array(await readFile(at)));
      }
    }
    await session.commit("Arrays of the oracle");
    ({ store } = await repository.readonlySession({ branch: "main" }));
  });

  test("its groups", async () => {
    const group = await Group.open(store);
    assert.deepEqual(group.attrs, { from: "Icechunk" });
    await assert.rejects(group.array("nowhere"), { name: "NotFoundError" });
  });

  for (const entry of kinds) {
    test(`${entry.name}: ${entry.about}`, async () => {
      const bytes = await readFile(join(FIXTURES, entry.expected));
      assert.deepEqual(await compareEntry(RectilinearArray, store, { ...entry, arrayPath: entry.name }, bytes), []);
    });
  }
});
