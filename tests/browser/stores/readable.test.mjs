/** Arrays of the oracle out of a Map, all in Node and one of each kind in a page: any store with a `get` will do. */

import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";

import { chosen } from "../support/chosen.mjs";
import { openPage } from "../support/chromium.mjs";
import { startNode } from "../support/in-node.mjs";
import { FIXTURES, oracle } from "../support/paths.mjs";

const entries = await oracle("index.json");
const few = await chosen(entries);

/** The files of a fixture, as keys without the leading slash. */
async function keysOf(entry) {
  const found = await readdir(join(FIXTURES, entry.path), { recursive: true, withFileTypes: true });
  const root = join(FIXTURES, entry.path);
  return found.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name).slice(root.length + 1));
}

/** In a page or in Node: what is wrong with an array out of a store of its files, and out of their Map. */
async function readOutOfMap({ RectilinearArray, support }, { entry, files, bytes }) {
  const failures = [];
  // A Map itself is read past the queue.
  for (const store of [support.mapStore(files), files]) {
    failures.push(...(await support.compareEntry(RectilinearArray, store, entry, bytes)));
  }
  return failures;
}

describe("arrays in a Map, in Node", () => {
  let node;
  before(async () => (node = await startNode()));

  for (const entry of entries) {
    test(entry.name, async () => {
      const read = async (path) => new Uint8Array(await readFile(join(FIXTURES, path)));
      const files = new Map();
      for (const key of await keysOf(entry)) files.set(`/${key}`, await read(join(entry.path, key)));
      assert.deepEqual(await node.run(readOutOfMap, { entry, files, bytes: await read(entry.expected) }), []);
    });
  }
});

describe("arrays in a Map", () => {
  let page;
  before(async () => (page = await openPage()));
  after(() => page?.close());

  for (const entry of few) {
    test(entry.name, async () => {
      const failures = await page.run(
        `async (zarr, { entry, keys }) => {
          const bytes = new Uint8Array(await (await fetch(\`/data/\${entry.expected}\`)).arrayBuffer());
          const files = await zarr.support.fetchFiles(\`/data/\${entry.path}\`, keys);
          return (${readOutOfMap})(zarr, { entry, files, bytes });
        }`,
        { entry, keys: await keysOf(entry) },
      );
      assert.deepEqual(failures, []);
    });
  }

  test("a store may answer without a promise", async () => {
    const data = await page.run(async ({ RectilinearArray, support }) => {
      const files = await support.fetchFiles("/data/int8-regular.zarr", ["zarr.json", "c/0/0"]);
      const array = await RectilinearArray.open({ get: (key) => files.get(key) });
      const region = await array.get([0, { start: 0, stop: 2, step: null }]);
      return region.data.length;
    });
    assert.equal(data, 2);
  });

  test("a store that throws rejects with a StoreError naming the key", async () => {
    const error = await page.run(async ({ RectilinearArray, support }) => {
      const files = await support.fetchFiles("/data/int8-regular.zarr", ["zarr.json"]);
      const get = (key) => {
        if (key === "/zarr.json") return files.get(key);
        throw new Error("the disk is on fire");
      };
      const array = await RectilinearArray.open({ get });
      return support.rejection(() => array.get([0, 0]));
    });
    assert.equal(error.name, "StoreError");
    assert.match(error.key, /c\/0\/0$/);
    assert.match(error.message, /the disk is on fire/);
  });

  test("values that were transferred are chunks without bytes, by name, and no read hangs", async () => {
    const found = await page.run(async ({ RectilinearArray, support }) => {
      const { gzipped } = await import("/support/gzipped.mjs");
      const store = await gzipped(2, 1 << 12);
      const transferred = new Uint8Array(8);
      structuredClone(transferred.buffer, { transfer: [transferred.buffer] });
      const errors = [];
      for (const value of [transferred, transferred.buffer]) {
        const map = new Map([...store, ["/c/1", value]]);
        for (const source of [map, { get: (key) => map.get(key) }]) {
          const array = await RectilinearArray.open(source, { workers: 0 });
          errors.push((await support.rejection(() => array.get())).message);
        }
      }
      return errors;
    });
    assert.equal(found.length, 4);
    for (const message of found) assert.match(message, /chunk \[1\] .* got 0 bytes/);
  });

  test("an abort reaches the store and rejects with its reason", async () => {
    const same = await page.run(async ({ RectilinearArray, support }) => {
      const files = await support.fetchFiles("/data/int8-regular.zarr", ["zarr.json"]);
      let early, late;
      const get = (key, options) => {
        if (key === "/zarr.json") return files.get(key);
        // As stores pass it on: by name, in options of their own, or in options that stand for these.
        const signals = () => [
          options.signal,
          { ...options }.signal,
          Object.create(options).signal,
          Object.defineProperties({}, Object.getOwnPropertyDescriptors(options)).signal,
          new Proxy(options, {}).signal,
        ];
        if (early) late = signals;
        else early = signals();
        return new Promise(() => {});
      };
      const array = await RectilinearArray.open({ get });
      const controller = new AbortController();
      const reason = new Error("enough");
      const pending = array.get(null, { signal: controller.signal });
      setTimeout(() => controller.abort(reason), 20);
      const thrown = await pending.catch((error) => error);
      const areAborted = (signals) => signals.every((signal) => signal === signals[0] && signal.aborted);
      return { reason: thrown === reason, early: areAborted(early), late: areAborted(late()) };
    });
    assert.deepEqual(same, { reason: true, early: true, late: true });
  });
});
