/** The first request of a cold page: sent while the module loads, once, and only where it is what the module asks for. */

import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";

import { openPage } from "../support/chromium.mjs";
import { until } from "../support/network.mjs";
import { NEIGHBOURS, PACKAGE } from "../support/paths.mjs";
import { files } from "../support/server.mjs";

const MODULE = "/rectilinear_zarr_bg.wasm";

describe("the first request of a cold page", () => {
  let page;
  /** Answers the module when called; the test holds it back until then. */
  let release;
  let isHeld = false;
  const serve = files(PACKAGE);
  const pkg = (request, response) => {
    if (request.url !== MODULE || !isHeld) return serve(request, response);
    release = () => serve(request, response);
    return true;
  };
  const asked = (name) => page.site.requests.filter(({ url }) => url.includes(name)).map(({ url }) => url);

  before(async () => (page = await openPage({ "/pkg": pkg, "/files": NEIGHBOURS })));
  afterEach(async () => {
    isHeld = false;
    release = undefined;
    await page.renew();
    page.site.requests.length = 0;
  });
  after(() => page?.close());

  /** Starts an open while the module is held back; its outcome is read with `settled`. */
  const begin = async (open) => {
    isHeld = true;
    await page.run(`async (zarr) => {
      globalThis.outcome = (${open})(zarr).then((array) => ({ shape: [...array.shape] }), ({ name, message }) => ({ name, message }));
    }`);
    await until(() => release);
  };
  const settled = () => {
    release?.();
    return page.run(() => globalThis.outcome);
  };

  test("is under way before the module is there, and is not repeated", async () => {
    await begin(({ RectilinearArray }) => RectilinearArray.open("/data/codec-zstd.zarr"));
    await until(() => asked("zarr.json").length > 0);
    assert.equal(asked("zarr.json").length, 1, "the request waits for the module");
    const { shape } = await settled();
    assert.ok(shape.length > 0);
    assert.equal(asked("zarr.json").length, 1);
  });

  /** Parts and modules that were asked for beside the first part. */
  const beside = () => asked("_bg.wasm").map((url) => /_(\w+)_bg/.exec(url.replace("/pkg/rectilinear_zarr", ""))?.[1]).filter(Boolean).sort();

  const DOCUMENTS = { "nothing-there": ["opening"], "blosc-blocks": [], "int16-regular": [] };
  for (const [name, parts] of Object.entries(DOCUMENTS)) {
    test(`of ${name} asks for ${parts.join(" and ") || "no part"} of the module before the first part is there`, async () => {
      await begin(`(zarr) => zarr.RectilinearArray.open("/data/${name}.zarr")`);
      await until(() => asked("zarr.json").length > 0 && beside().length >= parts.length);
      assert.deepEqual(beside(), parts);
      await settled();
    });
  }

  /** Addresses of original files, with their modules. */
  const FILES = {
    "Group.open('/files/tiff/pyramid-0.tif')": "files",
    "Group.open('/files/tiff/pyramid-0.tif?signature=1', { format: 'tiff' })": "files",
    "RectilinearArray.open('/files/tiff/pyramid-0.tif/0')": "files",
    "RectilinearArray.open('/files/tiff/pyramid-0.tif', { path: '0' })": "files",
    "Group.open('/files/netcdf/by-hand.nc')": "files",
    "Group.open('/files/hdf5/links-earliest.h5')": "hdf5",
    "Group.open('/files/hdf5/links-earliest.h5', { format: 'netcdf' })": "hdf5",
  };
  for (const [open, module] of Object.entries(FILES)) {
    test(`${open}: the first bytes, the module and its parts are asked for before the first part is there, once`, async () => {
      await begin(`(zarr) => zarr.${open}.then((opened) => ({ shape: opened.shape ?? [1] }))`);
      const wanted = ["codecs", module, "opening", "virtual"].sort();
      const firsts = () => page.site.requests.filter(({ url, headers }) => url.startsWith("/files/") && headers.range === "bytes=0-65535");
      await until(() => firsts().length > 0 && beside().length >= wanted.length);
      assert.deepEqual(beside(), wanted);
      const { shape, message } = await settled();
      assert.ok(shape, message);
      assert.equal(firsts().length, 1);
      assert.deepEqual(beside(), wanted);
    });
  }

  test("a store with the format of a file: nothing is sent to the page's own host", async () => {
    await begin("(zarr) => zarr.Group.open({ get: async () => undefined }, { format: 'netcdf' })");
    await until(() => beside().includes("virtual"));
    await settled();
    assert.deepEqual(page.site.requests.filter(({ headers }) => headers.range), []);
  });

  const SAME = {
    "a trailing slash": "(zarr) => zarr.RectilinearArray.open('/data/codec-zstd.zarr/')",
    "a URL object": "(zarr) => zarr.RectilinearArray.open(new URL('/data/codec-zstd.zarr#here', location))",
    "a path": "(zarr) => zarr.RectilinearArray.open('/data', { path: 'codec-zstd.zarr' })",
    "a query": "(zarr) => zarr.RectilinearArray.open('/data/codec-zstd.zarr?signature=1')",
    "a name that is escaped": "(zarr) => zarr.RectilinearArray.open('/data/codec%2Dzstd.zarr')",
    "options of the network": "(zarr) => zarr.RectilinearArray.open('/data/codec-zstd.zarr', { credentials: 'omit', timeout: 0, retries: 1, onRequest() {}, signal: new AbortController().signal })",
  };
  for (const [name, open] of Object.entries(SAME)) {
    test(`${name}: is the one that the module asks for`, async () => {
      await begin(open);
      await until(() => asked("zarr.json").length > 0);
      assert.equal(asked("zarr.json").length, 1);
      assert.ok((await settled()).shape);
      assert.equal(asked("zarr.json").length, 1);
    });
  }

  const OTHERS = {
    "format 2": "(zarr) => zarr.RectilinearArray.open('/data/v2-little-f4.zarr', { zarrFormat: 2 })",
    "headers": "(zarr) => zarr.RectilinearArray.open('/data/codec-zstd.zarr', { headers: { a: 'b' } })",
    "a fetch of the caller": "(zarr) => zarr.RectilinearArray.open('/data/codec-zstd.zarr', { fetch: (request) => fetch(request) })",
    "a reference file": "(zarr) => zarr.RectilinearArray.open('/data/nothing-there.json')",
    "a folder of references": "(zarr) => zarr.RectilinearArray.open('/data/nothing-there.parq')",
    "a store": "(zarr) => zarr.RectilinearArray.open({ get: async (key) => new Uint8Array(await (await fetch('/data/codec-zstd.zarr' + key)).arrayBuffer()) })",
    "an address that cannot be opened": "(zarr) => zarr.RectilinearArray.open('mailto:nobody')",
    "an option that is refused": "(zarr) => zarr.RectilinearArray.open('/data/codec-zstd.zarr', { credentials: 'perhaps' })",
  };
  for (const [name, open] of Object.entries(OTHERS)) {
    test(`${name}: nothing is sent before the module is there`, async () => {
      await begin(open);
      await new Promise((done) => setTimeout(done, 100));
      assert.deepEqual(asked("/data/"), []);
      const { shape, name: error } = await settled();
      assert.ok(shape || error, "the open settles");
    });
  }

  test("the same address twice: each open has an answer of its own", async () => {
    await begin(async ({ RectilinearArray }) => {
      const [first, second] = await Promise.all([RectilinearArray.open("/data/codec-zstd.zarr"), RectilinearArray.open("/data/codec-zstd.zarr")]);
      return { shape: [first.shape.length, second.shape.length] };
    });
    const { shape } = await settled();
    assert.equal(shape[0], shape[1]);
    assert.equal(asked("zarr.json").length, 2);
  });

  for (const options of ["{ headers: { authorization: 'token' } }", "{ redirect: 'error' }"]) {
    test(`an open with ${options} does not take the answer of one without`, async () => {
      // The open of a group, which is refused here, waits for another part of the module and so asks last.
      await begin(`async ({ Group, RectilinearArray }) => {
        const group = Group.open("/data/codec-zstd.zarr").catch(() => {});
        const array = await RectilinearArray.open("/data/codec-zstd.zarr", ${options});
        await group;
        return array;
      }`);
      await until(() => asked("zarr.json").length > 0);
      assert.ok((await settled()).shape.length > 0);
      const sent = page.site.requests.filter(({ url }) => url === "/data/codec-zstd.zarr/zarr.json");
      assert.equal(sent.length, 2, "each open sends a request of its own");
      if (options.includes("headers")) assert.deepEqual(sent.map(({ headers }) => headers.authorization), [undefined, "token"]);
    });
  }

  test("a missing document: the module goes on with format 2", async () => {
    await begin(({ RectilinearArray }) => RectilinearArray.open("/data/v2-little-f4.zarr"));
    await until(() => asked("zarr.json").length > 0);
    assert.ok((await settled()).shape);
    assert.equal(asked("zarr.json").length, 1);
  });

  test("an abort before the module is there aborts it", async () => {
    await begin(({ RectilinearArray }) => {
      const controller = new AbortController();
      globalThis.stop = () => controller.abort();
      return RectilinearArray.open("/data/codec-zstd.zarr", { signal: controller.signal });
    });
    await until(() => asked("zarr.json").length > 0);
    await page.run(() => globalThis.stop());
    assert.equal((await settled()).name, "AbortError");
    assert.equal(asked("zarr.json").length, 1);
  });

  test("a later open sends its request through the module", async () => {
    const sizes = await page.run(async ({ RectilinearArray }) => {
      await RectilinearArray.open("/data/codec-zstd.zarr");
      const { fetch } = globalThis;
      const urls = [];
      globalThis.fetch = (request) => (urls.push(request.url), fetch(request));
      await RectilinearArray.open("/data/codec-little.zarr");
      globalThis.fetch = fetch;
      return urls;
    });
    assert.equal(sizes.length, 1);
  });
});
