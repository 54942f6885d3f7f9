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

  test("asks for each document once, in either format, and so does members(); what is opened later is asked for anew", async () => {
    const v3 = new Map([...hierarchy()].map(([key, value]) => [`/${key.slice(4)}`, value]));
    const array = json({ zarr_format: 2, shape: [4], chunks: [1], dtype: "<i4", compressor: null, filters: null, fill_value: 0, order: "C" });
    const v2 = new Map([...TREE, ["", "group"]].map(([path, kind]) => [`${path && `/${path}`}/${kind === "group" ? ".zgroup" : ".zarray"}`, kind === "group" ? json({ zarr_format: 2 }) : array]));
    for (const path of ["", "/a", "/n"]) v2.set(`${path}/.zattrs`, json({ at: path }));
    v2.set("/notes/read.txt", json("none"));
    for (const [files, groups, arrays] of [[v3, ["zarr.json"], ["zarr.json"]], [v2, [".zarray", ".zattrs", ".zgroup"], [".zarray", ".zattrs"]]]) {
      const asked = [];
      const folders = (path) => [...new Set([...files.keys()].map((key) => key.slice(1)).filter((key) => path === "" || key.startsWith(`${path}/`)).map((key) => key.slice(path && path.length + 1)).filter((key) => key.includes("/")).map((key) => key.split("/")[0]))];
      const group = await Group.open({ get: (key) => (asked.push(key), files.get(key)), list: (path) => (asked.push(`list ${path}`), { folders: folders(path), files: [] }) });
      asked.length = 0;
      const found = await group.tree({ list: true });
      assert.deepEqual(shown(found), TREE);
      const expected = [...TREE, ["notes"]].flatMap(([path, kind]) => [...(kind === "array" ? arrays : groups).map((name) => `/${path}/${name}`), ...(kind === "group" ? [`list ${path}`] : [])]);
      assert.deepEqual(asked.toSorted(), [...expected, "list "].sort());
      if (files === v2) assert.deepEqual(found.map(({ attrs }) => attrs.at), ["/a", undefined, undefined, undefined, "/n", undefined]);
      asked.length = 0;
      assert.equal((await group.members()).length, 3);
      assert.deepEqual(asked.toSorted(), expected.filter((key) => !key.startsWith("list") && key.split("/").length === 3).concat("list ").sort());
      // A list keeps no documents: what an array is when it is opened, it is.
      asked.length = 0;
      files.set(`/n/${arrays[0]}`, new TextEncoder().encode(new TextDecoder().decode(files.get(`/n/${arrays[0]}`)).replace('"shape":[4]', '"shape":[9]')));
      const opened = await group.array("n");
      assert.deepEqual([opened.shape, asked[0]], [[9], `/n/${arrays[0]}`]);
      for (const each of [opened, group]) each.free();
    }
  });

  test("has what is known of arrays that cannot be read, as with consolidated metadata", async () => {
    const unknown = { ...JSON.parse(new TextDecoder().decode(hierarchy().get("run/n/zarr.json"))), data_type: { name: "of-tomorrow", configuration: {} }, attributes: { units: "K" } };
    const files = new Map([["/zarr.json", hierarchy().get("run/zarr.json")], ["/x/zarr.json", json(unknown)], ["/broken/zarr.json", json({ zarr_format: 3 })], ["/text/zarr.json", new TextEncoder().encode("<html>")]]);
    const listed = await Group.open(files);
    const root = { zarr_format: 3, node_type: "group", consolidated_metadata: { kind: "inline", must_understand: false, metadata: { x: unknown } } };
    const consolidated = await Group.open(new Map([["/zarr.json", json(root)]]));
    const found = await listed.tree({ list: true });
    assert.deepEqual([found.length, found[0].path, found[0].dtype, found[0].shape, found[0].attrs], [1, "x", "of-tomorrow", [4], { units: "K" }]);
    assert.deepEqual(found, consolidated.tree());
    for (const group of [listed, consolidated]) group.free();
  });

  test("takes the members of a consolidated group within from its document", async () => {
    const member = JSON.parse(new TextDecoder().decode(hierarchy().get("run/n/zarr.json")));
    const inner = { zarr_format: 3, node_type: "group", attributes: { in: 1 }, consolidated_metadata: { kind: "inline", must_understand: false, metadata: { g: { zarr_format: 3, node_type: "group" }, "g/n": member } } };
    const files = new Map([["/zarr.json", hierarchy().get("run/zarr.json")], ["/a/zarr.json", json(inner)]]);
    const asked = [];
    const group = await Group.open({ get: (key) => (asked.push(key), files.get(key)), list: (path) => (asked.push(`list ${path}`), { folders: path === "" ? ["a"] : assert.fail(path), files: [] }) });
    asked.length = 0;
    const found = await group.tree({ list: true });
    assert.deepEqual(shown(found), [["a", "group"], ["a/g", "group"], ["a/g/n", "array"]]);
    assert.deepEqual([found[0].attrs, found[2].shape], [{ in: 1 }, [4]]);
    assert.deepEqual(asked, ["list ", "/a/zarr.json"]);
    assert.deepEqual(shown(await group.members({ depth: 2 })), [["a", "group"], ["a/g", "group"]]);
    group.free();
  });

  test("of many groups asks for their names side by side", async () => {
    const root = hierarchy().get("run/zarr.json");
    let [now, most] = [0, 0];
    const list = async (path) => {
      most = Math.max(most, ++now);
      await new Promise((done) => setTimeout(done, 5));
      now--;
      return { folders: path === "" ? Array.from({ length: 40 }, (_, n) => `g${n}`) : [], files: [] };
    };
    const group = await Group.open({ get: (key) => (key.endsWith("/zarr.json") ? root : undefined), list });
    assert.equal((await group.tree({ list: true })).length, 40);
    assert.ok(most > 8 && most <= 16, `${most} at a time`);
    group.free();
  });

  test("begins no request after one has failed", async () => {
    const root = hierarchy().get("run/zarr.json");
    let asked = 0;
    const get = async (key) => {
      if (key === "/zarr.json") return root;
      if (++asked === 1) throw new Error("the host is down");
      await new Promise((done) => setTimeout(done, 5));
      return root;
    };
    const group = await Group.open({ get, list: () => ({ folders: Array.from({ length: 500 }, (_, n) => `g${n}`), files: [] }) });
    await assert.rejects(group.tree({ list: true }), { message: /the host is down/ });
    await new Promise((done) => setTimeout(done, 50));
    assert.ok(asked <= 16, `${asked} requests`);
    group.free();
  });

  test("of a Map of many folders takes one pass over its keys", async () => {
    const files = new Map([["/zarr.json", hierarchy().get("run/zarr.json")]]);
    for (let n = 0; n < 3000; n++) for (const name of ["zarr.json", "deep/x"]) files.set(`/g${n}/${name}`, hierarchy().get("run/zarr.json"));
    for (const odd of ["//x", "/a//b/c", "/é /%2F/zarr.json", "no slash", "/"]) files.set(odd, new Uint8Array(1));
    let passes = 0;
    const group = await Group.open({ get: (key) => files.get(key), keys: () => (passes++, files.keys()) });
    assert.equal((await group.tree({ list: true })).length, 3000);
    assert.equal(passes, 1);
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
    assert.ok(listed <= 2520, `${listed} lists`);
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
