/** Calls leave nothing behind in WebAssembly: no slot of the table of JavaScript values, and no memory. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { launch, openPage } from "../support/chromium.mjs";
import { recordInstances } from "../support/instances.mjs";

/** Calls of each method in each form, after as many as the caches and the allocator need to settle. */
const CALLS = 2500;
const SETTLING = 600;

describe("what calls leave behind", () => {
  let page;
  // All calls are one call into the page, which a busy machine takes minutes for.
  before(async () => (page = await openPage({}, { browse: () => launch({ patience: 900_000, alone: true }), before: recordInstances })));
  after(() => page?.close());

  /** How the table and the memory grow by calls of each method, without options and with them. */
  const growths = () =>
    page.run(
      async ({ Group, RectilinearArray }, { CALLS, SETTLING }) => {
        const array = (shape, names, attributes = {}) => ({
          zarr_format: 3,
          node_type: "array",
          shape,
          data_type: "float32",
          chunk_grid: { name: "regular", configuration: { chunk_shape: shape.map(() => 2) } },
          chunk_key_encoding: { name: "default" },
          codecs: [{ name: "bytes", configuration: { endian: "little" } }],
          fill_value: 0,
          dimension_names: names,
          attributes,
        });
        const metadata = { v: array([4, 4], ["t", "x"]), t: array([4], ["t"], { units: "days since 2024-01-01" }), x: array([4], ["x"]) };
        const inside = { kind: "inline", must_understand: false, metadata };
        const documents = { "": { zarr_format: 3, node_type: "group", consolidated_metadata: inside }, ...metadata };
        const store = new Map();
        for (const [path, document] of Object.entries(documents)) {
          store.set(`/${path}${path && "/"}zarr.json`, new TextEncoder().encode(JSON.stringify(document)));
        }
        for (const name of ["t", "x"]) [0, 1].forEach((i) => store.set(`/${name}/c/${i}`, new Uint8Array(Float32Array.of(2 * i, 2 * i + 1).buffer)));

        const group = await Group.open(store, { workers: 0 });
        const [v, t] = await Promise.all(["v", "t"].map((path) => group.array(path)));
        const { chunkGrid } = v;
        const properties = (object) => {
          for (let at = Object.getPrototypeOf(object); at !== Object.prototype; at = Object.getPrototypeOf(at)) {
            for (const [name, { get }] of Object.entries(Object.getOwnPropertyDescriptors(at))) if (get) object[name];
          }
        };
        const rejected = async (promise) => {
          const { name } = await promise.then(() => ({}), (error) => error);
          if (name !== "UnsupportedError") throw new Error(`expected an UnsupportedError, got ${name}`);
        };
        const freeing = async (opening) => (await opening).free();
        const iterate = async (stream) => {
          for await (const part of stream) if (!part) throw new Error("no part");
        };
        const boom = () => {
          throw new Error("thrown by the test");
        };
        const failing = (call) => async () => {
          const error = await Promise.resolve().then(call).then(() => undefined, (thrown) => thrown);
          if (!error) throw new Error("expected an error");
        };
        const references = { version: 1, refs: { ".zgroup": '{"zarr_format":2}' } };
        for (const [name, url] of [["a", "https://host.test/x"], ["b", "https://[bad/x"]]) {
          Object.assign(references.refs, { [`${name}/zarr.json`]: JSON.stringify(array([4], ["x"])), [`${name}/c/0`]: [url, 0, 8] });
        }
        const fetch = async () => new Response(JSON.stringify(references));
        const resolveUrl = (url) => (url.includes("bad") ? undefined : boom());
        const referred = (path) => RectilinearArray.open("https://host.test/r.json", { path, fetch, resolveUrl, workers: 0 });
        const [resolved, bad] = await Promise.all(["a", "b"].map(referred));
        // What a listener throws is told as an unhandled rejection.
        addEventListener("unhandledrejection", (event) => event.preventDefault());
        const none = {};
        const { signal } = new AbortController();
        const calls = {
          "RectilinearArray.open": [() => freeing(RectilinearArray.open(store, undefined).catch(() => group.array("v")))],
          "RectilinearArray.open with a path": [() => freeing(RectilinearArray.open(store, { path: "v" }))],
          "RectilinearArray.concat": [() => freeing(RectilinearArray.concat([v, v], 0))],
          "Group.open": [() => freeing(Group.open(store)), () => freeing(Group.open(store, none))],
          array: [() => freeing(group.array("v")), () => freeing(group.array("v", none))],
          group: [() => freeing(group.group("")), () => freeing(group.group("", none))],
          coordinates: [async () => Object.values(await group.coordinates("v")).forEach((each) => each.free())],
          tree: [() => group.tree()],
          snapshots: [() => rejected(group.snapshots())],
          refs: [() => rejected(group.refs())],
          get: [() => v.get(), () => v.get([0, null], none), () => v.get([0, null], { signal })],
          getChunk: [() => v.getChunk([0, 1]), () => v.getChunk([0, 1], none)],
          getPoints: [() => v.getPoints([[0, 1]]), () => v.getPoints([[0, 1]], none)],
          prefetch: [() => v.prefetch(), () => v.prefetch([0], none)],
          plan: [() => v.plan(), () => v.plan([0])],
          stream: [() => iterate(v.stream()), () => iterate(v.stream([0], none))],
          sel: [() => v.sel({ x: 2 }), () => v.sel({ x: 2 }, none)],
          decodeTime: [() => t.decodeTime(), () => t.decodeTime(null, none)],
          refresh: [() => v.refresh(), () => v.refresh(none)],
          "properties of an array": [() => properties(v)],
          "properties of a group": [() => properties(group)],
          "options whose getter throws": [failing(() => v.get(null, { get as() { return boom(); } }))],
          "an onProgress that throws": [failing(() => v.get(null, { onProgress: boom }))],
          "a resolveUrl that throws": [failing(() => resolved.get())],
          "references to what is no URL": [failing(() => bad.get())],
          "a store whose get throws": [failing(() => RectilinearArray.open({ get: boom }))],
          "a source that is no URL": [failing(() => RectilinearArray.open("https://[bad/x"))],
          "headers that are none": [failing(() => RectilinearArray.open("https://host.test/x", { fetch, headers: { "a b": "c" } }))],
          "a URL with a password": [failing(() => RectilinearArray.open("https://u:p@host.test/x", { fetch, retries: 0 }))],
          "an onRequest that throws": [failing(() => RectilinearArray.open("https://host.test/x", { fetch: async () => new Response(null, { status: 404 }), onRequest: boom }))],
          "a chunk grid": [() => (chunkGrid.runs(0), chunkGrid.chunkAt([0, 3]), chunkGrid.bounds([1, 1]), properties(chunkGrid))],
        };

        const [{ memory, ...exports }] = globalThis.instances;
        const [table] = Object.values(exports).filter((each) => each instanceof WebAssembly.Table && each.length > 1000);
        const found = [];
        for (const [method, forms] of Object.entries(calls)) {
          for (const [nth, call] of forms.entries()) {
            for (let i = 0; i < SETTLING; i++) await call();
            const before = [table.length, memory.buffer.byteLength];
            for (let i = 0; i < CALLS; i++) await call();
            found.push({ call: `${method}, ${nth}`, slots: table.length - before[0], bytes: memory.buffer.byteLength - before[1] });
          }
        }
        return found;
      },
      { CALLS, SETTLING },
    );

  test("a hundred thousand calls of all methods leave no slot and no byte", async () => {
    const found = await growths();
    assert.ok(found.length * (CALLS + SETTLING) >= 100_000, `${found.length} forms of calls`);
    assert.deepEqual(found.filter(({ slots, bytes }) => slots !== 0 || bytes !== 0), []);
  });
});
