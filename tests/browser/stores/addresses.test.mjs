/** Addresses that are opened, and those that references and virtual chunks lead to: buckets, bare hosts, other schemes. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";

import { moduleAt } from "../../../src/web/fetch/early.js";
import { openPage } from "../support/chromium.mjs";
import { describe as described } from "../support/errors.mjs";
import { ROOT } from "../support/paths.mjs";

/** Schemes that have no host to be asked. */
const HOSTLESS = ["javascript:alert(1)", "javascript://h/%0aalert(1)", "data:application/json,{}", "about:blank", "mailto:a@b.c", "file:///data/x.nc", "blob:https://h/0"];

/** Opens a source, through a fetch that has nothing, or what it is given; the error, and what was asked for. */
async function opening({ Group, RectilinearArray, describe }, { source, files = {}, path, options = {} }) {
  const asked = [];
  const fetch = async (request) => {
    asked.push(request.url);
    const found = files[new URL(request.url).pathname];
    return new Response(found ?? null, { status: found === undefined ? 404 : 200 });
  };
  const failure = async (work) => {
    try {
      return await work();
    } catch (error) {
      return { ...describe(error), asked: [...asked] };
    }
  };
  const array = await failure(async () => {
    const opened = await RectilinearArray.open(source, { fetch, workers: 0, path, ...options });
    return { data: [...(await opened.get()).data] };
  });
  const before = asked.length;
  const group = path ? undefined : await failure(() => Group.open(source, { fetch, ...options }));
  return { array, group, asked, before };
}

const document = { zarr_format: 3, node_type: "array", shape: [2], data_type: "uint8", chunk_grid: { name: "regular", configuration: { chunk_shape: [2] } }, chunk_key_encoding: { name: "default" }, codecs: [{ name: "bytes" }], fill_value: 0 };
const references = (url) => JSON.stringify({ version: 1, refs: { ".zgroup": "{}", "a/zarr.json": JSON.stringify(document), "a/c/0": [url, 0, 2] } });

test("which module an address needs is told by the name of a file, and by no host or folder", () => {
  const expected = {
    "https://host/a.nc": "either", "https://host/a.nc?x=1": "either", "https://host/a.nc/t2m": "either", "data/a.NC": "either",
    "https://host/a.h5/x/y": "hdf5", "a.tif#x": "files", "https://data.meteo.nc/sst.zarr": undefined, "https://data.meteo.nc": undefined,
    "https://host/x.nc/": undefined, "https://host/a.tif/": undefined, "https://host/a.ncx/y": undefined, "https://host.h5/a.json": "systems",
  };
  assert.deepEqual(Object.fromEntries(Object.keys(expected).map((address) => [address, moduleAt(address)])), expected);
});

