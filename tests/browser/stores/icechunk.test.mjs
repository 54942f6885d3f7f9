/** Repositories of Icechunk over HTTP: values as the package reads them, in as few requests as they take. */

import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";

import { openPage } from "../support/chromium.mjs";
import { NEIGHBOURS } from "../support/paths.mjs";
import { allow, files, listen } from "../support/server.mjs";

const SETS = join(NEIGHBOURS, "icechunk");
const sets = JSON.parse(await readFile(join(SETS, "index.json"), "utf8"));
const versions = (name) => sets.find(({ repository }) => repository === name).versions;

const [manifest] = await readdir(join(SETS, "v2/manifests"));

/** Where the sets' virtual chunks are said to be, and are. */
const PLACE = "file:///tmp/rectilinear-zarr-neighbours/";
const HERE = "/sets/";

/** Values that a page read of an array, and the requests that it took. */
function read({ Group, support: _ }, { url, path, options = {}, selection = null, place, here }) {
  const requests = [];
  const onRequest = ({ key, range, status }) => requests.push({ key: new URL(key, location.href).pathname.split("/").slice(-2).join("/"), range, status });
  const resolveUrl = (listed) => (place && listed.startsWith(place) ? new URL(listed.replace(place, here), location.href) : undefined);
  return Group.open(url, { workers: 0, onRequest, resolveUrl, ...options })
    .then((group) => group.array(path))
    .then((array) => array.get(selection).then(({ data }) => ({ array, data })))
    .then(({ array, data }) => ({
      shape: array.shape,
      dtype: array.dtype,
      sizes: array.writeChunkSizes,
      bytes: [...new Uint8Array(data.buffer, data.byteOffset, data.byteLength)],
      requests,
    }))
    .catch(({ name, message, path }) => ({ error: { name, message, path }, requests }));
}

