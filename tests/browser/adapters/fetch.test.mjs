/** `fetchHandler` in place of `fetch`: for zarrita's FetchStore, and as a host that keeps the rules of HTTP. */

import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";

import { FaultyHost, gate, on, status } from "../support/faults.mjs";
import { until } from "../support/network.mjs";
import { oracle } from "../support/paths.mjs";
import { openZarrita } from "../support/viewers.mjs";
import { written } from "../support/written.mjs";

const months = (await oracle("index.json")).find(({ name }) => name === "pattern-months");
const inGroup = (await oracle("index.json")).find(({ name }) => name === "in-a-group");

describe("fetchHandler", () => {
  const near = new FaultyHost(new Map(written("even", { shape: [64, 64], chunks: [16, 16], gzip: true })));
  let page;
  before(async () => {
    page = await openZarrita({ "/near": near.handle });
    await page.run(() => {
      // What an answer is, as plain data.
      globalThis.asked = async (handler, url, init) => {
        const response = await handler(new Request(new URL(url, location.href), init));
        const body = [...new Uint8Array(await response.arrayBuffer())];
        return { status: response.status, headers: Object.fromEntries(response.headers), body };
      };
    });
  });
  afterEach(() => near.reset());
  after(() => page?.close());

  const ask = (source, options, ...requests) =>
    page.run(
      (_, { source, options, requests }) => {
        const handler = globalThis.fetchHandler(source, options);
        return Promise.all(requests.map(([url, init]) => globalThis.asked(handler, url, init)));
      },
      { source, options, requests },
    );

  test("zarrita's FetchStore reads an array, and one in a group, by their own URLs", async () => {
    const failures = await page.run(
      async (_, { months, inGroup }) => {
        const { compareRegular, fetchHandler, zarr } = globalThis;
        const at = (path) => new URL(`/data/${path}`, location.href).href;
        const open = (url, handler, path = "") => zarr.open(zarr.root(new zarr.FetchStore(url, { fetch: handler })).resolve(path), { kind: "array" });
        const { arrayPath, path } = inGroup;
        return [
          ...(await compareRegular(zarr, await open(at(months.path), fetchHandler(at(months.path))), months)),
          ...(await compareRegular(zarr, await open(at(path), fetchHandler(at(path)), encodeURIComponent(arrayPath).replaceAll("%2F", "/")), inGroup)),
          ...(await compareRegular(zarr, await open(`${at(path)}/${arrayPath}`, fetchHandler(at(path), { path: arrayPath })), inGroup)),
        ];
      },
      { months, inGroup },
    );
    assert.deepEqual(failures, []);
  });

  test("opened arrays and groups are shown at the root, or at any base", async () => {
    const failures = await page.run(async ({ RectilinearArray }, entry) => {
      const { compareRegular, fetchHandler, zarr } = globalThis;
      const array = await RectilinearArray.open(new URL(`/data/${entry.path}`, location.href));
      const failures = [];
      const deep = "https://a.invalid/deep/er.zarr";
      for (const [base, options] of [["http://regular.invalid", {}], [deep, { base: deep, chunkShape: [40, 7, 5] }]]) {
        const found = await zarr.open(new zarr.FetchStore(base, { fetch: fetchHandler(array, options) }), { kind: "array" });
        failures.push(...(await compareRegular(zarr, found, entry)));
      }
      return failures;
    }, months);
    assert.deepEqual(failures, []);
  });

  test("the package reads what it shows itself", async () => {
    const [shape, isRegular, data] = await page.run(async ({ RectilinearArray }) => {
      const url = new URL("/near/even", location.href);
      const again = await RectilinearArray.open(url, { fetch: globalThis.fetchHandler(url, { chunkShape: [20, 30] }) });
      return [again.shape, again.chunkGrid.isRegular, [...(await again.get([40, null])).data]];
    });
    assert.deepEqual([shape, isRegular], [[64, 64], true]);
    assert.deepEqual(data, Array.from({ length: 64 }, (_, column) => 40 * 64 + column));
  });

  test("whole values, HEAD and what any origin may read", async () => {
    const [got, head, document] = await ask("/near/even", {}, ["/near/even/c/0/1"], ["/near/even/c/0/1", { method: "HEAD" }], ["/near/even/zarr.json?token=1"]);
    assert.deepEqual([got.status, got.body.length, got.body.slice(0, 4)], [200, 1024, [16, 0, 0, 0]]);
    assert.deepEqual([head.status, head.body], [200, []]);
    assert.deepEqual(head.headers, got.headers);
    assert.equal(got.headers["content-length"], "1024");
    assert.equal(got.headers["access-control-allow-origin"], "*");
    assert.match(got.headers["access-control-expose-headers"], /Content-Range/);
    assert.equal(got.headers["accept-ranges"], "bytes");
    assert.equal(document.headers["content-type"], "application/json");
    assert.deepEqual(JSON.parse(Buffer.from(document.body)).chunk_grid, { name: "regular", configuration: { chunk_shape: [16, 16] } });
  });

  test("ranges as RFC 9110 has them", async () => {
    const range = (value, more) => ["/near/even/c/0/1", { headers: { Range: value, ...more } }];
    const cases = {
      "bytes=0-3": [206, "bytes 0-3/1024", 4],
      "bytes=1020-": [206, "bytes 1020-1023/1024", 4],
      "bytes=1000-5000": [206, "bytes 1000-1023/1024", 24],
      "bytes=-8": [206, "bytes 1016-1023/1024", 8],
      "bytes=-5000": [206, "bytes 0-1023/1024", 1024],
      "bytes=1024-": [416, "bytes */1024", 0],
      "bytes=-0": [416, "bytes */1024", 0],
      "bytes=3-1": [200, undefined, 1024],
      "bytes=0-1,4-5": [200, undefined, 1024],
      "items=0-1": [200, undefined, 1024],
      "bytes=-": [200, undefined, 1024],
    };
    const answers = await ask("/near/even", {}, ...Object.keys(cases).map((value) => range(value)));
    const found = Object.fromEntries(answers.map(({ status, headers, body }, nth) => [Object.keys(cases)[nth], [status, headers["content-range"], body.length]]));
    assert.deepEqual(found, cases);
    assert.deepEqual(answers[0].body, [16, 0, 0, 0]);
    assert.deepEqual(answers[3].body.slice(4), answers[4].body.slice(1020));
  });

  test("ETags: other ones for other bytes, and answers to who knows them", async () => {
    const [one, other, again] = await ask("/near/even", {}, ["/near/even/c/0/0"], ["/near/even/c/0/1"], ["/near/even/c/0/0"]);
    assert.match(one.headers.etag, /^"[^"]+"$/);
    assert.equal(one.headers.etag, again.headers.etag);
    assert.notEqual(one.headers.etag, other.headers.etag);
    const [known, weakly, unknown, sameRange, otherRange] = await ask(
      "/near/even",
      {},
      ["/near/even/c/0/0", { headers: { "If-None-Match": `"x", ${one.headers.etag}` } }],
      ["/near/even/c/0/0", { headers: { "If-None-Match": `W/${one.headers.etag}` } }],
      ["/near/even/c/0/0", { headers: { "If-None-Match": other.headers.etag } }],
      ["/near/even/c/0/0", { headers: { Range: "bytes=0-3", "If-Range": one.headers.etag } }],
      ["/near/even/c/0/0", { headers: { Range: "bytes=0-3", "If-Range": other.headers.etag } }],
    );
    const found = [known, weakly, unknown, sameRange, otherRange].map(({ status, body }) => [status, body.length]);
    assert.deepEqual(found, [[304, 0], [304, 0], [200, 1024], [206, 4], [200, 1024]]);
  });

  test("what is not there is 404, what is not asked for 405, and a preflight is allowed", async () => {
    const [none, elsewhere, outside, posted, preflight] = await ask(
      "/near/even",
      {},
      ["/near/even/c/9/9"],
      ["/near/uneven/zarr.json"],
      ["/near/even/%E0%A4%A"],
      ["/near/even/zarr.json", { method: "POST", body: "x" }],
      ["/near/even/zarr.json", { method: "OPTIONS" }],
    );
    assert.deepEqual([none.status, elsewhere.status, outside.status, posted.status, preflight.status], [404, 404, 404, 405, 204]);
    assert.equal(posted.headers.allow, "GET, HEAD, OPTIONS");
    assert.match(preflight.headers["access-control-allow-methods"], /HEAD/);
  });

  test("failures are answers in words, and the next request tries anew", async () => {
    near.rules = [on(/zarr\.json$/, status(403))];
    await page.run(() => void (globalThis.handler = globalThis.fetchHandler("/near/even")));
    const askAgain = (key) => page.run((_, key) => globalThis.asked(globalThis.handler, `/near/even/${key}`), key);
    const refused = await askAgain("zarr.json");
    near.rules = [on(/\/c\/1\/1$/, status(403))];
    const [afterwards, broken] = [await askAgain("zarr.json"), await askAgain("c/1/1")];
    assert.equal(refused.status, 502);
    assert.match(Buffer.from(refused.body).toString(), /StoreError.*403/);
    assert.equal(afterwards.status, 200);
    assert.equal(broken.status, 502);
    assert.match(Buffer.from(broken.body).toString(), /c\/1\/1/);
    const [none] = await ask("/near/nowhere", {}, ["/near/nowhere/zarr.json"]);
    assert.equal(none.status, 404);
    assert.match(Buffer.from(none.body).toString(), /NotFoundError.*nowhere/);
    const [unshown] = await ask("/data/dtype-struct.zarr", {}, ["/data/dtype-struct.zarr/zarr.json"]);
    assert.equal(unshown.status, 501);
    assert.match(Buffer.from(unshown.body).toString(), /UnsupportedError.*struct/);
  });

  test("an abort is passed on, and rejects with its reason", async () => {
    const held = gate();
    near.rules = [on(/\/c\//, held)];
    const ending = page.run(async () => {
      globalThis.controller = new AbortController();
      const reason = (globalThis.reason = new Error("moved on"));
      const request = new Request(new URL("/near/even/c/0/0", location.href), { signal: globalThis.controller.signal });
      return (await globalThis.fetchHandler("/near/even")(request).catch((error) => error)) === reason;
    });
    await until(() => held.held === 1);
    await page.run(() => globalThis.controller.abort(globalThis.reason));
    assert.ok(await ending);
    await until(() => near.log.some(({ aborted }) => aborted));
    held.open();
  });

  test("a function opens when something is first asked for, and again where it failed", async () => {
    const found = await page.run(async ({ RectilinearArray }) => {
      let calls = 0;
      const open = () => (calls++ === 0 ? Promise.reject(new Error("not yet")) : RectilinearArray.open(new URL("/near/even", location.href)));
      const handler = globalThis.fetchHandler(open, { base: "https://a.invalid/" });
      const before = calls;
      const statuses = [];
      for (let nth = 0; nth < 3; nth++) statuses.push((await globalThis.asked(handler, "https://a.invalid/zarr.json")).status);
      return { before, statuses, calls };
    });
    assert.deepEqual(found, { before: 0, statuses: [502, 200, 200], calls: 2 });
  });

  test("something else is refused at once", async () => {
    const error = await page.run(({ support }) => support.rejection(async () => globalThis.fetchHandler(5)));
    assert.equal(error.name, "TypeError");
  });

  test("nothing was thrown outside a promise", () => assert.deepEqual(page.errors, []));
});
