/** Series at a place: what each part knows, which chunks it asks for, budgets, aborts, places by label and index, errors. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createSecureServer } from "node:http2";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, describe, test } from "node:test";

import { launch, openPage } from "../support/chromium.mjs";
import { FaultyHost, gate, on, slow } from "../support/faults.mjs";
import { imported } from "../support/in-node.mjs";
import { startNetwork, until } from "../support/network.mjs";
import { written } from "../support/written.mjs";

const NAMES = ["time", "lat", "lon"];
const LAYOUTS = {
  days: { shape: [400, 4, 6], chunks: [1, 2, 3], gzip: true },
  plain: { shape: [400, 4, 6], chunks: [3, 4, 6] },
  shards: { shape: [400, 4, 6], chunks: [48, 4, 6], inner: [2, 2, 3], gzip: true },
};

/** Lengths of the chunks along time of a rectilinear array. */
const EDGES = Array.from({ length: 80 }, (_, i) => 1 + (i % 9));
const UNEVEN = [EDGES.reduce((sum, edge) => sum + edge, 0), 4, 6];

const json = (value) => Buffer.from(JSON.stringify(value));

/** A one-dimensional array of float64 in one chunk. */
function line(name, numbers, attributes) {
  const document = { zarr_format: 3, node_type: "array", shape: [numbers.length], data_type: "float64", fill_value: 0, dimension_names: [name], attributes, chunk_grid: { name: "regular", configuration: { chunk_shape: [numbers.length] } }, chunk_key_encoding: { name: "default" }, codecs: [{ name: "bytes", configuration: { endian: "little" } }] };
  return [[`/${name}/zarr.json`, json(document)], [`/${name}/c/0`, Buffer.from(Float64Array.from(numbers).buffer)]];
}

/** Files of a group: coordinates, and arrays whose items are their places in C order. */
function filesOf(layouts, times) {
  const files = new Map([["/zarr.json", json({ zarr_format: 3, node_type: "group" })]]);
  for (const [name, layout] of Object.entries(layouts)) {
    for (const [path, bytes] of written(name, layout)) files.set(path, bytes);
    const document = JSON.parse(files.get(`/${name}/zarr.json`));
    files.set(`/${name}/zarr.json`, json({ ...document, dimension_names: NAMES, attributes: { coordinates: "" } }));
  }
  for (const [path, bytes] of [...line("time", Array.from({ length: times }, (_, i) => i), { units: "days since 2024-01-01" }), ...line("lat", [10, 20, 30, 40], { units: "degrees_north" }), ...line("lon", [0, 60, 120, 180, 240, 300], { units: "degrees_east" })]) files.set(path, bytes);
  return files;
}

/** A rectilinear array of int32, with chunks of different lengths along time, and of 3 and 1 along lat. */
function unevenFiles() {
  const chunk_shapes = [EDGES, [3, 1], [6]];
  const document = JSON.parse(filesOf({ uneven: { shape: [1, 1, 1], chunks: [1, 1, 1] } }, 1).get("/uneven/zarr.json"));
  const files = new Map([["/uneven/zarr.json", json({ ...document, shape: UNEVEN, chunk_grid: { name: "rectilinear", configuration: { kind: "inline", chunk_shapes } } })]]);
  let time = 0;
  EDGES.forEach((edge, nth) => {
    for (const [row, [from, to]] of [[0, 3], [3, 4]].entries()) {
      const items = [];
      for (let t = time; t < time + edge; t++) for (let y = from; y < to; y++) for (let x = 0; x < 6; x++) items.push(t * 24 + y * 6 + x);
      files.set(`/uneven/c/${nth}/${row}/0`, Buffer.from(Int32Array.from(items).buffer));
    }
    time += edge;
  });
  return files;
}

