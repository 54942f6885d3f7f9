/** Values that several reads want at once are asked for once; an abort drops what nobody else wants, and nothing else. */

import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";

import { gate, on, status } from "../support/faults.mjs";
import { startNetwork, until } from "../support/network.mjs";
import { written } from "../support/written.mjs";

const ARRAYS = {
  plain: { shape: [64, 64], chunks: [16, 16], gzip: true },
  sharded: { shape: [64, 64], chunks: [64, 64], inner: [16, 16], gzip: true },
};

describe("shared requests", () => {
  let network;
  let near;
  before(async () => {
    const files = new Map(Object.entries(ARRAYS).flatMap(([name, layout]) => [...written(name, layout)]));
    network = await startNetwork(files);
    ({ near } = network);
    // `start` begins a read under a name; `end` is its value, or "reason" if it rejected with its signal's own reason.
    await network.run(async ({ RectilinearArray }) => {
      const reads = new Map();
      globalThis.opened = async (name, options) => (globalThis.array = await RectilinearArray.open(`/near/${name}`, options));
      globalThis.start = (name, selection, method = "get") => {
        const controller = new AbortController();
        const reading = globalThis.array[method](selection, { signal: controller.signal });
        const value = reading.then(
          (region) => region.data[0],
          (error) => (error === controller.signal.reason && controller.signal.aborted ? "reason" : String(error)),
        );
        reads.set(name, { controller, value });
      };
      globalThis.abort = (name) => reads.get(name).controller.abort(new Error(name));
      globalThis.end = (name) => reads.get(name).value;
    });
  });
  afterEach(() => network.settle());
  after(() => network?.close());

  const open = (name, options) => network.run((_, [name, options]) => globalThis.opened(name, options).then(() => null), [name, options]);
  const start = (...reads) => network.run((_, reads) => reads.forEach((read) => globalThis.start(...read)), reads);
  const abort = (...names) => network.run((_, names) => names.forEach((name) => globalThis.abort(name)), names);
  const end = (...names) => network.run((_, names) => Promise.all(names.map((name) => globalThis.end(name))), names);
  const aborted = () => near.log.filter(({ aborted }) => aborted).length;

  for (const [name, requests] of [["plain", 1], ["sharded", 2]]) {
    test(`${name}: ten reads of one chunk at once ask for it once`, async () => {
      await open(name);
      const names = Array.from({ length: 10 }, (_, nth) => `read ${nth}`);
      await start(...names.map((read, nth) => [read, [17, 17 + nth]]));
      assert.deepEqual(await end(...names), names.map((_, nth) => 17 * 64 + 17 + nth));
      assert.equal(near.asked().length, requests);
    });

    test(`${name}: one of two readers leaves, the other gets its value, and nothing is aborted`, async () => {
      const held = gate();
      near.rules = [on(/\/c\//, held)];
      await open(name);
      await start(["stays", [0, 1]], ["leaves", [0, 2]]);
      await until(() => held.held === 1);
      await abort("leaves");
      assert.deepEqual(await end("leaves"), ["reason"]);
      held.open();
      assert.deepEqual(await end("stays"), [1]);
      assert.deepEqual([aborted(), near.asked().length], [0, requests]);
    });

    test(`${name}: the one who asked first leaves, and the other still gets its value`, async () => {
      const held = gate();
      near.rules = [on(/\/c\//, held)];
      await open(name);
      await start(["first", [0, 1]], ["second", [0, 2]]);
      await until(() => held.held === 1);
      await abort("first");
      held.open();
      assert.deepEqual(await end("first", "second"), ["reason", 2]);
      assert.deepEqual([aborted(), near.asked().length], [0, requests]);
    });

    test(`${name}: all leave, and the request is aborted`, async () => {
      const held = gate();
      near.rules = [on(/\/c\//, held)];
      await open(name);
      await start(["one", [0, 1]], ["two", [0, 2]]);
      await until(() => held.held === 1);
      await abort("one", "two");
      assert.deepEqual(await end("one", "two"), ["reason", "reason"]);
      await until(() => aborted() === 1);
      held.open();
      near.rules = [];
      await start(["again", [0, 3]]);
      assert.deepEqual(await end("again"), [3]);
    });
  }

  test("joined ranges: the reader of one leaves, the others' part still comes", async () => {
    await open("sharded");
    await start(["index", [0, 0]]);
    await end("index");
    near.log = [];
    const held = gate();
    near.rules = [on(/\/c\//, held)];
    await start(["left", [20, 0]], ["middle", [20, 20]], ["right", [20, 40]]);
    await until(() => held.held === 1);
    await abort("left", "middle");
    held.open();
    assert.deepEqual(await end("left", "middle", "right"), ["reason", "reason", 20 * 64 + 40]);
    assert.deepEqual([aborted(), near.asked().length], [0, 1]);
  });

  test("what waits in the queue is dropped with its reader, and never asked for", async () => {
    const held = gate();
    near.rules = [on(/\/c\//, held)];
    await open("plain", { concurrency: 2 });
    await start(["all", null]);
    await until(() => held.held === 2);
    await abort("all");
    assert.deepEqual(await end("all"), ["reason"]);
    await until(() => aborted() === 2);
    held.open();
    near.rules = [];
    await start(["one", [63, 63]]);
    assert.deepEqual(await end("one"), [63 * 64 + 63]);
    assert.deepEqual(near.asked().slice(2), [["all", "c/3/3"]]);
  });

  test("an abort while a repetition is waited for ends at once, and nothing more is asked", async () => {
    near.rules = [on(/\/c\//, status(503, { "Retry-After": "40" }))];
    await open("plain");
    await start(["waits", [0, 0]]);
    await until(() => near.asked().length === 1);
    await abort("waits");
    const since = Date.now();
    assert.deepEqual(await end("waits"), ["reason"]);
    assert.ok(Date.now() - since < 20_000);
    near.rules = [];
    await start(["again", [0, 0]]);
    assert.deepEqual(await end("again"), [0]);
    assert.equal(near.asked().length, 2);
  });

  test("a failure is told to all who wait, and then forgotten", async () => {
    near.rules = [on(/\/c\//, status(403))];
    await open("plain");
    await start(["one", [0, 1]], ["two", [0, 2]]);
    for (const value of await end("one", "two")) assert.match(value, /403/);
    assert.equal(near.asked().length, 1);
    near.rules = [];
    await start(["three", [0, 3]]);
    assert.deepEqual(await end("three"), [3]);
  });

  test("nothing was thrown outside a promise", () => assert.deepEqual(network.page.errors, []));
});
