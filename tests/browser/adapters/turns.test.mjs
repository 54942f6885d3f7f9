/**
 * The turns of a Service Worker's answers, the query that its options travel in, what it asks pages
 * for, and the chunk shapes that it keeps, in Node.
 */

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { askPages } from "../../../src/web/adapters/handed-options.js";
import { CachedShapes } from "../../../src/web/adapters/cached-shapes.js";
import { placed, queryOf, sourcesIn } from "../../../src/web/adapters/worker-query.js";
import { WorkerTurns } from "../../../src/web/adapters/worker-turns.js";

const settled = () => new Promise((done) => setImmediate(done));

/** Turns with pages that are open, and work that ends when it is told to. */
function begun(...pages) {
  const living = new Set(pages);
  const turns = new WorkerTurns(async () => living);
  const begun = [];
  const work = new Map();
  const run = (page, name) =>
    turns.run(page, (signal) => {
      begun.push(name);
      return new Promise((resolve, reject) => {
        work.set(name, resolve);
        signal.addEventListener("abort", () => reject(signal.reason));
      });
    });
  return { living, begun, run, end: (name) => work.get(name)(name) };
}

describe("turns", () => {
  test("32 run at a time, and then the newest", async () => {
    const { begun: order, run, end } = begun("page");
    const ends = Array.from({ length: 40 }, (_, nth) => run("page", nth));
    assert.deepEqual(order, Array.from({ length: 32 }, (_, nth) => nth));
    end(5);
    assert.equal(await ends[5], 5);
    await settled();
    assert.deepEqual(order.slice(32), [39]);
    end(39);
    await ends[39];
    await settled();
    assert.deepEqual(order.slice(32), [39, 38]);
  });

  test("a failure is the caller's, and frees its turn", async () => {
    const turns = new WorkerTurns(async () => new Set(["page"]));
    const failing = Array.from({ length: 32 }, () => turns.run("page", () => Promise.reject(new Error("broken"))));
    const last = turns.run("page", async () => "done");
    for (const one of failing) await assert.rejects(one, /broken/);
    assert.equal(await last, "done");
  });

  test("the oldest of more than 1024 that wait are dropped", async () => {
    const { begun: order, run } = begun("page");
    const ends = Array.from({ length: 32 + 1024 + 3 }, (_, nth) => run("page", nth));
    assert.deepEqual(await Promise.all([32, 33, 34].map((nth) => ends[nth])), [undefined, undefined, undefined]);
    const fourth = await Promise.race([ends[35], settled().then(() => "waits")]);
    assert.equal(fourth, "waits");
    assert.equal(order.length, 32);
  });

  test("work of pages that are gone is dropped, whether it waits or runs", async () => {
    const { living, begun: order, run, end } = begun("stays");
    const ends = Array.from({ length: 40 }, (_, nth) => run(nth % 2 === 0 ? "stays" : "gone", nth));
    living.delete("gone");
    for (const nth of [1, 3, 33, 35]) assert.equal(await ends[nth], undefined);
    end(0);
    assert.equal(await ends[0], 0);
    assert.ok(!order.includes(33) && order.includes(38));
  });
});

describe("what pages are asked for", () => {
  const place = { source: "https://host/a", scope: "https://page/a" };
  /** Pages that answer with a token, or with nothing, after some milliseconds, in the order of the worker's list. */
  const pages = (...answers) => ({
    matchAll: async () => answers.map(([id, token, ms]) => ({ id, postMessage: (_, [port]) => setTimeout(() => port.postMessage(token && { token }), ms) })),
  });

  test("the page whose options changed, then the one that waits, then all others", async () => {
    const both = pages(["old", "OLD", 1], ["new", "NEW", 5]);
    assert.deepEqual(await askPages(both, place, ["new", "old"]), { token: "NEW" });
    assert.deepEqual(await askPages(both, place, [undefined, "new"]), { token: "NEW" });
    assert.deepEqual(await askPages(both, place, ["gone", "old"]), { token: "OLD" });
    assert.deepEqual(await askPages(both, place), { token: "OLD" });
    assert.deepEqual(await askPages(pages(["none", undefined, 1], ["old", "OLD", 5]), place, ["none"]), { token: "OLD" });
  });

  test("no page, and pages without options, are a StoreError", async () => {
    const refusal = { name: "StoreError", message: /no open page handed over .*registerViews/ };
    await assert.rejects(askPages(pages(), place), refusal);
    await assert.rejects(askPages(pages(["none", undefined, 1]), place, ["none"]), refusal);
  });
});

