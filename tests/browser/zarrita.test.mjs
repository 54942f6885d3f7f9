/** zarrita's stores are sources as they are, and so is a Map. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { FetchStore } from "zarrita";

import { compareEntry } from "./support/compare.mjs";
import { FIXTURES, PACKAGE, oracle } from "./support/paths.mjs";
import { startSite } from "./support/server.mjs";

const { RectilinearArray } = await import(pathToFileURL(join(PACKAGE, "node.js")));
const entries = await oracle("index.json");

describe("zarrita's stores", () => {
  let site;
  before(async () => (site = await startSite()));
  after(() => site?.close());

  for (const name of ["rectilinear-mixed", "pattern-months", "scalar-default", "fill-nan", "in-a-group", "keys-v2-dot"]) {
    const entry = entries.find((entry) => entry.name === name);
    test(`FetchStore: ${name}`, async () => {
      const bytes = await readFile(join(FIXTURES, entry.expected));
      const store = new FetchStore(`${site.url}/data/${entry.path}`);
      assert.deepEqual(await compareEntry(RectilinearArray, store, entry, bytes), []);
    });
  }

  test("a Map is a store", async () => {
    const files = await Promise.all(
      ["zarr.json", "c/0/0"].map(async (key) => [`/${key}`, await readFile(join(FIXTURES, "int8-regular.zarr", key))]),
    );
    const array = await RectilinearArray.open(new Map(files));
    assert.deepEqual((await array.get([null, 0])).shape, [7]);
  });
});
