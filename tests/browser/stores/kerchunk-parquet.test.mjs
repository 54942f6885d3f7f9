/** Kerchunk's references in Parquet, over HTTP: values as xarray reads them, in one request for each file of references. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";

import { openPage } from "../support/chromium.mjs";
import { NGINX, hasNginx, startNginx } from "../support/nginx.mjs";
import { NEIGHBOURS } from "../support/paths.mjs";
import { allow, files, listen } from "../support/server.mjs";

const SETS = join(NEIGHBOURS, "parquet");
const entries = JSON.parse(readFileSync(join(SETS, "index.json"), "utf8"));
const expected = (folder, path) => entries.find((entry) => entry.folder === folder && entry.path === path).values;

/** Files of the sets by their path, and the text of one. */
const all = readdirSync(SETS, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
const bytesOf = new Map(all.map(({ parentPath, name }) => [join(parentPath, name).slice(SETS.length), readFileSync(join(parentPath, name))]));

/** Values that a page read of an array, and the requests that it took. */
function read({ Group, slice }, { url, path, options = {}, selection = null, from }) {
  const requests = [];
  const onRequest = ({ key, status }) => requests.push(status === 404 ? `404 ${key.split("/").pop()}` : decodeURIComponent(key).split("/").slice(-2).join("/"));
  const resolveUrl = from && ((listed) => (listed.startsWith("hdfs:") ? listed.replace("hdfs://cluster", from) : undefined));
  const opening = Group.open(new URL(url, location.href), { workers: 0, onRequest, resolveUrl, ...options });
  return opening
    .then((group) => group.array(path))
    .then((array) => array.get(selection && [slice(...selection)]).then(({ data, shape }) => ({ array, data, shape })))
    .then(({ array, data, shape }) => ({ dtype: array.dtype, shape, values: Array.from(data), requests }))
    .catch(({ name, message }) => ({ error: { name, message }, requests }));
}

const FORMAT = { format: "kerchunk" };

describe("kerchunk's references in Parquet", () => {
  let page;
  let site;
  before(async () => {
    page = await openPage({ "/sets": SETS });
    site = page.site;
  });
  after(() => page?.close());

  for (const { folder, path, shape, dtype, values } of entries) {
    test(`${folder}: ${path}`, async () => {
      const from = folder === "virtualizarr" ? `${site.url}/sets/files` : undefined;
      const found = await page.run(read, { url: `/sets/${folder}/`, path, options: FORMAT, from });
      assert.equal(found.error, undefined, found.error?.message);
      assert.deepEqual([found.dtype, found.shape], [dtype, shape]);
      assert.deepEqual(found.values, values);
    });
  }

  for (const engine of ["fastparquet", "pyarrow"]) {
    const items = (start, stop, options = FORMAT) => page.run(read, { url: `/sets/${engine}/`, path: "v", options, selection: [start, stop] });

    test(`${engine}: inline bytes, a missing chunk and a whole file`, async () => {
      const inline = await items(16, 20);
      assert.deepEqual(inline, { dtype: "int32", shape: [4], values: [0, 1, 2, 3], requests: [`${engine}/.zmetadata`, "v/refs.0.parq"] });
      const missing = await items(12, 16);
      assert.deepEqual([missing.values, missing.requests], [[-1, -1, -1, -1], inline.requests]);
      const whole = await items(8, 12);
      assert.deepEqual([whole.values, whole.requests], [[200, 201, 202, 203], [...inline.requests, "files/w2"]]);
    });

    test(`${engine}: one file of references for each ten chunks`, async () => {
      const { requests } = await items(0, 40);
      assert.deepEqual(requests.filter((key) => key.endsWith(".parq")), ["v/refs.0.parq"]);
      const { requests: wide } = await items(0, 100);
      assert.deepEqual(wide.filter((key) => key.endsWith(".parq")).sort(), ["v/refs.0.parq", "v/refs.1.parq", "v/refs.2.parq"]);
      assert.equal(wide.filter((key) => key.endsWith(".zmetadata")).length, 1);
    });

    test(`${engine}: paths that are a dictionary of 250 chunks`, async () => {
      const found = await page.run(read, { url: `/sets/many-${engine}`, path: "v", options: FORMAT, selection: [408, 412] });
      assert.deepEqual(found.values, [408, 409, 410, 411]);
      const asked = found.requests.filter((key) => !key.startsWith("404"));
      assert.deepEqual(asked, [`many-${engine}/.zmetadata`, "v/refs.1.parq", "files/b0"]);
      const { range } = site.requests.findLast(({ url }) => url.endsWith("/files/b0")).headers;
      assert.equal(range, "bytes=1632-1647");
    });
  }

  test("found by its .zmetadata", async () => {
    const found = await page.run(read, { url: "/sets/pyarrow", path: "v", options: {} });
    assert.deepEqual(found.values, expected("pyarrow", "v"));
    const array = await page.run(async ({ RectilinearArray }) => {
      const opened = await RectilinearArray.open("/sets/pyarrow", { path: "deep/a b" });
      return Array.from((await opened.get()).data);
    });
    assert.deepEqual(array, expected("pyarrow", "deep/a b"));
  });

  test("what the address ends with saves requests", async () => {
    const served = files(SETS);
    // Both files of references list chunks of two.nc. The second one is answered when the chunks of the first have been
    // requested: which requests can share a range would depend on time otherwise.
    let requested;
    const chunksRequested = new Promise((resolve) => (requested = resolve));
    const host = await listen(async (request, response) => {
      if (allow(request, response)) return;
      if (request.url.endsWith("two.nc")) requested();
      request.url = request.url.replace("/months.parq/", "/virtualizarr/");
      if (request.url.endsWith("refs.1.parq")) await chunksRequested;
      served(request, response);
    });
    try {
      const found = await page.run(read, { url: `${host.url}/months.parq`, path: "v", from: `${host.url}/files` });
      assert.deepEqual(found.values, expected("virtualizarr", "v"));
      assert.deepEqual(found.requests.slice(0, 1), ["months.parq/.zmetadata"]);
      assert.deepEqual(found.requests.slice(1).sort(), ["files/one.nc", "files/two.nc", "files/two.nc", "v/refs.0.parq", "v/refs.1.parq"]);
    } finally {
      await host.close();
    }
  });

  test("the tree lists the documents, and plan the files to come", async () => {
    const found = await page.run(async ({ Group }) => {
      const group = await Group.open("/sets/fastparquet/", { format: "kerchunk", cacheBytes: 0 });
      const array = await group.array("v");
      const plan = () => array.plan([[0, 99]]).requests.map(({ key, range }) => [key.split("/").slice(-2).join("/"), range?.length]);
      const before = plan();
      await array.get();
      return { paths: group.tree().map(({ path }) => path), before, after: plan() };
    });
    assert.deepEqual(found.paths, ["deep", "deep/a b", "scalar", "v"]);
    assert.deepEqual(found.before.map(([key]) => key), ["v/refs.0.parq", "v/refs.2.parq"]);
    assert.deepEqual(found.after.map(([key]) => key), ["files/b0"]);
  });

  test("the entry with modules inside reads it too", async () => {
    const values = await page.run(async () => {
      const { RectilinearArray } = await import("rectilinear-zarr/inline");
      const array = await RectilinearArray.open(new URL("/sets/snappy/", location.href), { format: "kerchunk", path: "v" });
      return Array.from((await array.get()).data);
    });
    assert.deepEqual(values, expected("snappy", "v"));
  });

  test("addresses that no browser has are named", async () => {
    const { error } = await page.run(read, { url: "/sets/virtualizarr/", path: "v", options: FORMAT });
    assert.equal(error.name, "UnsupportedError");
    assert.match(error.message, /v\/0\.0 is at hdfs:\/\/cluster\/one\.nc.*resolveUrl/s);
  });

  /** Reads from a host whose files are those of the sets, but for some. */
  async function from(changed, { handle, ...options }) {
    const host = await listen((request, response) => {
      if (allow(request, response)) return;
      const { pathname } = new URL(request.url, "http://x");
      const found = pathname in changed ? changed[pathname] : bytesOf.get(decodeURIComponent(pathname));
      if (handle) return handle(response, found);
      if (found === undefined) return response.writeHead(404).end();
      response.writeHead(200).end(found);
    });
    try {
      return await page.run(read, { url: `${host.url}/plain/`, path: "v", options: FORMAT, ...options });
    } finally {
      await host.close();
    }
  }

  test("a host without ranges", async () => {
    const found = await from({}, {});
    assert.deepEqual(found.values, expected("plain", "v"));
    assert.deepEqual(found.requests.filter((key) => key.endsWith(".parq")).sort(), ["v/refs.0.parq", "v/refs.1.parq", "v/refs.2.parq"]);
  });

  test("a missing file of references has no chunks", async () => {
    const found = await from({ "/plain/v/refs.1.parq": undefined }, {});
    assert.deepEqual(found.values, expected("plain", "v").map((value, at) => (at >= 40 && at < 80 ? -1 : value)));
  });

  const parquet = bytesOf.get("/plain/v/refs.1.parq");
  const document = bytesOf.get("/plain/.zmetadata").toString();
  const bent = document.replace('"shape":[100]', '"shape":[100,1]');
  const sizeless = document.replace(/,\s*"record_size":\s*10}$/, "}");
  for (const [what, changed, name, words, options = FORMAT, selection = null] of [
    ["half a file", { "/plain/v/refs.1.parq": parquet.subarray(0, 200) }, "InvalidMetadataError", /plain\/v\/refs\.1\.parq.*damaged Parquet.*PAR1/s],
    ["a page in place of a file", { "/plain/v/refs.1.parq": "<html>" }, "InvalidMetadataError", /refs\.1\.parq.*damaged Parquet/s],
    ["a footer of zeros", { "/plain/v/refs.1.parq": Buffer.from(parquet).fill(0, 500, parquet.length - 8) }, "InvalidMetadataError", /refs\.1\.parq.*damaged Parquet/s],
    ["an encoding that nobody writes", { "/plain/v/refs.1.parq": bytesOf.get("/delta/v/refs.1.parq") }, "UnsupportedError", /DELTA_BINARY_PACKED.*refs\.1\.parq/s],
    ["too few rows", { "/plain/v/refs.1.parq": bytesOf.get("/virtualizarr/v/refs.0.parq") }, "InvalidMetadataError", /refs\.1\.parq.*3 rows/s, FORMAT, [52, 56]],
    ["a document cut short", { "/plain/.zmetadata": document.slice(0, 99) }, "InvalidMetadataError", /plain\/\.zmetadata.*not valid JSON/s],
    ["a document cut short where nobody said what it is", { "/plain/.zmetadata": document.slice(0, 99) }, "InvalidMetadataError", /plain\/\.zmetadata.*not valid JSON/s, {}],
    ["a record size that is no number", { "/plain/.zmetadata": document.replace("10}", '"10"}') }, "InvalidMetadataError", /\.zmetadata.*\/record_size/s],
    ["no record size", { "/plain/.zmetadata": sizeless }, "InvalidMetadataError", /plain\/\.zmetadata.*\/record_size/s],
    ["no record size where nobody said what it is", { "/plain/.zmetadata": sizeless }, "InvalidMetadataError", /plain\/\.zmetadata.*\/record_size/s, {}],
    ["a record size without end", { "/plain/.zmetadata": document.replace("10}", "1000000000}") }, "UnsupportedError", /1000000000 references.*record_size/s],
    ["an array whose lengths do not agree", { "/plain/.zmetadata": bent }, "InvalidMetadataError", /\.zarray|zmetadata/],
    ["a target that is not there", { "/files/b1": undefined }, "StoreError", /files\/b1.*nothing is there/s],
    ["no references at all", { "/plain/.zmetadata": undefined }, "NotFoundError", /kerchunk references in Parquet/],
    ["consolidated metadata alone", { "/plain/.zmetadata": '{"zarr_consolidated_format":1,"metadata":{}}' }, "NotFoundError", /record_size/],
  ]) {
    test(`bad input: ${what}`, async () => {
      const { error } = await from(changed, { options, selection });
      assert.equal(error?.name, name, error?.message);
      assert.match(error.message, words);
    });
  }

  test("refresh reads the references again", async () => {
    const changed = {};
    const host = await listen((request, response) => {
      if (allow(request, response)) return;
      const found = changed[request.url] ?? bytesOf.get(request.url);
      response.writeHead(found ? 200 : 404).end(found);
    });
    try {
      await page.run(async ({ RectilinearArray }, { url }) => {
        globalThis.opened = await RectilinearArray.open(url, { format: "kerchunk", path: "v", cacheBytes: 0 });
        await globalThis.opened.get();
      }, { url: `${host.url}/plain/` });
      changed["/plain/v/refs.0.parq"] = bytesOf.get("/plain/v/refs.1.parq");
      changed["/plain/.zmetadata"] = Buffer.from(document.replace('"shape":[100]', '"shape":[96]'));
      const values = await page.run(async () => {
        await globalThis.opened.refresh();
        const { data } = await globalThis.opened.get();
        return Array.from(data);
      });
      const before = expected("plain", "v");
      assert.deepEqual(values, [...before.slice(40, 80), ...before.slice(40, 96)]);
    } finally {
      await host.close();
    }
  });
});

const skip = (await hasNginx()) ? false : `${NGINX} cannot be run: install nginx, or set NGINX_PROGRAM to its path`;

describe("kerchunk's references in Parquet from nginx", { skip }, () => {
  let nginx;
  let page;
  before(async () => {
    nginx = await startNginx(bytesOf);
    page = await openPage({}, { start: () => nginx });
  });
  after(() => page?.close());

  for (const folder of ["fastparquet", "pyarrow", "many-fastparquet"]) {
    test(folder, async () => {
      const found = await page.run(read, { url: `${nginx.url}/${folder}/`, path: "v", options: FORMAT });
      assert.equal(found.error, undefined, found.error?.message);
      assert.deepEqual(found.values, expected(folder, "v"));
    });
  }
});
