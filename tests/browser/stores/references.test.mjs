/** References that a page makes of original files: read again, by this package, they give the values of the files. */

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";

import { openPage } from "../support/chromium.mjs";
import { NEIGHBOURS } from "../support/paths.mjs";

const SETS = ["netcdf", "tiff", "hdf5"];

/** A file of HDF5 with groups below its root. */
const NESTED = "/hdf5/links-latest.h5";

/** Values of a group's arrays, as numbers of bytes. */
const reading = `async (group) => {
  const found = {};
  for (const { path, kind } of group.tree()) {
    if (kind !== "array") continue;
    try {
      const array = await group.array(path);
      const { data } = await array.get(null);
      const bytes = ArrayBuffer.isView(data) ? [...new Uint8Array(data.buffer, data.byteOffset, data.byteLength)] : JSON.stringify(data, (_, value) => (typeof value === "bigint" ? String(value) : value));
      found[path] = { shape: array.shape, dtype: array.dtype, names: array.dimensionNames, attrs: JSON.stringify(array.attrs, (_, value) => (typeof value === "bigint" ? String(value) : value)), bytes };
    } catch (error) {
      found[path] = error.name;
    }
  }
  return found;
}`;

/** References to a file, what it has, and what is read by them. */
async function indexed({ Group }, { document, reading }) {
  const read = new Function(`return ${reading}`)();
  const group = await Group.open(document, { workers: 0 });
  const values = await read(group);
  const skip = Object.entries(values).filter(([, value]) => typeof value === "string").map(([path]) => path);
  const requests = [];
  const references = await group.toReferences({ skip: [...skip, ...group.tree().filter(({ path }) => /hdf5|skipped/.test(path)).map(({ path }) => path)] });
  const text = JSON.stringify(references);
  const url = URL.createObjectURL(new Blob([text]));
  const again = await Group.open("https://index.test/it.json", {
    format: "kerchunk",
    workers: 0,
    onRequest: ({ key }) => requests.push(key),
    fetch: (request) => (request.url.startsWith("https://index.test/") ? fetch(url) : fetch(request)),
  });
  const found = await read(again);
  return { values, found, skip, text, attrs: [group, again].map(({ attrs }) => JSON.stringify(attrs, (_, value) => (typeof value === "bigint" ? `${value}n` : value))) };
}

describe("references", () => {
  let page;
  const lists = {};
  before(async () => {
    page = await openPage(Object.fromEntries([...SETS, "icechunk"].map((set) => [`/${set}`, join(NEIGHBOURS, set)])));
    for (const set of SETS) lists[set] = JSON.parse(await readFile(join(NEIGHBOURS, set, "index.json"), "utf8"));
  });
  after(() => page?.close());

  for (const set of SETS) {
    test(`to files of ${set}, read again`, async () => {
      const names = lists[set].map((entry) => entry.document ?? entry.path).filter((name) => !name.endsWith(".gz"));
      let arrays = 0;
      for (const name of names.filter((_, nth) => nth % 8 === 0)) {
        const { values, found, skip, text, attrs } = await page.run(indexed, { document: `/${set}/${name}`, reading });
        for (const path of skip) delete values[path];
        assert.deepEqual(found, values, name);
        assert.equal(attrs[0], attrs[1], name);
        arrays += Object.keys(found).length;
        // Where a folder is named, another program may read the references too: tests/neighbours/references.py.
        if (process.env.REFERENCES) await writeFile(join(process.env.REFERENCES, `${set}-${name}.json`), JSON.stringify({ file: join(NEIGHBOURS, set, name), references: JSON.parse(text), values }));
      }
      assert.ok(arrays > 20, `${arrays} arrays`);
    });
  }

  for (const name of ["plain", "v1"]) {
    test(`to chunks of a repository of Icechunk (${name}), whose address ends without a slash`, async () => {
      const { values, found, skip } = await page.run(indexed, { document: `/icechunk/${name}`, reading });
      assert.deepEqual(skip, []);
      assert.deepEqual(found, values);
      assert.ok(Object.keys(found).length > 2);
    });
  }

  test("of a group inside a file lead to the file, and no signature is given away", async () => {
    const found = await page.run(async ({ Group }, url) => {
      const whole = await Group.open(url);
      const { path } = whole.tree().find(({ kind }) => kind === "group");
      const inner = await Group.open(`${url}/${path}`);
      const skip = inner.tree().map((entry) => entry.path);
      const signed = await Group.open(`${url}?X-Amz-Signature=sekret`);
      const refusal = await signed.toReferences().catch(({ name, message }) => `${name}: ${message}`);
      return { path: inner.path, templates: (await inner.toReferences({ skip })).templates, url: new URL(url, location.href).href, refusal };
    }, NESTED);
    assert.notEqual(found.path, "");
    assert.deepEqual(found.templates, { u: found.url });
    assert.match(found.refusal, /^UnsupportedError: references would give away the signature/);
    assert.doesNotMatch(found.refusal, /sekret/);
  });

  test("a filter that no other reader has is refused by the name of the array", async () => {
    const error = await page.run(async ({ Group }) => {
      const group = await Group.open("/hdf5/links-latest.h5");
      return group.toReferences({ skip: ["elsewhere", "external", "virtual", "references"] }).then(
        () => undefined,
        ({ name, message }) => ({ name, message }),
      );
    });
    assert.equal(error?.name, "UnsupportedError");
    assert.match(error.message, /szip-like|hdf5\.lzf/);
  });

  test("what cannot be indexed says so", async () => {
    const found = await page.run(async ({ Group }) => {
      const group = await Group.open("/netcdf/by-hand.nc");
      const said = (call) => call.then(() => undefined, ({ name, message }) => `${name}: ${message}`);
      const zarr = await Group.open(new Map([["/zarr.json", new TextEncoder().encode('{"zarr_format":3,"node_type":"group"}')]]));
      const aborted = AbortSignal.abort();
      const local = await Group.open(new File([await (await fetch("/netcdf/by-hand.nc")).blob()], "by-hand.nc"));
      return {
        option: await said(group.toReferences({ paths: [] })),
        skip: await said(group.toReferences({ skip: "a" })),
        plain: await said(zarr.toReferences()),
        aborted: await said(group.toReferences({ signal: aborted })),
        local: (await local.toReferences()).templates,
        own: (await group.toReferences({ url: "s3://bucket/a.nc" })).templates,
      };
    });
    assert.match(found.option, /^TypeError: toReferences has no option paths/);
    assert.match(found.skip, /^TypeError: .*list of paths/);
    assert.match(found.plain, /^UnsupportedError/);
    assert.match(found.aborted, /^AbortError/);
    assert.deepEqual([found.local, found.own], [{ u: "by-hand.nc" }, { u: "s3://bucket/a.nc" }]);
  });
});
