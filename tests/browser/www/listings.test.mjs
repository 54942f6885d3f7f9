/** The explorer over groups without consolidated metadata: what hosts list, what attributes name, and the box for a name. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { promisify } from "node:util";

import { startExplorer } from "../support/explorer.mjs";
import { apacheIndex, bucketListing, nginxListing, pythonListing } from "../support/listings.mjs";
import { until } from "../support/network.mjs";
import { ROOT } from "../support/paths.mjs";
import { files } from "../support/server.mjs";

const python = process.env.PYTHON ?? join(ROOT, ".tools/local/venv/bin/python");

/** Everything in the store, as zarr-python lists it. */
const MEMBERS = `import sys, zarr
print("\\n".join(sorted(path for path, _ in zarr.open_group(sys.argv[1], mode="r").members(max_depth=None))))`;

describe("groups that are not consolidated", () => {
  let directory;
  let explorer;
  let user;
  let members;
  const hosts = [];

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), "rectilinear-explorer-"));
    const run = promisify(execFile);
    await run(python, ["-W", "ignore", join(ROOT, "tests/oracle/explorer.py"), directory]);
    members = (await run(python, ["-W", "ignore", "-c", MEMBERS, join(directory, "store.zarr")])).stdout.trim().split("\n");
    await cp(join(directory, "store.zarr/run"), join(directory, "folder/first.zarr"), { recursive: true });
    hosts.push(await nginxListing(directory), await pythonListing(directory, python));
    const serve = files(directory);
    explorer = await startExplorer({
      "/made": directory,
      "/nginx": hosts[0].handle,
      "/python": hosts[1].handle,
      async "/apache"(request, response) {
        if (!request.url.endsWith("/")) return serve(request, response);
        const index = await apacheIndex(join(directory, request.url), `/apache${request.url}`).catch(() => undefined);
        response.writeHead(index ? 200 : 404, { "Content-Type": "text/html;charset=UTF-8" }).end(index);
      },
      "/forbidden": (request, response) => (/zarr\.json|\/c\//.test(request.url) ? serve(request, response) : response.writeHead(403).end()),
    }, { watches: true });
  });
  after(async () => {
    await explorer?.close();
    await Promise.all(hosts.map(({ close }) => close()));
    if (directory) await rm(directory, { recursive: true, force: true });
  });
  beforeEach(async () => {
    explorer.reset();
    user = await explorer.page();
  });
  afterEach(() => user.close());

  const sorted = async () => (await user.tree()).sort();

  for (const host of ["nginx", "python", "apache"]) {
    test(`what ${host} lists is the tree`, async () => {
      await user.show(`url=${explorer.site.url}/${host}/store.zarr`);
      assert.equal(await user.text("#title"), "Temperature");
      assert.deepEqual(await sorted(), members);
      assert.equal(await user.text(".tree-note"), "");
      assert.equal(await user.page.$eval(".add-member", ({ hidden }) => hidden), true);
      assert.match(await user.text(".where .now"), /27 Feb 2001/); // the coordinates were found too
      await user.page.click('[data-path="read/people"]');
      await user.says("#title", /^people$/);
      await user.settled();
      await user.page.reload();
      await user.settled();
      await user.says("#contents", /spike/); // an address of an array has the whole tree as well
      assert.deepEqual(await sorted(), members);
      assert.deepEqual(user.problems, []);
    });
  }

  test("what a bucket lists is the tree, a page at a time", async () => {
    await user.page.setRequestInterception(true);
    const asked = [];
    user.page.on("request", async (request) => {
      const url = new URL(request.url());
      if (url.origin === explorer.site.url) return request.continue();
      asked.push(url);
      const headers = { "access-control-allow-origin": "*" };
      if (url.searchParams.has("list-type")) return request.respond({ status: 200, headers, contentType: "application/xml", body: await bucketListing(directory, url, 2) });
      const body = await readFile(join(directory, url.pathname.replace(/^\/bucket(?=\/)/, ""))).catch(() => undefined);
      request.respond(body ? { status: 200, headers, body } : { status: 404, headers });
    });
    for (const address of ["https://bucket.s3.eu-west-1.amazonaws.com/store.zarr", "https://storage.googleapis.com/bucket/store.zarr", "https://s3.eu-west-1.amazonaws.com/bucket/store.zarr", "https://minio.example/bucket/store.zarr"]) {
      asked.length = 0;
      await user.show(`url=${address}`);
      assert.equal(await user.text("#title"), "Temperature", address);
      assert.deepEqual(await sorted(), members, address);
      assert.deepEqual([...new Set(asked.filter(({ search }) => search).map(({ pathname }) => pathname))], [address.includes("//bucket.") ? "/" : "/bucket"]);
    }
    assert.deepEqual(user.problems, []);
  });

  test("a folder that is no group shows the stores that its host lists", async () => {
    await user.show(`url=${explorer.site.url}/nginx/folder`);
    assert.deepEqual(await sorted(), ["first.zarr", "first.zarr/level", "first.zarr/temp", "first.zarr/time"]);
    assert.match(await user.text(".tree-note"), /no Zarr group/);
    assert.equal(await user.text("#title"), "Temperature");
    assert.match(await user.page.evaluate(() => location.hash), /nginx\/folder\/first\.zarr\/temp/);
    assert.deepEqual(user.problems, []);
  });

  test("the levels that a pyramid names are found, as one entry, where the host lists nothing", async () => {
    for (const host of ["made", "forbidden"]) {
      await user.show(`url=${explorer.site.url}/${host}/pyramid.zarr`);
      await user.says(".tree-note", /what its attributes name/);
      assert.deepEqual(await sorted(), ["0"]);
      assert.match(await user.text('[role="treeitem"]'), /pyramid\.zarr.*3 levels/);
      assert.match(await user.text("#sums"), /y 16.*x 16/); // the finest
    }
    assert.deepEqual(user.problems, []);
  });

  test("the box takes a name: of an array, of a group, and of nothing", async () => {
    await user.show(`url=${explorer.site.url}/made/store.zarr`);
    assert.match(await user.text("#dek"), /not consolidated/);
    const add = async (name) => {
      await user.page.$eval("#member", (input) => (input.value = ""));
      await user.page.type("#member", name);
      await user.page.keyboard.press("Enter");
    };
    await add("nowhere");
    await user.says("#error", /nothing named “nowhere” is in store\.zarr/);
    await user.settled();
    await add("/gaps/");
    await user.says("#title", /^gaps$/);
    await user.settled();
    assert.deepEqual(await user.tree(), ["gaps"]);
    await add("run");
    await user.waitFor(() => document.querySelector('[data-path="run"]'));
    assert.deepEqual(await user.tree(), ["gaps", "run"]);
    assert.equal(await user.text("#title"), "gaps"); // what is in that group, nobody knows
    await add("run/temp");
    await user.says("#title", /Temperature/);
    await user.settled();
    assert.match(await user.text(".where .now"), /27 Feb 2001/);
    assert.deepEqual(await user.tree(), ["gaps", "run", "run/temp"]);
    await user.page.goBack();
    await user.says("#title", /^gaps$/);
    assert.deepEqual(user.problems, []);
  });

  test("nothing red is in the console where everything is stored, and one line for each missing chunk", async () => {
    const said = [];
    const failed = [];
    user.page.on("console", (message) => message.type() === "error" && said.push(`${message.text()} ${message.location().url ?? ""}`));
    user.page.on("requestfailed", (request) => request.method() === "HEAD" && failed.push(request.url()));
    await user.show("url=data/clear-sky-2024.zarr/hours/ghi&at=5,12&point=20,40");
    await user.says("#series h2", /Along time/); // a shard a month
    assert.deepEqual([said, failed], [[], []]);
    await user.show(`url=${explorer.site.url}/nginx/store.zarr/gaps`);
    await user.says("#contents", /spike/);
    await user.page.click("#chunks");
    await user.page.select("#rows", "1");
    await user.settled();
    const missing = () => said.filter((line) => line.includes("/gaps/c/"));
    await until(() => missing().length >= 4);
    const chunks = missing();
    assert.equal(new Set(chunks).size, 4); // those of its six chunks that are not stored
    assert.equal(chunks.length, 4, "none is asked for twice");
    assert.deepEqual(said.filter((line) => !line.includes("/gaps/")), []);
    assert.deepEqual(user.problems, []);
  });
});
