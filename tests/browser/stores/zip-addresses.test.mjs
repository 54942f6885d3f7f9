/** Zips by their addresses: `open` reads them as `zipStore` does, and a folder on disk lists its names. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";

import { openPage } from "../support/chromium.mjs";
import { PACKAGE, ROOT } from "../support/paths.mjs";
import { allow, files, listen } from "../support/server.mjs";

const { Group, RectilinearArray } = await import(join(PACKAGE, "node.js"));
const python = process.env.PYTHON ?? join(ROOT, ".tools/local/venv/bin/python");

/** Three zips that zarr-python and zipfile write: RFC-9's order, one with a folder around everything, a deflated one. */
const WRITE = `
import sys, zipfile, zarr, numpy as np
from zarr.storage import ZipStore, MemoryStore
directory = sys.argv[1]
memory = {}
group = zarr.open_group(MemoryStore(memory), mode="w", attributes={"title": "zipped"})
array = group.create_array("n", shape=(10,), chunks=(4,), dtype="int32")
array[:] = np.arange(10)
entries = {key: value.to_bytes() for key, value in memory.items()}
order = sorted(entries, key=lambda key: (not key.endswith("zarr.json"), key.count("/"), key))
def write(name, prefix="", method=zipfile.ZIP_STORED, comment=b""):
    with zipfile.ZipFile(f"{directory}/{name}", "w", method) as out:
        for key in order:
            with out.open(prefix + key, "w", force_zip64=True) as file:
                file.write(entries[key])
        out.comment = comment
write("image.ozx", comment=b'{"ome": {"version": "0.5", "zipFile": {"centralDirectory": {"jsonFirst": true}}}}')
write("store.zip", prefix="store.zarr/")
write("DEFLATED.ZIP", method=zipfile.ZIP_DEFLATED, comment=b"{no json")
`;

describe("zips by their addresses", () => {
  let directory;
  let site;
  const requests = [];
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), "rectilinear-zip-addresses-"));
    await promisify(execFile)(python, ["-W", "ignore", "-c", WRITE, directory]);
    const serve = files(directory);
    site = await listen((request, response) => {
      allow(request, response);
      if (request.method === "OPTIONS") return response.end();
      requests.push([request.method, request.url, request.headers["x-key"]]);
      if (request.url.startsWith("/bare")) request.url = "/image.ozx";
      serve(request, response);
    });
  });
  after(async () => {
    await site?.close();
    if (directory) await rm(directory, { recursive: true, force: true });
  });

  for (const [what, address, options, path] of [
    ["an .ozx of RFC-9", "image.ozx", {}, "n"],
    ["a .zip with a folder around everything", "store.zip", {}, "store.zarr/n"],
    ["a deflated .ZIP with a query", "DEFLATED.ZIP?token=1", {}, "n"],
    ["a zip by the option format", "bare", { format: "zip" }, "n"],
  ]) {
    test(`${what}: its arrays read`, async () => {
      const array = await RectilinearArray.open(`${site.url}/${address}`, { ...options, path });
      assert.deepEqual([...(await array.get()).data], Array.from({ length: 10 }, (_, n) => n));
      array.free();
    });
  }

  test("a group by a URL object: attributes, names and members from the zip's own list, and few requests", async () => {
    requests.length = 0;
    const group = await Group.open(new URL(`${site.url}/image.ozx`), { headers: { "x-key": "k" } });
    assert.equal(group.attrs.title, "zipped");
    assert.deepEqual(requests.map(([method]) => method), ["HEAD", "GET", "GET"]);
    assert.ok(requests.every(([, , key]) => key === "k"));
    assert.deepEqual(await group.list(), { folders: ["n"], files: ["zarr.json"] });
    assert.deepEqual((await group.members()).map(({ path, kind }) => [path, kind]), [["n", "array"]]);
    const array = await group.array("n");
    assert.deepEqual([...(await array.get([9])).data], [9]);
    for (const opened of [group, array]) opened.free();
  });

  test("a Blob by the option format", async () => {
    const blob = new Blob([await readFile(join(directory, "image.ozx"))]);
    const group = await Group.open(blob, { format: "zip" });
    assert.equal(group.attrs.title, "zipped");
    group.free();
  });

  test("what is no zip, and what is not there, are errors that name the address", async () => {
    await assert.rejects(Group.open(`${site.url}/none.zip`), { name: "StoreError", status: 404, message: /none\.zip/ });
    await assert.rejects(Group.open(`${site.url}/image.ozx`, { path: "none" }), { name: "NotFoundError" });
    await assert.rejects(Group.open(`${site.url}/image.ozx`, { signal: AbortSignal.abort(new Error("enough")) }), { message: "enough" });
    await assert.rejects(Group.open(new Blob(["no zip"]), { format: "zip" }), { name: "StoreError", message: /not a zip/ });
  });

  test("in a page, and a folder of it lists its names", async () => {
    const page = await openPage();
    try {
      const found = await page.run(async ({ Group: Opened, directoryStore }, address) => {
        const group = await Opened.open(address);
        const values = [...(await (await group.array("n")).get()).data];
        const root = await navigator.storage.getDirectory();
        const folder = await root.getDirectoryHandle("a.zarr", { create: true });
        const inside = await folder.getDirectoryHandle("in", { create: true });
        for (const [handle, kind] of [[folder, "zarr.json"], [inside, "zarr.json"]]) {
          const file = await (await handle.getFileHandle(kind, { create: true })).createWritable();
          await file.write(JSON.stringify({ zarr_format: 3, node_type: "group", attributes: {} }));
          await file.close();
        }
        const picked = await Opened.open(directoryStore(root), { path: "a.zarr" });
        return { values, names: await picked.list(), members: (await picked.members()).map(({ path, kind }) => [path, kind]) };
      }, `${site.url}/image.ozx`);
      assert.deepEqual(found, { values: Array.from({ length: 10 }, (_, n) => n), names: { folders: ["in"], files: ["zarr.json"] }, members: [["in", "group"]] });
      assert.deepEqual(page.errors, []);
    } finally {
      await page.close();
    }
  });
});
