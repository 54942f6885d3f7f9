/** Trees of groups whose metadata is not consolidated, as the store lists them: of pages, bounded, and ended by an abort. */

import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";

import { ofItems, startBucket } from "../support/bucket.mjs";
import { apacheIndex, nginxListing, pythonListing } from "../support/listings.mjs";
import { PACKAGE, ROOT } from "../support/paths.mjs";
import { files, startSite } from "../support/server.mjs";

const { Group } = await import(join(PACKAGE, "node.js"));
const { s3 } = await import(join(PACKAGE, "access.js"));
const { table } = await import(join(PACKAGE, "sparse.js"));

const python = process.env.PYTHON ?? join(ROOT, ".tools/local/venv/bin/python");
const KEYS = { accessKeyId: "AKID", secretAccessKey: "secret/of+this" };
const json = (value) => new TextEncoder().encode(JSON.stringify(value));

/** A hierarchy of groups and arrays, with a folder that is neither. */
function hierarchy() {
  const objects = new Map();
  const [group, array] = ["run/zarr.json", "run/n/zarr.json"].map((key) => ofItems(4).get(key));
  for (const path of ["", "/a", "/a/deep", "/z"]) objects.set(`run${path}/zarr.json`, group);
  for (const path of ["a/deep/one", "a/two", "n"]) for (const [key, value] of [["zarr.json", array], ["c/0", new Uint8Array(4)]]) objects.set(`run/${path}/${key}`, value);
  objects.set("run/notes/read.txt", json("none"));
  return objects;
}
const TREE = [["a", "group"], ["a/deep", "group"], ["a/deep/one", "array"], ["a/two", "array"], ["n", "array"], ["z", "group"]];
const shown = (entries) => entries.map(({ path, kind }) => [path, kind]);

