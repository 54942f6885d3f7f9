/** Google Cloud Storage by tokens: both interfaces, names page by page, tokens that end, and lists that are none. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, beforeEach, describe, test } from "node:test";

import { HARD, ofItems } from "../support/bucket.mjs";
import { openPage } from "../support/chromium.mjs";
import { PACKAGE } from "../support/paths.mjs";
import { allow, listen } from "../support/server.mjs";

const { Group, RectilinearArray } = await import(join(PACKAGE, "node.js"));
const { gcs, list } = await import(join(PACKAGE, "access.js"));

const COUNT = 12;
const counting = Array.from({ length: COUNT }, (_, n) => n);

/** A host of one bucket by XML's addresses and by JSON's; `state.token` is the token that it takes, `state.most` the names on a page. */
async function startGoogle(objects, state) {
  const site = await listen((request, response) => {
    if (allow(request, response)) return undefined;
    const url = new URL(request.url, site.url);
    if (request.headers.authorization !== `Bearer ${state.token}`) return response.writeHead(401).end("Invalid Credentials");
    const json = (value) => response.writeHead(200, { "Content-Type": "application/json" }).end(typeof value === "string" ? value : JSON.stringify(value));
    const [, key] = /^\/storage\/v1\/b\/private\/o(?:\/([^/]*))?$/.exec(url.pathname) ?? [];
    if (url.pathname === "/storage/v1/b/private/o") return json(state.list?.(url) ?? listed(url));
    if (key !== undefined && url.searchParams.get("alt") !== "media") return json({ kind: "storage#object" });
    const bytes = objects.get(key === undefined ? decodeURIComponent(url.pathname).replace("/private/", "") : decodeURIComponent(key));
    if (!bytes) return response.writeHead(404).end("No such object");
    state.nth++;
    if (state.nth === state.ends) state.token = "second";
    return response.writeHead(200, { "Content-Length": bytes.length }).end(request.method === "HEAD" ? undefined : bytes);
  });

  function listed(url) {
    const { prefix, pageToken = "", delimiter } = Object.fromEntries(url.searchParams);
    assert.equal(delimiter, "/");
    const names = [...new Set([...objects.keys()].filter((name) => name.startsWith(prefix)).map((name) => prefix + name.slice(prefix.length).replace(/\/.*$/, "/")))].sort();
    const left = names.filter((name) => name > pageToken);
    const page = left.slice(0, state.most);
    return {
      prefixes: page.filter((name) => name.endsWith("/")),
      items: page.filter((name) => !name.endsWith("/")).map((name) => ({ name })),
      ...(left.length > page.length && { nextPageToken: page.at(-1) }),
    };
  }
  return site;
}