describe("chunk shapes that are kept", () => {
  test("the opening that began last sets them, also where one before it ends after it", async () => {
    globalThis.caches = { open: async () => ({ match: async () => undefined, put: async () => {} }) };
    try {
      const looks = [];
      const shapes = new CachedShapes(new URL("https://page/sw.js"), () => new Promise((done) => looks.push(done))).of(0);
      const early = shapes.renew();
      while (looks.length < 1) await settled();
      const late = shapes.renew();
      while (looks.length < 2) await settled();
      looks[1](new Set());
      const newer = await late;
      newer.set("t2m", [1, 2]);
      looks[0](new Set());
      const older = await early;
      older.set("t2m", [3, 3]);
      assert.deepEqual(newer.get("t2m"), [1, 2]);
      newer.set("wind", [4, 8]);
      assert.deepEqual(newer.get("wind"), [4, 8]);
      await settled();
    } finally {
      delete globalThis.caches;
    }
  });

  test("each source has its own, which the opening of another does not clear, also after a restart", async () => {
    const stored = new Map();
    globalThis.caches = { open: async () => ({ match: async (key) => stored.get(String(key))?.clone(), put: async (key, value) => stored.set(String(key), value) }) };
    try {
      const begin = () => new CachedShapes(new URL("https://page/sw.js?source=a&source=a&as=&as=uint8"), async () => new Set(["page"]));
      const first = begin();
      const [one, other] = [first.of(0), first.of(1)];
      const early = await one.renew();
      early.set("t2m", [1, 2]);
      const beside = await other.renew();
      beside.set("t2m", [4, 8]);
      assert.deepEqual([early.get("t2m"), beside.get("t2m")], [[1, 2], [4, 8]]);
      await Promise.all([one.tell("page"), other.tell("gone")]);
      // Views of an opening before the last one are those of answers that nobody gets.
      const late = await one.renew();
      early.set("t2m", [3, 3]);
      assert.deepEqual(late.get("t2m"), [1, 2]);
      await settled();
      const again = begin();
      const [kept, forgotten] = await Promise.all([again.of(0).renew(), again.of(1).renew()]);
      assert.deepEqual([kept.get("t2m"), forgotten.get("t2m")], [[1, 2], undefined]);
    } finally {
      delete globalThis.caches;
    }
  });
});

