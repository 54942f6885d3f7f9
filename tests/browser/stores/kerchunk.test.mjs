/** Kerchunk's references to NetCDF-4 files, over HTTP: values as h5py reads them, in as few requests as they take. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";

import { openPage } from "../support/chromium.mjs";
import { NEIGHBOURS } from "../support/paths.mjs";
import { allow, files, listen } from "../support/server.mjs";

const SETS = join(NEIGHBOURS, "kerchunk");
const entries = JSON.parse(await readFile(join(SETS, "index.json"), "utf8"));

const months = await readFile(join(SETS, "months.json"), "utf8");

/** Bytes that a page read of an array, and the requests that it took. */
function read({ Group, support: _ }, { document, path, options = {}, selection = null }) {
  const requests = [];
  const onRequest = ({ key, range, status }) => requests.push({ key: key.split("/").pop(), range, status });
  const opening = Group.open(new URL(document, location.href), { workers: 0, onRequest, ...options });
  return opening
    .then((group) => group.array(path))
    .then((array) => array.get(selection).then(({ data }) => ({ array, data })))
    .then(({ array, data }) => ({
      shape: array.shape,
      dtype: array.dtype,
      sizes: array.writeChunkSizes,
      bytes: [...new Uint8Array(data.buffer, data.byteOffset, data.byteLength)],
      requests,
    }))
    .catch(({ name, message }) => ({ error: { name, message }, requests }));
}