describe("a bucket of Google Cloud Storage", () => {
  const objects = ofItems(COUNT);
  for (const name of HARD) for (const part of ["zarr.json", "c/3"]) objects.set(`hard/${name}/${part}`, objects.get(`run/n/${part}`));
  objects.set("hard/zarr.json", objects.get("run/zarr.json"));
  const state = {};
  let site;
  let page;
  before(async () => (site = await startGoogle(objects, state)));
  after(() => Promise.all([site?.close(), page?.close()]));
  beforeEach(() => {
    site.requests.length = 0;
    Object.assign(state, { token: "first", most: 2, nth: 0, ends: Infinity, list: undefined });
  });

  for (const api of ["xml", "json"]) {
    test(`an array opens by its gs: address (${api})`, async () => {
      const array = await RectilinearArray.open("gs://private/run/n", { access: gcs({ endpoint: site.url, credentials: "first", api }) });
      assert.deepEqual([...(await array.get()).data], counting);
      assert.ok(site.requests.every(({ url }) => url.startsWith("/storage/v1/b/private/o/run%2F") === (api === "json")), site.requests.map(({ url }) => url).join());
      array.free();
    });

    test(`a token that ends in the middle of a read is asked for once (${api})`, async () => {
      let asked = 0;
      const credentials = async () => (asked++, await new Promise((done) => setTimeout(done, 20)), { token: state.token });
      state.ends = 6;
      const array = await RectilinearArray.open("gs://private/run/n", { access: gcs({ endpoint: site.url, credentials, api }), concurrency: 4 });
      assert.deepEqual([...(await array.get()).data], counting);
      assert.equal(asked, 2);
      array.free();
    });
  }

  test("names that are hard to encode are listed page by page, and read", async () => {
    const access = gcs({ endpoint: site.url, credentials: "first", api: "json" });
    const group = await Group.open("gs://private/hard", { access });
    const { folders, files } = await group.list();
    assert.deepEqual([folders.sort(), files], [[...HARD].sort(), ["zarr.json"]]);
    assert.equal(site.requests.filter(({ url }) => /\/o\?/.test(url)).length, 4);
    for (const name of HARD) {
      const array = await RectilinearArray.open(`gs://private/hard/${name}`, { access });
      assert.deepEqual([...(await array.get([3])).data], [3], name);
      array.free();
    }
    assert.deepEqual((await group.members()).map(({ path }) => path).sort(), [...HARD].sort());
    assert.deepEqual((await group.tree({ list: true })).map(({ path }) => path).sort(), [...HARD].sort());
    group.free();
  });

  test("a wrong token is an error at once, without the token", async () => {
    await assert.rejects(Group.open("gs://private/run", { access: gcs({ endpoint: site.url, credentials: "hidden" }) }), (error) => {
      assert.deepEqual([error.name, error.status, error.refusedKeys], ["StoreError", 401, true]);
      assert.match(error.message, /\(gcs\): status 401; give another token/);
      assert.doesNotMatch(error.message + error.stack, /hidden/);
      return true;
    });
    assert.equal(site.requests.length, 1);
  });

  for (const [what, answer, message] of [
    ["no JSON", () => "<html>", /not that of Google Cloud Storage.*option api/],
    ["JSON of another kind", () => ({ items: [{ id: 1 }] }), /not that of Google Cloud Storage/],
    ["a list that is null", () => "null", /not that of Google Cloud Storage/],
    ["a million names", (() => {
      let pages = 0;
      return () => ({ items: Array.from({ length: 10_000 }, (_, n) => ({ name: `run/${pages}-${n}` })), nextPageToken: `t${++pages}` });
    })(), /more than 100000 names/],
  ]) {
    test(`a list with ${what} is an error that names the host`, async () => {
      state.list = answer;
      const access = gcs({ endpoint: site.url, credentials: "first", api: "json" });
      await assert.rejects(list("gs://private/run", { access }), { name: "StoreError", key: `${site.url}/storage/v1/b/private/o/run/`, message });
      assert.ok(site.requests.length <= 11);
    });
  }

  test("a list is aborted between its pages", async () => {
    const controller = new AbortController();
    let pages = 0;
    state.list = () => (++pages === 3 && controller.abort("enough"), { items: [{ name: `run/${pages}` }], nextPageToken: `t${pages}` });
    const access = gcs({ endpoint: site.url, credentials: "first", api: "json" });
    await assert.rejects(list("gs://private/run", { access, signal: controller.signal }), (reason) => reason === "enough");
    assert.ok(pages < 6);
  });

  test("a page of another origin reads it by JSON", async () => {
    page = await openPage();
    const found = await page.run(async ({ Group: Opened }, url) => {
      const { gcs: google } = await import("/pkg/access.js");
      const group = await Opened.open("gs://private/run", { access: google({ endpoint: url, credentials: "first", api: "json" }) });
      const array = await group.array("n");
      return { data: [...(await array.get()).data], names: await group.list() };
    }, site.url);
    assert.deepEqual(found, { data: counting, names: { folders: ["n"], files: ["zarr.json"] } });
    assert.deepEqual(page.errors, []);
  });
});