describe("the worker's query", () => {
  test("holds the options that it can, each with its own source", () => {
    const sources = [
      { source: "https://host/a b.zarr", as: { "in/x": "float32" }, missingStatuses: [403, 404], geozarr: true, headers: [["x-token", "secret"]] },
      { source: "https://host/b", scope: "https://page/shown/b", dimensions: ["…", "y", "x"], chunkShape: [1, 256, 256], decode: false, cacheBytes: 0, zarrFormat: 2, retries: 1 },
      { source: "https://host/c", branch: "main", as: "uint8", chunkShape: { "": [5] }, times: "labels", decode: "cf" },
    ];
    const { query, handed } = queryOf(sources);
    assert.ok(!String(query).includes("secret"));
    assert.deepEqual(handed, [{ headers: [["x-token", "secret"]] }, { retries: 1 }, {}]);
    const [a, b, c] = sources.map((source) => Object.fromEntries(Object.entries(source).filter(([name]) => !["headers", "retries"].includes(name))));
    assert.deepEqual(sourcesIn(`?${query}`), [{ ...a, scope: undefined, handed: true }, { ...b, handed: true }, { ...c, scope: undefined }]);
    const { query: single } = queryOf([sources[1]]);
    assert.deepEqual(sourcesIn(`?${single}`), [{ ...b, handed: true }]);
  });

  test("holds lists as they are: empty ones, names with commas and spaces, typed arrays", () => {
    const back = (options) => {
      const { source, scope, ...found } = sourcesIn(`?${queryOf([{ source: "a", ...options }]).query}`)[0];
      assert.deepEqual([source, scope], ["a", undefined]);
      return found;
    };
    for (const options of [{ missingStatuses: [] }, { dimensions: [] }, { dimensions: ["a,b", "…"] }, { dimensions: [" a", "b "] }, { dimensions: ["[t", "x"] }, { dimensions: [""] }, { dimensions: ["x y", "z"] }]) {
      assert.deepEqual(back(options), options);
    }
    assert.deepEqual(back({ chunkShape: Int32Array.of(1, 256) }), { chunkShape: [1, 256] });
    assert.deepEqual(back({ chunkShape: { "in/x": Int32Array.of(2, 3) } }), { chunkShape: { "in/x": [2, 3] } });
    assert.equal(queryOf([{ source: "a", dimensions: ["…", "y"], missingStatuses: [403, 404] }]).query.get("missingStatuses"), "403,404");
  });

  test("a text that is no JSON is the fault of its source", () => {
    const [one, other] = sourcesIn('?source=a&source=b&as={bad&as=&chunkShape=&chunkShape=[1,');
    assert.match(one.faults.join(), /^the parameter as .*\{bad$/);
    assert.match(other.faults.join(), /^the parameter chunkShape .*\[1,$/);
  });

  test("and so is one that is no number, or neither true nor false", () => {
    const wrong = { missingStatuses: ["403,x", "403,,404", "[403,null]"], chunkShape: ["1,many", "1,NaN"], cacheBytes: ["64MiB", "NaN"], zarrFormat: ["v2"], geozarr: ["yes"] };
    for (const [name, texts] of Object.entries(wrong)) {
      for (const text of texts) {
        const { source, scope, faults, ...options } = sourcesIn(`?source=a&${name}=${text}`)[0];
        assert.deepEqual([source, scope, options, faults.length], ["a", undefined, {}, 1], text);
        assert.ok(faults[0].startsWith(`the parameter ${name} of`) && faults[0].endsWith(`; it is ${text}`), faults[0]);
      }
    }
    assert.equal(sourcesIn("?source=a&cacheBytes=Infinity")[0].cacheBytes, Infinity);
  });

  test("all faults of a source are told together", () => {
    const query = "?source=http://[&scope=http://[x&as={bad&cacheBytes=NaN&zarrFormat=3";
    const { fault, place, url, ...options } = placed(sourcesIn(query)[0], "https://page/sw.js");
    assert.deepEqual([place, url, options], [undefined, undefined, { zarrFormat: 3 }]);
    assert.deepEqual([...fault.matchAll(/the parameter (\w+) /g)].map(([, name]) => name), ["source", "scope", "as", "cacheBytes"]);
    const { fault: none, ...right } = placed(sourcesIn("?source=a")[0], "https://page/sw.js");
    assert.deepEqual([none, String(right.place)], [undefined, "https://page/a"]);
    const alone = placed(sourcesIn("?source=http://[")[0], "https://page/sw.js");
    assert.equal(alone.fault.match(/the parameter/g).length, 1);
  });

  test("a parameter that is there once counts for all sources", () => {
    const found = sourcesIn("?source=a&source=b&chunkShape=1,2&tag=&tag=v1");
    assert.deepEqual(found, [{ source: "a", scope: undefined, chunkShape: [1, 2] }, { source: "b", scope: undefined, chunkShape: [1, 2], tag: "v1" }]);
  });
});
