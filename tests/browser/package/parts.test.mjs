/** Later parts of the main module: loaded before the calls that need them, after the first read, and at once in a call that nobody foresaw. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, afterEach, before, describe, test } from "node:test";

import { openPage } from "../support/chromium.mjs";
import { until } from "../support/network.mjs";
import { PACKAGE } from "../support/paths.mjs";
import { files } from "../support/server.mjs";

const PART = /^\/rectilinear_zarr_(codecs|grids|more|rest)_bg\.wasm$/;
const REST = "/rectilinear_zarr_rest_bg.wasm";

describe("the later parts of the module", () => {
  let page;
  /** Answers a request for a later part in place of the file; returns whether it did. */
  let intercept = () => false;
  /** Responses that are answered after the test: the browser asks for a file once at a time. */
  const held = [];
  const serve = files(PACKAGE);
  const pkg = (request, response) => (PART.test(request.url) && intercept(response, request.url)) || serve(request, response);
  const asked = () => page.site.requests.filter(({ url }) => url.endsWith(REST)).length;
  /** Names of the later parts that were asked for, in order. */
  const names = () => page.site.requests.map(({ url }) => /_(codecs|grids|more|rest)_bg\.wasm$/.exec(url)?.[1]).filter(Boolean);

  before(async () => (page = await openPage({ "/pkg": pkg }, { mayBlock: true })));
  afterEach(async () => {
    intercept = () => false;
    for (const response of held.splice(0)) response.destroy();
    await page.renew();
    page.site.requests.length = 0;
  });
  after(() => page?.close());

  /** Refuses the last part. */
  const refusing = (response, url) => url === REST && Boolean(response.writeHead(503).end());

  /** How often the page stood still until a part was there. */
  const blocked = () => page.run(() => globalThis[Symbol.for("rectilinear-zarr.blocked")] ?? 0);

  /** Arrays by the parts that their documents need. */
  const OPENED = {
    "int16-regular": [],
    "regular-exact": [],
    "codec-zstd": ["grids"],
    "sharded-zstd": ["grids"],
    "blosc-blocks": ["codecs"],
    "int64-regular": ["codecs"],
    "sharded-gzip": ["codecs", "grids"],
    "codec-transpose-120": ["codecs", "grids", "more"],
    "dtype-complex64": ["more"],
    "dtype-int2": ["codecs", "grids", "more", "rest"],
    "tensorstore-v2-raw": ["more"],
    "tensorstore-v2-blosc": ["codecs", "more"],
  };
  for (const codec of ["constructor", "toString", "__proto__"]) {
    test(`a codec with the name ${codec} is refused like others that no one knows`, async () => {
      const told = await page.run(
        async ({ RectilinearArray }, { codec }) => {
          const document = await (await fetch("/data/int16-regular.zarr/zarr.json")).json();
          document.codecs.push({ name: codec });
          const text = new TextEncoder().encode(JSON.stringify(document));
          const read = async () => (await RectilinearArray.open(new Map([["/zarr.json", text]]))).get();
          return read().then(String, ({ name, message }) => `${name}: ${message}`);
        },
        { codec },
      );
      assert.match(told, new RegExp(`^UnsupportedError: .*${codec}`));
    });
  }

  for (const [name, needed] of Object.entries(OPENED)) {
    test(`the open of ${name} and its properties ask for ${needed.join(" and ") || "none of them"}`, async () => {
      await page.run(async ({ RectilinearArray }, { name }) => (await RectilinearArray.open(`/data/${name}.zarr`)).plan(), { name });
      assert.deepEqual(names().sort(), needed);
      assert.equal(await blocked(), 0);
    });
  }

  test("an ordinary read is answered while the other parts are on their way, and each is asked for once", async () => {
    intercept = (response) => held.push(response);
    const found = await page.run(async ({ RectilinearArray }) => {
      const array = await RectilinearArray.open("/data/int16-regular.zarr");
      await array.get();
      return [(await array.get([0])).shape, (await array.getChunk(array.shape.map(() => 0))).shape.length];
    });
    assert.equal(found[0].length, found[1] - 1);
    await until(() => names().length === 4);
    assert.deepEqual(names().sort(), ["codecs", "grids", "more", "rest"]);
    assert.equal(await blocked(), 0);
  });

  test("an answer that is not ordinary waits for the part that knows it", async () => {
    const error = await page.run(async ({ RectilinearArray, support }) => support.rejection(() => RectilinearArray.open("/data/int16-regular.zarr", { fetch: async () => new Response("no", { status: 401 }) })));
    assert.equal(error.name, "StoreError");
    assert.match(error.message, /401/);
    assert.equal(await blocked(), 0);
  });

  const CALLS = {
    "a group": async ({ Group }) => {
      const document = { zarr_format: 3, node_type: "group", consolidated_metadata: { kind: "inline", must_understand: false, metadata: {} } };
      return (await Group.open(new Map([["/zarr.json", new TextEncoder().encode(JSON.stringify(document))]]))).tree().length + 1;
    },
    "a joined array": async ({ RectilinearArray }) => {
      const array = await RectilinearArray.open("/data/codec-zstd.zarr");
      return (await RectilinearArray.concat([array, array], 0)).shape[0] / array.shape[0];
    },
    points: async ({ RectilinearArray }) => {
      const array = await RectilinearArray.open("/data/codec-zstd.zarr");
      const answer = array.getPoints([array.shape.map(() => 0)]);
      array.free();
      return (await answer).data.length;
    },
    "a list of items": async ({ RectilinearArray }) => (await (await RectilinearArray.open("/data/codec-zstd.zarr")).get([[0, 1]])).shape[0],
    "a stream": async ({ RectilinearArray }) => {
      let parts = 0;
      for await (const part of (await RectilinearArray.open("/data/codec-zstd.zarr")).stream()) parts += part.data.length > 0;
      return parts;
    },
    "a minimum and maximum": async ({ RectilinearArray }) => (await (await RectilinearArray.open("/data/codec-zstd.zarr")).get(null, { as: "float32", minmax: true })).data.length,
    "a refresh": async ({ RectilinearArray }) => Number((await (await RectilinearArray.open("/data/codec-zstd.zarr")).refresh()) !== undefined),
  };
  for (const [name, call] of Object.entries(CALLS)) {
    test(`${name} as the first call waits for the rest, and the page does not stand still`, async () => {
      assert.ok((await page.run(call)) > 0);
      assert.deepEqual(names().sort(), ["codecs", "grids", "more", "rest"]);
      assert.equal(await blocked(), 0);
    });

    test(`${name} fails by name where the rest cannot be had, and works when called again`, async () => {
      intercept = refusing;
      const error = await page.run(`async (zarr) => zarr.support.rejection(() => (${call})(zarr))`);
      assert.equal(error.name, "UnsupportedError", error.message);
      assert.match(error.message, /rectilinear_zarr_rest_bg\.wasm/);
      intercept = () => false;
      assert.ok((await page.run(call)) > 0);
    });
  }

  /** A call of the module itself, for which nothing waits. */
  const unforeseen = async ({ RectilinearArray }) => {
    const { Joining } = await import("/pkg/rectilinear_zarr.js");
    await RectilinearArray.open("/data/codec-zstd.zarr");
    try {
      new Joining().free();
    } catch ({ name, message }) {
      return { name, message };
    }
  };

  test("a call that nobody foresaw stands still until the rest is there, once", async () => {
    for (const nth of [1, 2]) assert.equal(await page.run(unforeseen), undefined, `call ${nth}`);
    assert.equal(await blocked(), 1);
    assert.equal(asked(), 1);
  });

  test("such a call fails where the rest cannot be had, and the next one asks again", async () => {
    intercept = refusing;
    const error = await page.run(unforeseen);
    assert.equal(error.name, "UnsupportedError");
    assert.match(error.message, /rectilinear_zarr_rest_bg\.wasm/);
    intercept = () => false;
    assert.equal(await page.run(unforeseen), undefined);
    assert.equal(await blocked(), 2);
    assert.equal(asked(), 2);
  });

  test("a read under way rejects where such a call fails", async () => {
    intercept = refusing;
    const error = await page.run(async ({ RectilinearArray, support }) => {
      const { Joining } = await import("/pkg/rectilinear_zarr.js");
      const array = await RectilinearArray.open({ get: async (key) => (key === "/zarr.json" ? (await fetch("/data/codec-zstd.zarr/zarr.json")).arrayBuffer().then((bytes) => new Uint8Array(bytes)) : new Promise(() => {})) });
      const read = array.get();
      await support.rejection(async () => new Joining());
      return support.rejection(() => read);
    });
    assert.match(error.message, /rectilinear_zarr_rest_bg\.wasm/);
  });

  test("that is of another build is refused by name", async () => {
    const rest = await readFile(join(PACKAGE, REST));
    const other = Buffer.from(rest.toString("latin1").replace(/G[0-9a-f]{6}(?=\d)/g, "Gzzzzzz"), "latin1");
    assert.ok(!other.equals(rest));
    intercept = (response, url) => url === REST && Boolean(response.writeHead(200, { "Content-Type": "application/wasm" }).end(other));
    const error = await page.run(`async (zarr) => zarr.support.rejection(() => (${CALLS.points})(zarr))`);
    assert.equal(error.name, "UnsupportedError", error.message);
  });
});