for (const where of ["a page", "Node"]) {
  describe(`addresses, in ${where}`, () => {
    let page;
    let zarr;
    before(async () => {
      if (where === "Node") zarr = await import(pathToFileURL(join(ROOT, "pkg/node.js")));
      else page = await openPage();
    });
    after(() => page?.close());

    const run = (asked) =>
      where === "Node"
        ? opening({ ...zarr, describe: described }, asked)
        : page.run(`({ support, ...zarr }, asked) => (${opening})({ ...zarr, describe: support.describe }, asked)`, asked);

    for (const source of [...HOSTLESS, "az://cells/x.zarr", "abfs://cells/x.zarr", "s3://", "gs:///x.zarr", "localhost:8000/x.zarr", "zip://x.zip/a", "icechunk://h/r", "ftp://h/x.zarr", "hf://d/x.zarr", "zip::https://h/x.zip"]) {
      test(`${source} is not opened, and nothing is asked for`, async () => {
        const { array, group, asked } = await run({ source });
        for (const error of [array, group]) {
          assert.equal(error.name, "UnsupportedError", error.message);
          assert.equal(error.feature, `opening ${/^\w+:/.exec(source)[0]} URLs`);
          assert.match(error.message, /https:\/\//);
        }
        assert.deepEqual(asked, []);
      });
    }

    test("a data: address in references holds the bytes itself", async () => {
      for (const url of ["data:,ab", "data:application/octet-stream;base64,YWI="]) {
        const { array, asked } = await run({ source: "https://host.test/refs.json", files: { "/refs.json": references(url) }, path: "a" });
        assert.deepEqual([array, asked], [{ data: [97, 98] }, ["https://host.test/refs.json"]]);
      }
    });

    for (const url of [...HOSTLESS.filter((url) => !url.startsWith("data:")), "C:\\data\\x.nc", "az://cells/x.nc"]) {
      test(`references to ${url} name its scheme, and nothing is asked for there`, async () => {
        const files = { "/refs.json": references(url) };
        const { array, asked } = await run({ source: "https://host.test/refs.json", files, path: "a" });
        assert.equal(array.name, "UnsupportedError", array.message);
        assert.match(array.feature, new RegExp(`^addresses of ${/^\w+:/.exec(url)[0]}`, "i"));
        assert.match(array.message, /resolveUrl/);
        assert.deepEqual(asked, ["https://host.test/refs.json"]);
      });
    }

    test("resolveUrl cannot lead there either", async () => {
      const found = await (where === "Node"
        ? resolved({ ...zarr, describe: described }, references("x.nc"))
        : page.run(`({ support, ...zarr }, text) => (${resolved})({ ...zarr, describe: support.describe }, text)`, references("x.nc")));
      assert.equal(found.name, "UnsupportedError", found.message);
      assert.equal(found.feature, "addresses of data:");
    });

    for (const [source, folder] of [
      ["s3://bucket/a b/x.zarr", "https://bucket.s3.amazonaws.com/a%20b/x.zarr"],
      ["s3://my.bucket/x.zarr/?token=1%2F2", "https://s3.amazonaws.com/my.bucket/x.zarr"],
      ["S3://Bucket/Key.zarr", "https://s3.amazonaws.com/Bucket/Key.zarr"],
      ["gs://bucket/x.zarr", "https://storage.googleapis.com/bucket/x.zarr"],
      ["az://cells@acc.blob.core.windows.net/x.zarr", "https://acc.blob.core.windows.net/cells/x.zarr"],
      ["abfs://cells@acc.dfs.core.windows.net/x.zarr?sv=2&sig=a%3D", "https://acc.blob.core.windows.net/cells/x.zarr"],
    ]) {
      test(`${source} is asked for over HTTPS`, async () => {
        const query = source.includes("?") ? source.slice(source.indexOf("?")) : "";
        const { array, group, asked, before } = await run({ source });
        for (const error of [array, group]) assert.equal(error.name, "NotFoundError", error.message);
        assert.equal(asked[0], `${folder}/zarr.json${query}`);
        assert.equal(asked[before], `${folder}/zarr.json${query}`);
        const files = { [`${new URL(folder).pathname}/zarr.json`]: JSON.stringify(document), [`${new URL(folder).pathname}/c/0`]: "ab" };
        assert.deepEqual((await run({ source, files })).array, { data: [97, 98] });
      });
    }

    for (const [name, advice] of [["run.zarr/zarr.json", /without the name of its document/], ["run.zarr/.zgroup", /without the name of its document/]]) {
      test(`the address ${name} says what to open`, async () => {
        const { array, group } = await run({ source: `https://host.test/${name}` });
        for (const error of [array, group]) assert.match(error.message, advice);
      });
    }

    test(`a host without its scheme is ${where === "Node" ? "refused in words" : "a path beside the page"}`, async () => {
      const { array, asked } = await run({ source: "example.org/x.zarr" });
      if (where === "Node") {
        assert.equal(array.name, "TypeError");
        assert.match(array.message, /"example\.org\/x\.zarr" is not a URL.*https:\/\//);
        assert.deepEqual(asked, []);
      } else {
        assert.equal(array.name, "NotFoundError", array.message);
        assert.equal(asked[0], new URL("example.org/x.zarr/zarr.json", page.site.url).href);
        assert.match(array.message, /127\.0\.0\.1:\d+\/example\.org/);
      }
    });
  });
}

/** Result of a read where resolveUrl makes an address of no host. */
async function resolved({ RectilinearArray, describe }, text) {
  const fetch = async () => new Response(text);
  const resolveUrl = (url) => (url === "x.nc" ? "data:text/plain,ab" : undefined);
  try {
    const array = await RectilinearArray.open("https://host.test/refs.json", { fetch, resolveUrl, path: "a", workers: 0 });
    return { data: [...(await array.get()).data] };
  } catch (error) {
    return describe(error);
  }
}