describe("series", () => {
  let network;
  let near;
  before(async () => {
    const files = new Map([...filesOf(LAYOUTS, 400), ...unevenFiles()]);
    network = await startNetwork(files);
    ({ near } = network);
    // Runs a series to its end: what each part has, and what went wrong.
    await network.run(async ({ RectilinearArray, Group }) => {
      const { series } = await import("rectilinear-zarr/answers");
      globalThis.group = await Group.open("/near");
      globalThis.open = (name, options) => (options ? RectilinearArray.open(`/near/${name}`, options) : globalThis.group.array(name));
      globalThis.summary = ({ data, known, share, requests, bytes, exact, shape, dimensions }) => ({ kind: data.constructor.name, data: Array.from(data, (value) => (Number.isNaN(value) ? null : Number(value))), known: Array.from(known), share, requests, bytes, exact, shape, dimensions });
      globalThis.series = series;
    });
  });
  afterEach(() => network.settle());
  after(() => network?.close());

  /** Parts of a series. */
  const parts = (name, place, options = {}) =>
    network.run(async (_, { name, place, options }) => {
      const array = await globalThis.open(name, { cacheBytes: 0, coalesceGap: 0 });
      const found = [];
      for await (const part of globalThis.series(array, place, options)) found.push(globalThis.summary(part));
      const whole = (await array.get(place)).data;
      array.free();
      return { found, whole: Array.from(whole, Number) };
    }, { name, place, options });

  /** Requests for chunks of an array so far, as key and range. */
  const asked = (name) => near.log.filter(({ path, method }) => method === "GET" && path.startsWith(`/${name}/c/`)).map(({ path, range }) => `${path} ${range ?? ""}`);

  for (const [name, chunks, perChunk] of [["days", 400, 1], ["plain", 134, 3], ["uneven", 80, 9], ["shards", 200, 2]]) {
    test(`${name}: parts are exact where they are known, and end with what get gives`, async () => {
      const length = name === "uneven" ? UNEVEN[0] : 400;
      const { found, whole } = await parts(name, [null, 2, 4]);
      const right = Array.from({ length }, (_, time) => time * 24 + 2 * 6 + 4);
      assert.deepEqual(whole, right);
      for (const { data, known, share, shape, dimensions, kind } of found) {
        assert.deepEqual([kind, shape, dimensions], ["Float64Array", [length], ["time"]]);
        assert.deepEqual(data, right.map((value, i) => (known[i] ? value : null)));
        assert.ok(Math.abs(share - known.reduce((sum, is) => sum + is, 0) / length) < 1e-12);
      }
      const [first, last] = [found[0], found.at(-1)];
      // One round: chunks from end to end.
      assert.ok(first.known[0] && first.known[length - 1] && !first.exact, `${first.share}`);
      assert.ok(first.share <= (17 * perChunk) / length && first.share >= 8 / chunks, `${first.share}`);
      const gaps = first.known.join("").split(/1+/).map((gap) => gap.length);
      assert.ok(Math.max(...gaps) <= length / 7, `${gaps}`);
      assert.deepEqual(last.data, right);
      assert.deepEqual([last.share, last.exact], [1, true]);
      const shares = found.map(({ share }) => share);
      assert.deepEqual(shares, [...new Set(shares)].sort((a, b) => a - b), "each part knows more");
    });
  }

  test("each chunk is asked for once, and requests and bytes are those of the host", async () => {
    for (const name of ["days", "uneven"]) {
      const found = await network.run(async (_, name) => {
        const array = await globalThis.open(name, { cacheBytes: 0 });
        const found = [];
        for await (const part of globalThis.series(array, [null, 1, 1])) found.push(globalThis.summary(part));
        return found;
      }, name);
      const all = asked(name);
      assert.equal(new Set(all).size, all.length);
      assert.ok(all.length > 50 && all.length === found.at(-1).requests, `${all.length}, ${found.at(-1).requests}`);
      const sent = near.log.filter(({ path }) => path.startsWith(`/${name}/c/`)).reduce((sum, { sent }) => sum + sent, 0);
      assert.equal(found.at(-1).bytes, sent);
      assert.ok(found[0].requests <= 17);
      await network.settle();
    }
  });

  test("a budget of requests or bytes ends it, with what is known spread over the whole length", async () => {
    for (const [name, budget] of [["days", { requests: 70 }], ["days", { bytes: 4000 }], ["shards", { requests: 60 }], ["uneven", { requests: 1 }], ["plain", { bytes: 10 }]]) {
      const { found } = await network.run(async (_, { name, budget }) => {
        const array = await globalThis.open(name, { cacheBytes: 0, coalesceGap: 0 });
        const found = [];
        for await (const part of globalThis.series(array, [null, 1, 1], { budget })) found.push(globalThis.summary(part));
        return { found };
      }, { name, budget });
      const what = `${name} ${JSON.stringify(budget)}`;
      const last = found.at(-1);
      const all = asked(name);
      assert.ok(all.length <= (budget.requests ?? Infinity) && all.length > 0, `${what}: ${all.length}`);
      assert.ok(last.requests <= (budget.requests ?? Infinity) && last.requests >= all.length, `${what}: ${last.requests}`);
      // The first chunk is read in any case.
      if (last.share > 0.01) assert.ok(last.bytes <= (budget.bytes ?? Infinity), `${what}: ${last.bytes}`);
      assert.equal(last.exact, false, what);
      assert.ok(last.share > 0, what);
      if (budget.requests === 70) assert.ok(Math.max(...last.known.join("").split(/1+/).map((gap) => gap.length)) <= 20, what);
      await network.settle();
    }
  });

  test("places are looked up by label, longitudes around the globe, and ranges along the axis", async () => {
    const found = await network.run(async () => {
      const days = await globalThis.open("days");
      const last = async (place, options) => {
        let part;
        for await (part of globalThis.series(days, place, options));
        return { values: Array.from(part.data).slice(0, 3), length: part.data.length, coordinates: { ...part.coordinates, time: part.coordinates.time.slice(0, 2) }, exact: part.exact };
      };
      const plan = await globalThis.series(days, { lat: 31, lon: 60 }).plan();
      return {
        nearest: await last({ lat: 21.4, lon: -58 }),
        range: await last({ time: { start: "2024-02", stop: "2024-03" }, lat: 40, lon: 0 }),
        month: await last({ time: "2024-03", lat: 40, lon: 0 }),
        by: (await globalThis.series(days, { time: "2024-01-03", lat: 10 }, { along: "lon" }).next()).value,
        plan,
      };
    });
    assert.deepEqual(found.nearest, { values: [6 + 5, 24 + 11, 48 + 11], length: 400, coordinates: { lat: 20, lon: 300, time: ["2024-01-01T00:00:00", "2024-01-02T00:00:00"] }, exact: true });
    assert.deepEqual(found.range, { values: [31 * 24 + 18, 32 * 24 + 18, 33 * 24 + 18], length: 60, coordinates: { lat: 40, lon: 0, time: ["2024-02-01T00:00:00", "2024-02-02T00:00:00"] }, exact: true });
    assert.deepEqual([found.month.values[0], found.month.length], [60 * 24 + 18, 31]);
    assert.deepEqual([found.by.dimensions, Object.values(found.by.data), found.by.exact], [["lon"], [48, 49, 50, 51, 52, 53], true]);
    assert.deepEqual([found.by.coordinates.time, found.by.coordinates.lat, Object.values(found.by.coordinates.lon)], ["2024-01-03T00:00:00", 10, [0, 60, 120, 180, 240, 300]]);
    assert.deepEqual(found.plan, { selection: [{ start: 0, stop: 400, step: null }, 2, 1], bytes: 1600, chunks: 400, storedChunks: 400, requests: 400 });
  });

  const inFlight = () => near.log.filter(({ path, end }) => path.startsWith("/days/c/") && end === undefined).length;

  test("an abort rejects with its reason and ends all requests", async () => {
    const held = gate();
    await network.run(async () => {
      const array = await globalThis.open("days", { cacheBytes: 0 });
      globalThis.controller = new AbortController();
      globalThis.reading = globalThis.series(array, [null, 1, 1], { signal: globalThis.controller.signal });
      await globalThis.reading.next();
    });
    near.rules = [on(/days\/c\//, held)];
    await network.run(() => void (globalThis.ended = globalThis.reading.next().then(() => "a part", ({ message }) => message)));
    await until(() => held.held > 3);
    assert.equal(await network.run(() => (globalThis.controller.abort(new Error("enough")), globalThis.ended)), "enough");
    await until(() => inFlight() === 0);
    // The browser may have passed on requests of this batch that waited for a connection, and there is no further batch.
    const { length } = near.log;
    await new Promise((done) => setTimeout(done, 200));
    assert.equal(near.log.length, length, "no request came after the abort");
    assert.equal(near.log.filter(({ aborted }) => aborted).length, held.held);
    assert.ok(held.held <= 13, `${held.held} requests`);
    held.open();
  });

  test("a series that is left while its next part is waited for ends at once, with its requests", async () => {
    for (const isFirst of [true, false]) {
      await network.run(async (_, isFirst) => {
        const array = await globalThis.open("days", { cacheBytes: 0 });
        globalThis.reading = globalThis.series(array, [null, 1, 1]);
        if (!isFirst) await globalThis.reading.next();
      }, isFirst);
      const held = gate();
      near.rules = [on(/days\/c\//, held)];
      await network.run(() => void (globalThis.waiting = globalThis.reading.next().catch(({ message }) => message)));
      await until(() => held.held > 3);
      const ended = await network.run(async () => {
        const late = new Promise((done) => setTimeout(done, 3000, "late"));
        const left = globalThis.reading.return();
        return [await Promise.race([globalThis.waiting, late]), await Promise.race([left, late]), await globalThis.reading.next()];
      });
      assert.deepEqual(ended, [{ done: true }, { done: true }, { done: true }]);
      await until(() => inFlight() === 0);
      assert.ok(near.log.filter(({ aborted }) => aborted).length >= held.held);
      held.open();
      near.rules = [];
      await network.settle();
    }
  });

  test("a batch that takes long shows what came of it, and leaving the loop ends its requests", async () => {
    await network.run(async () => {
      const array = await globalThis.open("days", { cacheBytes: 0 });
      globalThis.reading = globalThis.series(array, [null, 1, 1]);
      globalThis.share = (await globalThis.reading.next()).value.share;
    });
    const held = gate();
    let count = 0;
    near.rules = [on(/days\/c\//, (exchange) => (++count > 3 ? held : slow(400))(exchange))];
    const [before, after] = await network.run(async () => {
      for await (const { share } of globalThis.reading) return [globalThis.share, share];
    });
    assert.ok(after > before && after <= before + 3 / 400 + 1e-12, `${before}, ${after}`);
    await until(() => inFlight() === 0);
    assert.ok(near.log.filter(({ aborted }) => aborted).length > 0);
    held.open();
  });

  test("mistakes are named", async () => {
    const told = await network.run(async () => {
      const days = await globalThis.open("days");
      const next = (...all) => globalThis.series(...all).next();
      const calls = {
        leaves: () => next(days, { lat: 10 }),
        nothing: () => next(days, [0, 0, 0]),
        along: () => next(days, [null, 0, 0], { along: "depth" }),
        dropped: () => next(days, [null, 0, 0], { along: "lat" }),
        other: () => next(days, [null, null, 0], { along: "time" }),
        step: () => next(days, [{ start: 0, stop: 100, step: 2 }, 0, 0]),
        list: () => next(days, [[0, 2, 1, 3], 0, 0]),
        place: () => next(days, 7),
        dimension: () => next(days, { latitude: 10, lon: 0 }),
        outside: () => next(days, [null, 9, 0]),
        far: () => next(days, { lat: 70, lon: 0 }, { tolerance: 5 }),
        exact: () => next(days, { lat: 11, lon: 0 }, { method: "nothing" }),
        budget: () => next(days, [null, 0, 0], { budget: { requests: 0 } }),
        bytes: () => next(days, [null, 0, 0], { budget: { bytes: "1 MB" } }),
        unknown: () => next(days, [null, 0, 0], { budget: { request: 3 } }),
        option: () => next(days, [null, 0, 0], { budgets: 3 }),
        array: () => next({}, [null, 0, 0]),
        plan: () => globalThis.series(days, { lat: 10 }).plan(),
      };
      const told = {};
      for (const [name, call] of Object.entries(calls)) told[name] = await call().then(() => "nothing", ({ name, message }) => `${name}: ${message}`);
      return told;
    });
    const expected = {
      leaves: /SelectionError: series: the place leaves time, lon; give all of these but one/,
      nothing: /SelectionError: series: the place has an index along each of time, lat, lon; leave out/,
      along: /SelectionError: series: the option along: there is no axis "depth"/,
      dropped: /SelectionError: series: the place has an index along lat, the axis of the series; leave it out/,
      other: /SelectionError: series: the place leaves lat; give each of these/,
      step: /SelectionError: series: along time, the place must be a range with step 1/,
      list: /SelectionError: series: along time, the place must be a range with step 1/,
      place: /SelectionError: series: the place is an object of labels/,
      dimension: /SelectionError: selection: there is no dimension "latitude"/,
      outside: /SelectionError: .*9/,
      far: /SelectionError: selection on axis 1 \(lat\): there is no label 70/,
      exact: /TypeError: the option method is one of/,
      budget: /SelectionError: series: budget.requests must be a number from 1 up/,
      bytes: /SelectionError: series: budget.bytes must be/,
      unknown: /TypeError: budget has no option request; it has requests, bytes/,
      option: /TypeError: series has no option budgets/,
      array: /TypeError: series expects an opened array/,
      plan: /SelectionError: series: the place leaves time, lon/,
    };
    for (const [name, pattern] of Object.entries(expected)) assert.match(told[name], pattern, name);
  });
});

/** Files of a series of 1,500 chunks. */
const many = () => filesOf({ days: { shape: [1500, 2, 2], chunks: [1, 2, 2] } }, 1500);

/** The same series by references of kerchunk to its files. */
function referred(files) {
  const refs = Object.fromEntries(Array.from(files, ([path, bytes]) => [path.slice(1), path.includes("/c/") ? [path.slice(1)] : bytes.toString()]));
  return new Map([...files, ["/refs.json", json({ version: 1, refs })]]);
}

for (const [kind, open] of [["a store", (RectilinearArray, url) => RectilinearArray.open(`${url}/days`, { cacheBytes: 0 })], ["a virtual store", (RectilinearArray, url) => RectilinearArray.open(`${url}/refs.json`, { path: "days", format: "kerchunk", cacheBytes: 0 })]]) test(`more requests are in flight to ${kind} where the throughput grows with them, and as many as before when the series ends`, async () => {
  const host = new FaultyHost(referred(many()));
  host.rules = [slow(150)];
  const origin = await host.listen();
  try {
    // Node opens as many connections as it needs, and tells no protocol.
    const [{ RectilinearArray }, { series }] = await Promise.all([imported("node.js"), imported("answers.js")]);
    const array = await open(RectilinearArray, origin.url);
    host.log = [];
    let last;
    for await (last of series(array, [null, 1, 1], { budget: { requests: Infinity } }));
    assert.ok(last.exact);
    assert.deepEqual(Array.from(last.data), Array.from({ length: 1500 }, (_, time) => 4 * time + 3));
    const during = FaultyHost.most(host.log);
    assert.ok(during > 24 && during <= 96, `${during} in flight`);
    host.log = [];
    await array.get([null, 0, 0]);
    assert.equal(FaultyHost.most(host.log), 24);
    array.free();
  } finally {
    await origin.close();
  }
});

describe("a host of HTTP/2", () => {
  let [folder, server, page] = [];
  const seen = { open: 0, most: 0 };
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "rectilinear-h2-"));
    const [key, cert] = ["key.pem", "cert.pem"].map((name) => join(folder, name));
    execFileSync("openssl", ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", "/CN=localhost", "-keyout", key, "-out", cert], { stdio: "ignore" });
    const files = many();
    server = createSecureServer({ key: readFileSync(key), cert: readFileSync(cert), settings: { maxConcurrentStreams: 200 } });
    server.on("stream", (stream, headers) => {
      const bytes = files.get(headers[":path"]);
      const isChunk = headers[":path"].includes("/days/c/");
      if (isChunk) seen.most = Math.max(seen.most, ++seen.open);
      stream.on("close", () => isChunk && seen.open--);
      const answer = () => {
        if (stream.destroyed) return;
        stream.respond({ ":status": bytes ? 200 : 404, "access-control-allow-origin": "*", ...(seen.tells && { "timing-allow-origin": "*" }), "cache-control": "no-store" });
        stream.end(bytes);
      };
      setTimeout(answer, 250); // as long as a busy machine takes to send them all
    });
    await new Promise((done) => server.listen(0, "127.0.0.1", done));
    page = await openPage({}, { browse: () => launch({ flags: ["--ignore-certificate-errors"] }) });
  });
  after(async () => {
    await page?.close();
    server?.close();
    if (folder) rmSync(folder, { recursive: true });
  });

  for (const tells of [true, false]) {
    test(`gets more requests at once, ${tells ? "as the browser tells its protocol" : "as its throughput shows"}`, async () => {
      Object.assign(seen, { most: 0, tells });
      const counts = await page.run(async ({ RectilinearArray }, url) => {
        const { series } = await import("rectilinear-zarr/answers");
        const array = await RectilinearArray.open(url, { cacheBytes: 0 });
        const counts = [];
        for await (const { requests } of series(array, [null, 1, 1], { budget: { requests: 1200 } })) counts.push(requests);
        return counts;
      }, `https://127.0.0.1:${server.address().port}/days`);
      assert.deepEqual([counts[0], counts.at(-1)], [13, 1200]);
      assert.ok(seen.most > 24 && seen.most <= 96, `${seen.most} in flight`);
    });
  }
});