/** Which kinds of files were asked for, and how often. */
function kinds(requests) {
  const counts = {};
  for (const { key } of requests) {
    const kind = /(snapshots|manifests|chunks)\//.exec(key)?.[1] ?? key.split("/").pop();
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}

describe("repositories of Icechunk", () => {
  let page;
  before(async () => {
    page = await openPage({ "/sets": NEIGHBOURS });
  });
  after(() => page?.close());

  const url = (name) => `${HERE}icechunk/${name}`;
  const at = (name, path, more = {}) => page.run(read, { url: url(name), path, place: PLACE, here: HERE, ...more, options: { format: "icechunk", ...more.options } });

  for (const { repository, versions } of sets) {
    for (const { options, arrays } of versions) {
      for (const { path, shape, dtype, expected } of arrays) {
        test(`${repository} ${Object.entries(options).flat().join(" ")}: ${path}`, async () => {
          const found = await at(repository, path, { options });
          assert.equal(found.error, undefined);
          assert.deepEqual(found.shape, shape);
          assert.equal(found.dtype, dtype);
          assert.deepEqual(Buffer.from(found.bytes), await readFile(join(SETS, expected)));
        });
      }
    }
  }

  test("version 2 opens in two requests, then one for each manifest and each chunk; neighbours in a file come together", async () => {
    const found = await at("v2", "t2m");
    assert.deepEqual(found.sizes, [[31, 29, 31], [4], [6]]);
    assert.deepEqual(found.requests.slice(0, 2).map(({ key, status }) => [key.replace(/\/.{20}$/, ""), status]), [["v2/repo", 200], ["snapshots", 200]]);
    assert.deepEqual(kinds(found.requests), { repo: 1, snapshots: 1, manifests: 1, chunks: 2 }); // the third is short, and stands in the manifest
    assert.ok(found.requests.slice(3).every(({ range, status }) => range.length === 2 && status === 206));
  });

  test("what stands in manifests takes no request of its own, and members none at all", async () => {
    const found = await at("v2", "lat");
    assert.deepEqual(kinds(found.requests), { repo: 1, snapshots: 1, manifests: 1 });
    const counts = await page.run(async ({ Group }, { url }) => {
      let count = 0;
      const repository = await Group.open(url, { format: "icechunk", onRequest: () => count++ });
      const array = await repository.array("surface/deep/er/scalar");
      await repository.group("surface/deep");
      return [count, array.shape.length, repository.tree().map(({ path }) => path)];
    }, { url: url("v2") });
    assert.deepEqual(counts, [2, 0, ["lat", "surface", "surface/deep", "surface/deep/er", "surface/deep/er/scalar", "surface/wind", "surface-level", "t2m", "time"]]);
  });

  test("only the manifests of what is read are asked for, and what is missing is asked for nowhere", async () => {
    const row = await at("split", "field", { selection: [[0, 5]] });
    assert.deepEqual(kinds(row.requests), { repo: 1, snapshots: 1, manifests: 1, chunks: 4 });
    const two = await at("split", "field", { selection: [[5, 6]] });
    assert.deepEqual(kinds(two.requests), { repo: 1, snapshots: 1, manifests: 2, chunks: 4 });
    const missing = await at("v2", "surface/wind", { selection: [null, 11] });
    assert.deepEqual(kinds(missing.requests), { repo: 1, snapshots: 1 });
    assert.deepEqual(new Float32Array(Uint8Array.from(missing.bytes).buffer), new Float32Array(8).fill(-1));
  });

  test("a slash at the end and a query make no difference, and the query goes along", async () => {
    const found = await at("v2/?token=secret", "surface/wind");
    assert.equal(found.error, undefined);
    const asked = page.site.requests.filter(({ url }) => url.includes("token=secret"));
    assert.deepEqual(asked.map(({ url }) => url.split("/").at(-2)), ["v2", "snapshots", "manifests", "chunks", "chunks", "chunks", "chunks"]);
  });

  test("version 1 is opened by its names", async () => {
    const found = await at("v1", "surface/wind");
    assert.deepEqual(found.requests.slice(0, 3).map(({ key, status }) => [key.replace(/\/.{20}$/, ""), status]), [["v1/repo", 404], ["branch.main/ref.json", 200], ["snapshots", 200]]);
  });

  test("virtual chunks come from their files, near ones in one request", async () => {
    const containers = { months: "../../" };
    const found = await at("virtual", "t2m", { options: { containers } });
    assert.equal(found.error, undefined);
    assert.deepEqual(found.sizes, [[31, 29, 31], [8], [12]]);
    assert.deepEqual(found.requests.slice(3).map(({ key }) => key).sort(), ["kerchunk/feb.nc", "kerchunk/jan.nc", "kerchunk/mar.nc"]);
    const cells = await at("virtual", "cells", { selection: [[3, 4, 500]] });
    assert.deepEqual(cells.requests.slice(3).map(({ key }) => key).sort(), ["icechunk/cells-0.bin", "icechunk/cells-1.bin"]);
  });

  test("a place that no browser can ask is named, and so is the option that helps", async () => {
    const found = await at("virtual", "t2m", { place: undefined });
    assert.equal(found.error.name, "UnsupportedError");
    assert.match(found.error.message, /file:\/\/.*resolveUrl/s);
  });

  test("snapshots tells the history, and refs the names", async () => {
    for (const { repository, refs, versions } of sets) {
      for (const { options, history } of versions) {
        const [told, named, requests] = await page.run(async ({ Group }, { url, options }) => {
          let requests = 0;
          const group = await Group.open(url, { format: "icechunk", onRequest: () => requests++, ...options });
          return [await group.snapshots(), await group.refs().catch(({ name }) => name), requests];
        }, { url: url(repository), options });
        assert.deepEqual(told, history);
        assert.deepEqual(named, repository === "v1" ? "UnsupportedError" : refs);
        if (repository === "v2") assert.equal(requests, 2);
      }
    }
    const refused = await page.run(async ({ Group }) => (await Group.open("/data/in-a-group.zarr")).snapshots().catch(({ name, message }) => [name, message]));
    assert.equal(refused[0], "UnsupportedError");
    assert.match(refused[1], /Icechunk/);
  });

  test("it is detected where nothing of Zarr is, by an option that only it has, and by its name", async () => {
    for (const name of ["v1", "v2"]) {
      const found = await page.run(read, { url: url(name), path: "lat" });
      assert.equal(found.error, undefined);
      const array = await page.run(async ({ RectilinearArray }, { url }) => (await RectilinearArray.open(url, { path: "/t2m/" })).shape, { url: url(name) });
      assert.deepEqual(array, [91, 4, 6]);
    }
    const tagged = await page.run(read, { url: url("v2"), path: "surface/wind", options: { tag: "v1" } });
    assert.deepEqual(kinds(tagged.requests), { repo: 1, snapshots: 1, manifests: 1, chunks: 4 });
    const folder = files(join(SETS, "v2"));
    const host = await listen((request, response) => {
      if (allow(request, response)) return;
      request.url = request.url.replace("/run.icechunk", "");
      folder(request, response);
    });
    try {
      const found = await page.run(read, { url: `${host.url}/run.icechunk`, path: "surface/wind" });
      assert.deepEqual(kinds(found.requests), { repo: 1, snapshots: 1, manifests: 1, chunks: 4 });
    } finally {
      await host.close();
    }
    const nothing = await page.run(read, { url: "/sets/kerchunk", path: "x" });
    assert.equal(nothing.error.name, "NotFoundError");
    assert.match(nothing.error.message, /no Zarr group.*zarr\.json/s);
  });

  /** A host with a set in it, of which some files are others. */
  async function host(name, change) {
    const serve = files(join(SETS, name));
    return listen(async (request, response) => {
      if (allow(request, response)) return;
      const changed = await change(request.url.slice(1));
      if (changed === undefined) return serve(request, response);
      if (changed === null) return response.writeHead(404).end();
      response.writeHead(200).end(changed);
    });
  }

  test("refresh follows the branch, and asks for nothing again that cannot have changed", async () => {
    const [{ history }] = versions("v1");
    const ids = [...history].reverse().map(({ id }) => id).filter((id) => id !== history.at(-1).id);
    let tip = ids[0];
    const changing = await host("v1", (path) => (path === "refs/branch.main/ref.json" ? JSON.stringify({ snapshot: tip }) : undefined));
    try {
      const first = await page.run(async ({ Group }, { url }) => {
        globalThis.asked = [];
        globalThis.group = await Group.open(url, { format: "icechunk", onRequest: ({ key }) => globalThis.asked.push(new URL(key).pathname.split("/")[1]) });
        globalThis.array = await globalThis.group.array("t2m");
        const { data } = await globalThis.array.get();
        return [...data];
      }, { url: changing.url });
      const values = async (version) => {
        const bytes = await readFile(join(SETS, version.arrays.find(({ path }) => path === "t2m").expected));
        return [...new Int16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2)];
      };
      assert.deepEqual(first, await values(versions("v1").find(({ options }) => options.tag)));
      const again = () => page.run(async () => {
        globalThis.asked = [];
        await globalThis.array.refresh();
        const { data } = await globalThis.array.get();
        return { data: [...data], asked: globalThis.asked };
      });
      tip = ids.at(-1);
      const newer = await again();
      assert.deepEqual(newer.data, await values(versions("v1")[0]));
      assert.deepEqual(newer.asked.slice(0, 4), ["repo", "refs", "snapshots", "manifests"]);
      const same = await again();
      assert.deepEqual(same.data, newer.data);
      assert.deepEqual(same.asked.slice(0, 3), ["repo", "refs", "chunks"]);
    } finally {
      await changing.close();
    }
  });

  const cut = (kind) => async (path) => (path.startsWith(kind) ? (await readFile(join(SETS, "v2", path))).subarray(0, 60) : undefined);
  const swapped = (kind) => async (path) => (path.startsWith(kind) ? readFile(join(SETS, "v2/manifests", manifest)) : undefined);
  for (const [what, change, options, name, words] of [
    ["an unknown branch", () => undefined, { branch: "nope" }, "NotFoundError", /branch.*dev, main/],
    ["an unknown tag", () => undefined, { tag: "gone" }, "NotFoundError", /tag.*v1/],
    ["an unknown snapshot", () => undefined, { snapshot: "1CECHNKREP0F1RSTCMTG" }, "NotFoundError", /snapshot.*the repository has/],
    ["two versions at once", () => undefined, { branch: "main", tag: "v1" }, "UnsupportedError", /branch, tag and snapshot/],
    ["no repository", () => null, {}, "NotFoundError", /Icechunk repository/],
    ["a page for everything", () => "<!doctype html><title>Hello</title>", {}, "NotFoundError", /Icechunk repository/],
    ["a repository cut short", cut("repo"), {}, "InvalidMetadataError", /\/repo: /],
    ["a snapshot cut short", cut("snapshots"), {}, "InvalidMetadataError", /snapshots\//],
    ["a manifest cut short", cut("manifests"), {}, "InvalidMetadataError", /manifests\//],
    ["a manifest in place of a snapshot", swapped("snapshots"), {}, "InvalidMetadataError", /found kind 2/],
    ["a snapshot that is gone", (path) => (path.startsWith("snapshots") ? null : undefined), {}, "InvalidMetadataError", /nothing is there/],
    ["a manifest that is gone", (path) => (path.startsWith("manifests") ? null : undefined), {}, "InvalidMetadataError", /nothing is there/],
    ["a chunk that is gone", (path) => (path.startsWith("chunks") ? null : undefined), {}, "StoreError", /nothing is there/],
  ]) {
    test(`bad input: ${what}`, async () => {
      const broken = await host("v2", change);
      try {
        const { error } = await page.run(read, { url: broken.url, path: "surface/wind", options: { format: "icechunk", ...options } });
        assert.equal(error?.name, name, error?.message);
        assert.match(error.message, words);
      } finally {
        await broken.close();
      }
    });
  }
});