describe("kerchunk's references", () => {
  let page;
  let site;
  before(async () => {
    page = await openPage({ "/sets": SETS });
    site = page.site;
  });
  after(() => page?.close());

  for (const { document, path, shape, dtype, expected } of entries) {
    test(`${document}: ${path}`, async () => {
      const found = await page.run(read, { document: `/sets/${document}`, path });
      assert.equal(found.error, undefined);
      assert.deepEqual(found.shape, shape);
      assert.equal(found.dtype, dtype);
      assert.deepEqual(Buffer.from(found.bytes), await readFile(join(SETS, expected)));
    });
  }

  test("a rectilinear array over months takes the document and one range of each file", async () => {
    const found = await page.run(read, { document: "/sets/months.json", path: "t2m" });
    assert.deepEqual(found.sizes, [[31, 29, 31], [8], [12]]);
    assert.deepEqual(found.requests.map(({ key, status }) => [key, status]).slice(0, 1), [["months.json", 200]]);
    assert.deepEqual(found.requests.map(({ key }) => key).sort(), ["feb.nc", "jan.nc", "mar.nc", "months.json"]);
    assert.ok(found.requests.filter(({ key }) => key.endsWith(".nc")).every(({ range, status }) => range.length === 2 && status === 206));
  });

  test("what stands in the document takes no request", async () => {
    const found = await page.run(read, { document: "/sets/months.json", path: "time" });
    assert.deepEqual(found.requests.map(({ key }) => key), ["months.json"]);
  });

  test("near parts of one file come in one request", async () => {
    const found = await page.run(read, { document: "/sets/single.json", path: "wind" });
    assert.deepEqual(found.requests.map(({ key }) => key), ["single.json", "jan.nc"]);
  });

  test("the tree lists what is nowhere consolidated", async () => {
    const trees = await page.run(async ({ Group }) => {
      const paths = async (name) => (await Group.open(`/sets/${name}.json`)).tree().map(({ path }) => path);
      return Promise.all(["single", "months"].map(paths));
    });
    assert.deepEqual(trees, [["lat", "lon", "t2m", "time", "wind"], ["t2m", "time"]]);
  });

  test("plan tells the requests as they will be", async () => {
    const requests = await page.run(async ({ RectilinearArray }) => {
      const array = await RectilinearArray.open("/sets/months.json", { path: "t2m" });
      return array.plan([[3, 40]]).requests.map(({ key, range }) => [key.split("/").pop(), range.length]);
    });
    assert.deepEqual(requests, [["jan.nc", 2], ["feb.nc", 2]]);
  });

  /** A host with these files, and what it was asked. */
  async function host(texts, directory) {
    const serve = directory && files(directory);
    return listen((request, response) => {
      if (allow(request, response)) return;
      const text = texts[request.url];
      if (text !== undefined) return response.writeHead(200, { "Content-Type": "application/json" }).end(text);
      if (serve) return serve(request, response);
      response.writeHead(404).end();
    });
  }

  test("headers go to the document's host alone", async () => {
    const target = await host({}, SETS);
    const list = await host({ "/list.json": months.replace(/"(\w+\.nc)"/g, `"${target.url}/$1"`) });
    try {
      const found = await page.run(read, { document: `${list.url}/list.json`, path: "t2m", options: { headers: { "x-key": "secret" } } });
      assert.equal(found.error, undefined);
      assert.ok(list.requests.some(({ headers }) => headers["x-key"] === "secret"));
      assert.equal(target.requests.length, 3);
      assert.ok(target.requests.every(({ headers }) => !("x-key" in headers)));
    } finally {
      await Promise.all([target.close(), list.close()]);
    }
  });

  test("a document compressed by zstd is read as a plain one", async () => {
    // A frame of stored blocks: Node 20 does not compress with zstd.
    const [text, head] = [Buffer.from(months.replace(/"(\w+\.nc)"/g, `"${site.url}/sets/$1"`)), Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xa0, 0, 0, 0, 0])];
    head.writeUInt32LE(text.length, 5);
    const blocks = [];
    for (let at = 0; at < text.length; at += 2 ** 17) {
      const [block, size] = [text.subarray(at, at + 2 ** 17), Buffer.alloc(4)];
      size.writeUInt32LE(block.length * 8 + Number(at + block.length === text.length));
      blocks.push(size.subarray(0, 3), block);
    }
    const list = await host({ "/list.json.zst": Buffer.concat([head, ...blocks]) });
    try {
      const found = await page.run(read, { document: `${list.url}/list.json.zst`, path: "t2m" });
      assert.equal(found.error, undefined);
      assert.deepEqual(Buffer.from(found.bytes), await readFile(join(SETS, "months-t2m.bin")));
    } finally {
      await list.close();
    }
  });

  test("resolveUrl leads where no browser can", async () => {
    const list = await host({ "/list.json": months.replace(/"(\w+\.nc)"/g, `"hdfs://cluster/$1"`) });
    try {
      const refused = await page.run(read, { document: `${list.url}/list.json`, path: "t2m" });
      assert.equal(refused.error.name, "UnsupportedError");
      assert.match(refused.error.message, /hdfs:\/\/.*resolveUrl/s);
      const bytes = await page.run(
        async ({ RectilinearArray }, { url, sets }) => {
          const resolveUrl = (listed) => listed.replace("hdfs://cluster", sets);
          const array = await RectilinearArray.open(url, { path: "t2m", format: "kerchunk", resolveUrl });
          const { data } = await array.get();
          return [...new Uint8Array(data.buffer)];
        },
        { url: `${list.url}/list.json`, sets: `${site.url}/sets` },
      );
      assert.deepEqual(Buffer.from(bytes), await readFile(join(SETS, "months-t2m.bin")));
    } finally {
      await list.close();
    }
  });

  const one = (entry) => JSON.stringify({ version: 1, refs: { ...JSON.parse(months).refs, "t2m/c/1/0/0": entry } });

  for (const [what, text, options, name, words] of [
    ["a target that is not there", one(["gone.nc", 0, 10]), {}, "StoreError", /gone\.nc.*nothing is there/s],
    ["a part past the file's end", one(["feb.nc", 23_000, 9_000]), {}, "StoreError", /feb\.nc/],
    ["a part that is something else", one(["feb.nc", 0, 4_998]), {}, "CodecError", /zlib/],
    ["a malformed entry", one(["feb.nc", "0", 10]), {}, "InvalidMetadataError", /t2m~1c~11~10~10\/1/],
    ["templates in a circle", one(["{{a}}"]).replace('"version"', '"templates":{"a":"{{a}}"},"version"'), {}, "InvalidMetadataError", /circle/],
    ["no references where they were asked for", "{}", { format: "kerchunk" }, "NotFoundError", /kerchunk references/],
    ["no JSON where references were asked for", "<html>", { format: "kerchunk" }, "InvalidMetadataError", /HTML/],
    ["a comma too many where nobody said what it is", '{"version":1,\n"refs":{"a":"b",}}', {}, "InvalidMetadataError", /list\.json.*trailing comma at line 2 column/],
    ["a comma too many where references were asked for", '{"version":1,\n"refs":{"a":"b",}}', { format: "kerchunk" }, "InvalidMetadataError", /list\.json.*trailing comma at line 2 column/],
    ["no JSON where nobody said what it is", "once upon a time", {}, "InvalidMetadataError", /list\.json.*not JSON/],
    ["another version", '{"version":7,"refs":{}}', { format: "kerchunk" }, "UnsupportedError", /version 7/],
    ["another version where nobody said what it is", '{"version":7,"refs":{}}', {}, "UnsupportedError", /version 7/],
    ["templates that are none where nobody said what it is", '{"version":1,"refs":{},"templates":[]}', {}, "InvalidMetadataError", /\/templates/],
    ["another format", months, { format: "grib" }, "UnsupportedError", /"grib"/],
  ]) {
    test(`bad input: ${what}`, async () => {
      const list = await host({ "/list.json": text }, SETS);
      try {
        const { error } = await page.run(read, { document: `${list.url}/list.json`, path: "t2m", options });
        assert.equal(error?.name, name, error?.message);
        assert.match(error.message, words);
      } finally {
        await list.close();
      }
    });
  }

  test("a document that is none of references leaves the address to Zarr", async () => {
    const list = await host({ "/odd.json": "{}", "/odd.json/zarr.json": '{"zarr_format":3,"node_type":"group","attributes":{"a":1}}' });
    try {
      const attrs = await page.run(async ({ Group }, { url }) => (await Group.open(url)).attrs, { url: `${list.url}/odd.json` });
      assert.deepEqual(attrs, { a: 1 });
    } finally {
      await list.close();
    }
  });

  test("a document that is no JSON leaves the address to Zarr too", async () => {
    const list = await host({ "/odd.json": "<html>", "/odd.json/zarr.json": '{"zarr_format":3,"node_type":"group","attributes":{"a":1}}' });
    try {
      const attrs = await page.run(async ({ Group }, { url }) => (await Group.open(url)).attrs, { url: `${list.url}/odd.json` });
      assert.deepEqual(attrs, { a: 1 });
    } finally {
      await list.close();
    }
  });

  test("refresh reads the list again", async () => {
    const texts = { "/list.json": months };
    const list = await host(texts, SETS);
    try {
      const found = await page.run(
        async ({ RectilinearArray }, { url }) => {
          const array = await RectilinearArray.open(url, { path: "t2m" });
          globalThis.opened = array;
          return array.shape;
        },
        { url: `${list.url}/list.json` },
      );
      assert.deepEqual(found, [91, 8, 12]);
      const grown = JSON.parse(months);
      grown.refs["t2m/zarr.json"] = grown.refs["t2m/zarr.json"].replace("91", "122").replace(/(31,\s*29,\s*31)/, "$1,31");
      grown.refs["t2m/c/3/0/0"] = grown.refs["t2m/c/0/0/0"];
      texts["/list.json"] = JSON.stringify(grown);
      const again = await page.run(async () => {
        const changed = await globalThis.opened.refresh();
        const [first, last] = await Promise.all([globalThis.opened.get([0]), globalThis.opened.get([91])]);
        return { changed, shape: globalThis.opened.shape, same: String(first.data) === String(last.data) };
      });
      assert.deepEqual(again, { changed: true, shape: [122, 8, 12], same: true });
      delete texts["/list.json"];
      const gone = await page.run(() => globalThis.opened.refresh().catch(({ name }) => name));
      assert.equal(gone, "NotFoundError");
    } finally {
      await list.close();
    }
  });
});