describe("a tree that the store lists", () => {
  test("of a bucket, page by page; tree() has it from then on, and shared groups do not", async () => {
    const site = await startBucket(hierarchy(), { most: 2 });
    try {
      const open = () => Group.open("s3://private/run", { access: s3({ endpoint: site.url, region: "eu-test-1", credentials: KEYS }) });
      const group = await open();
      assert.equal(group.tree(), undefined);
      const found = await group.tree({ list: true });
      assert.deepEqual(shown(found), TREE);
      assert.deepEqual(found.find(({ path }) => path === "a/two").shape, [4]);
      assert.equal(group.tree(), found);
      assert.deepEqual(found, await group.members({ depth: Infinity }));
      const inner = await group.group("a");
      assert.equal(inner.tree(), undefined);
      assert.deepEqual(shown(await inner.tree({ list: true })), [["deep", "group"], ["deep/one", "array"], ["two", "array"]]);
      for (const each of [inner, group]) each.free();
    } finally {
      await site.close();
    }
  });

  test("is made anew by each call, and members() never takes the last one", async () => {
    const objects = new Map([...hierarchy()].map(([key, value]) => [`/${key}`, value]));
    const group = await Group.open(objects, { path: "run" });
    await group.tree({ list: true });
    objects.set("/run/later/zarr.json", objects.get("/run/zarr.json"));
    assert.ok(!group.tree().some(({ path }) => path === "later"));
    assert.ok((await group.members()).some(({ path }) => path === "later"));
    await group.tree({ list: true });
    assert.ok(group.tree().some(({ path }) => path === "later"));
    group.free();
  });

  test("is that of consolidated metadata, without a request, where there is some", async () => {
    let asked = 0;
    const consolidated_metadata = { kind: "inline", must_understand: false, metadata: { a: { zarr_format: 3, node_type: "group" } } };
    const document = json({ zarr_format: 3, node_type: "group", consolidated_metadata });
    const group = await Group.open({ get: (key) => (asked++, key === "/zarr.json" ? document : undefined), list: () => assert.fail("it is asked") });
    const before = asked;
    assert.deepEqual(await group.tree({ list: true }), group.tree());
    assert.deepEqual(shown(group.tree()), [["a", "group"]]);
    assert.equal(asked, before);
    group.free();
  });

  test("is what a table takes of a group that is not consolidated", async () => {
    const objects = new Map([...ofItems(4)].map(([key, value]) => [`/${key}`, value]));
    const group = await Group.open(objects, { path: "run" });
    const found = await table(group);
    assert.deepEqual([found.names, found.length], [["n"], 4]);
    const silent = await Group.open({ get: (key) => objects.get(key) }, { path: "run" });
    await assert.rejects(table(silent), { name: "UnsupportedError", message: /not consolidated.*no method list/ });
    for (const each of [found, group, silent]) each.free();
  });

  test("takes no other options", async () => {
    const group = await Group.open(new Map([["/zarr.json", hierarchy().get("run/zarr.json")]]));
    for (const options of [{}, { list: false }, { signal: new AbortController().signal }, { list: true, depth: 3 }, 5]) {
      await assert.rejects(group.tree(options), { name: "TypeError" }, JSON.stringify(options));
    }
    await assert.rejects(group.tree({ list: true, signal: AbortSignal.abort("over") }), (reason) => reason === "over");
    assert.equal(group.tree(), undefined);
    group.free();
  });

  test("is refused by name where the store lists nothing, or no host is asked", async () => {
    const group = await Group.open({ get: (key) => hierarchy().get(`run${key}`) });
    await assert.rejects(group.tree({ list: true }), { name: "UnsupportedError", message: /no method list/ });
    group.free();
  });

  test("ends with an error at a million names, and at too many folders", async () => {
    const page = (names, token) => `<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>${token}</NextContinuationToken>${names}</ListBucketResult>`;
    let pages = 0;
    const many = (of) => () => page(Array.from({ length: 10_000 }, (_, n) => of(`run/${pages}-${n}`)).join(""), `t${++pages}`);
    for (const [list, message, most] of [
      [many((name) => `<Contents><Key>${name}</Key></Contents>`), /more than 100000 names/, 11],
      [many((name) => `<CommonPrefixes><Prefix>${name}/</Prefix></CommonPrefixes>`), /more than 100000 names/, 11],
    ]) {
      pages = 0;
      const site = await startBucket(ofItems(1), { list });
      try {
        const group = await Group.open("s3://private/run", { access: s3({ endpoint: site.url, region: "eu-test-1", credentials: KEYS }) });
        await assert.rejects(group.tree({ list: true }), { name: "StoreError", message });
        assert.equal(group.tree(), undefined);
        assert.equal(pages, most);
        group.free();
      } finally {
        await site.close();
      }
    }
    const root = hierarchy().get("run/zarr.json");
    const names = Array.from({ length: 10_001 }, (_, n) => `${n}`);
    const group = await Group.open({ get: (key) => (key === "/zarr.json" ? root : assert.fail("it is opened")), list: () => ({ folders: names, files: [] }) });
    await assert.rejects(group.tree({ list: true }), { name: "UnsupportedError", message: /10000 folders/ });
    group.free();
  });

  test("of groups within groups without end is bounded", { timeout: 60_000 }, async () => {
    const root = hierarchy().get("run/zarr.json");
    let listed = 0;
    const group = await Group.open({ get: (key) => (key.endsWith("/zarr.json") ? root : undefined), list: () => (listed++, { folders: ["a", "b", "c", "d"], files: [] }) });
    await assert.rejects(group.tree({ list: true }), { name: "UnsupportedError", message: /10000 folders/ });
    assert.ok(listed <= 2501, `${listed} lists`);
    group.free();
  });

  test("is ended by an abort between its requests", async () => {
    const controller = new AbortController();
    const root = hierarchy().get("run/zarr.json");
    let listed = 0;
    const group = await Group.open({ get: (key) => (key.endsWith("/zarr.json") ? root : undefined), list: () => (++listed === 3 && controller.abort("enough"), { folders: ["a"], files: [] }) });
    await assert.rejects(group.tree({ list: true, signal: controller.signal }), (reason) => reason === "enough");
    assert.ok(listed <= 4, `${listed} lists`);
    assert.equal(group.tree(), undefined);
    group.free();
  });
});

describe("a tree that an index page lists", () => {
  let folder;
  let site;
  const hosts = [];
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "tree-"));
    for (const [key, value] of hierarchy()) {
      await mkdir(dirname(join(folder, key)), { recursive: true });
      await writeFile(join(folder, key), value);
    }
    hosts.push(await nginxListing(folder), await pythonListing(folder, python));
    const serve = files(folder);
    site = await startSite({
      "/nginx": hosts[0].handle,
      "/python": hosts[1].handle,
      async "/apache"(request, response) {
        if (!request.url.endsWith("/")) return serve(request, response);
        const index = await apacheIndex(join(folder, request.url), `/apache${request.url}`).catch(() => undefined);
        response.writeHead(index ? 200 : 404, { "Content-Type": "text/html;charset=UTF-8" }).end(index);
      },
    });
  });
  after(async () => {
    await site?.close();
    await Promise.all(hosts.map(({ close }) => close()));
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  for (const host of ["nginx", "python", "apache"]) {
    test(`of ${host}`, async () => {
      const group = await Group.open(`${site.url}/${host}/run`);
      assert.deepEqual(shown(await group.tree({ list: true })), TREE);
      group.free();
    });
  }
});
