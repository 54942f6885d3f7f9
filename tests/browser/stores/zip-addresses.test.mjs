/** Zips by their addresses: `open` reads them as `zipStore` does, and a folder on disk lists its names. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";

import { openPage } from "../support/chromium.mjs";
import { ROOT } from "../support/paths.mjs";
import { allow, files, listen } from "../support/server.mjs";

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
# The comment is wrong: a group follows the chunks, and the root's last document is another one.
with zipfile.ZipFile(f"{directory}/claimed.ozx", "w") as out:
    for key in order:
        out.writestr(key, entries[key])
    out.writestr("later/zarr.json", b'{"zarr_format": 3, "node_type": "group", "attributes": {"title": "behind the chunks"}}')
    out.writestr("zarr.json", b'{"zarr_format": 3, "node_type": "group", "attributes": {"title": "the last one"}}')
    out.comment = b'{"ome": {"version": "0.5", "zipFile": {"centralDirectory": {"jsonFirst": true}}}}'
with zipfile.ZipFile(f"{directory}/several.zip", "w") as out:
    for folder in ["b & c/run.zarr/", "a.zarr/", "a.zarr/deep/"]:
        for key in order:
            out.writestr(folder + key, entries[key])
    out.writestr("README.md", "no store")
write("DEFLATED.ZIP", method=zipfile.ZIP_DEFLATED, comment=b"{no json")
`;

describe("zips by their addresses", () => {
  let directory;
  let site;
  let page;
  const requests = [];
  /** What the host does in place of the next answers to GET: a status, or "cut" for a body that breaks off. */
  const faults = [];
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), "rectilinear-zip-addresses-"));
    await promisify(execFile)(python, ["-W", "ignore", "-c", WRITE, directory]);
    const serve = files(directory);
    site = await listen((request, response) => {
      allow(request, response);
      if (request.method === "OPTIONS") return response.end();
      requests.push([request.method, request.url, request.headers["x-key"]]);
      const fault = request.method === "GET" ? faults.shift() : undefined;
      if (fault === "cut") {
        response.writeHead(206, { "Content-Length": 100, "Content-Range": "bytes 0-99/1000" });
        return response.write("half", () => response.destroy());
      }
      if (fault) return response.writeHead(fault, { "Retry-After": "0" }).end();
      if (request.url.startsWith("/bare")) request.url = "/image.ozx";
      serve(request, response);
    });
    page = await openPage();
  });
  after(async () => {
    await page?.close();
    await site?.close();
    if (directory) await rm(directory, { recursive: true, force: true });
  });

  const read = (address, options, path) =>
    page.run(
      async ({ RectilinearArray }, { address, options, path }) => [...(await (await RectilinearArray.open(address, { ...options, path })).get()).data],
      { address, options, path },
    );

  for (const [what, address, options, path] of [
    ["an .ozx of RFC-9", "image.ozx", {}, "n"],
    ["a .zip with a folder around everything", "store.zip", {}, "store.zarr/n"],
    ["a folder in a .zip, by its address", "store.zip/store.zarr", {}, "n"],
    ["an array in a folder of a .zip, by its address with a query", "store.zip/store.zarr/n/?token=1", {}, undefined],
    ["a folder whose name is encoded", "several.zip/b%20%26%20c/run.zarr", {}, "n"],
    ["a deflated .ZIP with a query", "DEFLATED.ZIP?token=1", {}, "n"],
    ["a zip by the option format", "bare", { format: "zip" }, "n"],
  ]) {
    test(`${what}: its arrays read`, async () => {
      assert.deepEqual(await read(`${site.url}/${address}`, options, path), Array.from({ length: 10 }, (_, n) => n));
    });
  }

  test("a host that is busy or breaks off is asked again, as often as retries says", async () => {
    const asked = () => requests.filter(([method]) => method === "GET").length;
    requests.length = 0;
    // The end of the zip, which is its directory, and then documents, of which one breaks off.
    faults.push(503, 429, undefined, undefined, "cut");
    assert.deepEqual(await read(`${site.url}/image.ozx`, {}, "n"), Array.from({ length: 10 }, (_, n) => n));
    assert.equal(faults.length, 0);
    const whole = asked() - 3;

    const failure = (options) =>
      page.run(
        async ({ Group }, { url, options }) => Group.open(url, options).then(() => "opened", ({ name, status, message }) => ({ name, status, message })),
        { url: `${site.url}/image.ozx`, options },
      );
    requests.length = 0;
    faults.push(503, 503);
    const { name, status, message } = await failure({ retries: 1 });
    assert.deepEqual([name, status, asked()], ["StoreError", 503, 2]);
    assert.match(message, /image\.ozx: the host answered 503; the host failed, and again at each retry/);
    requests.length = 0;
    faults.push(500);
    assert.equal((await failure({ retries: 0 })).status, 500);
    assert.equal(asked(), 1);
    assert.deepEqual(await read(`${site.url}/image.ozx`, { retries: 0 }, "n"), Array.from({ length: 10 }, (_, n) => n));
    assert.equal(asked(), 1 + whole, "a host without faults is asked once for each part");
  });

  test("retries that are no number are an error of zipStore too", async () => {
    const found = await page.run(async (_, url) => {
      const { zipStore } = await import("/pkg/stores.js");
      return zipStore(url, { retries: -1 }).catch(({ name, message }) => `${name}: ${message}`);
    }, `${site.url}/image.ozx`);
    assert.equal(found, "TypeError: the option retries is a whole number from 0 up");
  });

  test("a group by a URL object: attributes, names and members from the zip's own list, and few requests", async () => {
    requests.length = 0;
    const found = await page.run(async ({ Group }, url) => {
      const group = await Group.open(new URL(url), { headers: { "x-key": "k" } });
      const members = await group.members();
      const array = await group.array("n");
      return { title: group.attrs.title, names: await group.list(), members: members.map(({ path, kind }) => [path, kind]), last: [...(await array.get([9])).data] };
    }, `${site.url}/image.ozx`);
    assert.deepEqual(found, { title: "zipped", names: { folders: ["n"], files: ["zarr.json"] }, members: [["n", "array"]], last: [9] });
    assert.deepEqual(requests.map(([method]) => method), ["HEAD", ...Array(requests.length - 1).fill("GET")]);
    assert.ok(requests.length <= 6, `${requests.length} requests`);
    assert.ok(requests.every(([, , key]) => key === "k"));
  });

  test("documents behind chunks are read where the comment says that there are none, and of two with one name the last", async () => {
    const found = await page.run(async ({ Group }, url) => {
      const group = await Group.open(url);
      const members = (await group.members()).map(({ path, kind, attrs }) => [path, kind, attrs.title ?? ""]);
      return { title: group.attrs.title, members, last: [...(await (await group.array("n")).get([9])).data] };
    }, `${site.url}/claimed.ozx`);
    assert.deepEqual(found, { title: "the last one", members: [["later", "group", "behind the chunks"], ["n", "array", ""]], last: [9] });
  });

  test("a Blob by the option format, and a folder of the page lists its names", async () => {
    const found = await page.run(async ({ Group }, url) => {
      const { directoryStore } = await import("/pkg/stores.js");
      const group = await Group.open(await (await fetch(url)).blob(), { format: "zip" });
      const root = await navigator.storage.getDirectory();
      const folder = await root.getDirectoryHandle("a.zarr", { create: true });
      const inside = await folder.getDirectoryHandle("in", { create: true });
      for (const handle of [folder, inside]) {
        const file = await (await handle.getFileHandle("zarr.json", { create: true })).createWritable();
        await file.write(JSON.stringify({ zarr_format: 3, node_type: "group", attributes: {} }));
        await file.close();
      }
      const picked = await Group.open(directoryStore(root), { path: "a.zarr" });
      return { title: group.attrs.title, names: await picked.list(), members: (await picked.members()).map(({ path, kind }) => [path, kind]) };
    }, `${site.url}/image.ozx`);
    assert.deepEqual(found, { title: "zipped", names: { folders: ["in"], files: ["zarr.json"] }, members: [["in", "group"]] });
  });

  test("a zip with its stores in folders names these, and the address to open", async () => {
    const refused = (address, options = {}) =>
      page.run(async ({ Group, support }, { address, options }) => support.rejection(() => Group.open(address, options)), { address, options });
    const one = await refused(`${site.url}/store.zip?token=hidden`);
    assert.deepEqual([one.name, one.message], ["NotFoundError", `${site.url}/store.zip has no Zarr at its root, but in the folder "store.zarr": open the address ${site.url}/store.zip/store.zarr or { path: "store.zarr" }`]);
    const several = await refused(`${site.url}/several.zip`);
    assert.equal(several.message, `${site.url}/several.zip has no Zarr at its root, but in the folders "a.zarr", "b & c/run.zarr": open the address ${site.url}/several.zip/a.zarr or { path: "a.zarr" }`);
    const none = await refused(`${site.url}/store.zip/other.zarr`);
    assert.deepEqual([none.name, /has no file "other\.zarr"/.test(none.message)], ["NotFoundError", true], none.message);
    const found = await page.run(async ({ Group }, url) => {
      const group = await Group.open(url);
      const file = await Group.open(await (await fetch(url.split(".zip")[0] + ".zip")).blob(), { format: "zip" }).catch(({ message }) => message);
      return { title: group.attrs.title, names: await group.list(), members: (await group.members()).map(({ path, kind }) => [path, kind]), file };
    }, `${site.url}/store.zip/store.zarr`);
    assert.deepEqual([found.title, found.names, found.members], ["zipped", { folders: ["n"], files: ["zarr.json"] }, [["n", "array"]]]);
    assert.match(found.file, /has no Zarr at its root, but in the folder "store\.zarr": open \{ path: "store\.zarr" \}$/);
  });

  test("what is no zip, and what is not there, are errors that name the address", async () => {
    const refused = (address, options) =>
      page.run(async ({ Group, support }, { address, options }) => support.rejection(() => Group.open(address ?? new Blob(["no zip"]), options)), { address, options });
    const [none, member, blob] = [await refused(`${site.url}/none.zip`, {}), await refused(`${site.url}/image.ozx`, { path: "none" }), await refused(undefined, { format: "zip" })];
    assert.deepEqual([none.name, none.status], ["StoreError", 404]);
    assert.match(none.message, /none\.zip/);
    assert.equal(member.name, "NotFoundError");
    assert.equal(blob.name, "StoreError");
    assert.match(blob.message, /not a zip/);
    assert.deepEqual(page.errors, []);
  });
});
