/** The explorer and private data: the box for a token, what is sent where, and what is kept. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { promisify } from "node:util";
import { readFile } from "node:fs/promises";

import { startBucket } from "../support/bucket.mjs";
import { startExplorer } from "../support/explorer.mjs";
import { ROOT } from "../support/paths.mjs";
import { allow, files, listen } from "../support/server.mjs";

const python = process.env.PYTHON ?? join(ROOT, ".tools/local/venv/bin/python");
const axe = await readFile(join(ROOT, "tests/node_modules/axe-core/axe.min.js"), "utf8");
const TOKEN = "s3cret-t0ken";

describe("the explorer and private data", () => {
  let directory;
  let explorer;
  let host; // asks for a token, on an origin of its own
  let wanted; // what it takes: [header, value]
  let refusal;
  let elsewhere; // another origin, to which it may redirect
  let user;

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), "rectilinear-explorer-"));
    await promisify(execFile)(python, ["-W", "ignore", join(ROOT, "tests/oracle/explorer.py"), directory]);
    explorer = await startExplorer({ "/made": directory }, { keeps: false });
    const serve = files(directory);
    elsewhere = await listen((request, response) => allow(request, response) || serve(request, response));
    host = await listen((request, response) => {
      if (allow(request, response)) return undefined;
      const [name, value] = wanted;
      if (request.headers[name] !== value && !request.url.startsWith("/open/")) return response.writeHead(refusal).end("who are you");
      if (request.url.startsWith("/moved/")) return response.writeHead(302, { location: `${elsewhere.url}${request.url.slice(6)}` }).end();
      request.url = request.url.replace(/^\/open/, "");
      return serve(request, response);
    });
  });
  after(async () => {
    await explorer?.close();
    await host?.close();
    await elsewhere?.close();
    if (directory) await rm(directory, { recursive: true, force: true });
  });
  beforeEach(async () => {
    wanted = ["authorization", `Bearer ${TOKEN}`];
    refusal = 401;
    host.requests.length = elsewhere.requests.length = explorer.site.requests.length = 0;
    user = await explorer.page();
  });
  afterEach(() => user.close());

  const store = (path = "run/temp", folder = "") => `url=${host.url}${folder}/store.zarr/${path}`;
  const isAsked = () => user.page.waitForSelector("#access form", { visible: true, timeout: 60_000 });
  const hash = () => user.page.evaluate(() => location.hash);
  const give = async (token, lines = "") => {
    await isAsked();
    await user.page.$eval("#token", (input, text) => (input.value = text), token);
    await user.page.$eval("#headers", (area, text) => (area.value = text), lines);
    await user.page.click("#access form button");
  };
  const opened = async () => {
    await user.says("#title", /Temperature/);
    await user.settled();
    await user.waitFor(() => document.querySelector("#error").hidden);
  };

  test("a host that answers 401 is given the token, and the view of the link opens", async () => {
    await user.show(`${store()}&at=3,1`);
    assert.match(await user.text("#error"), /could not be fetched.*401/);
    await isAsked();
    assert.match(await user.text("#access"), new RegExp(`sent to ${host.url} alone`));
    await user.page.evaluate(axe);
    assert.deepEqual(await user.page.evaluate(async () => (await globalThis.axe.run(document)).violations.map(({ id }) => id)), []);
    await give("wrong");
    await user.waitFor((secret) => document.querySelector("#access form") && document.querySelector("#token").value !== secret, "wrong");
    await give(`Bearer ${TOKEN}`); // as people copy it
    await opened();
    assert.deepEqual(await user.texts(".where .now"), ["2 Mar 2001", "level = 850 hPa"]);
    assert.match(await hash(), /at=3,1/);
    assert.doesNotMatch(await user.traces(), new RegExp(`${TOKEN}|wrong`));
    assert.match(await user.text("#access"), /carry your Authorization/);
    assert.ok(host.requests.some(({ headers }) => headers.authorization === `Bearer ${TOKEN}`));

    await user.page.reload();
    await opened(); // the tab keeps it
    host.requests.length = 0;
    await user.page.$eval("#take details", (details) => (details.open = true));
    await user.page.waitForSelector("#take .choices", { timeout: 60_000 });
    await user.page.evaluate(() => [...document.querySelectorAll("#take button")].find(({ textContent }) => textContent === "JavaScript").click());
    assert.match(await user.page.$eval("#code", ({ value }) => value), /headers: \{ "Authorization": "…" \}/);
    const other = await explorer.page(); // another tab does not have it
    await other.show(store());
    assert.match(await other.text("#error"), /401/);
    await other.close();
    assert.deepEqual(user.problems, []);
  });

  test("the token goes to its origin alone, and is forgotten at a button", async () => {
    await user.show(store());
    await give(TOKEN);
    await opened();
    await user.page.$eval("#url", (input, address) => (input.value = address), `${elsewhere.url}/store.zarr/run/temp`);
    await user.page.click("#open button[type=submit]");
    await user.waitFor((address) => location.hash.includes(address), elsewhere.url);
    await opened();
    assert.ok(elsewhere.requests.length > 3);
    for (const { headers } of [...elsewhere.requests, ...explorer.site.requests]) assert.equal(headers.authorization, undefined);
    assert.equal(await user.page.$eval("#access", ({ hidden }) => hidden), true);

    await user.show(store());
    await opened();
    await user.page.click("#access button");
    await user.says("#error", /401/);
    await isAsked();
    assert.deepEqual(await user.page.evaluate(() => Object.keys(sessionStorage)), []);
    assert.deepEqual(user.problems, []);
  });

  test("lines of headers are sent with a 403 too, to listings and zips as to chunks, and wrong ones are explained", async () => {
    wanted = ["x-api-key", TOKEN];
    refusal = 403;
    await user.show(`url=${host.url}/store.zip`);
    for (const [token, lines, words] of [["", "", /Give a token/], ["", "X-Api-Key", /“Name: value”/], ["", "Cookie: a=b", /do not let a page send the header “Cookie”/], ["", "X Y: 1", /“Name: value”/], ["ключ", "", /Latin letters/]]) {
      await give(token, lines);
      assert.match(await user.text("#access .wrong"), words);
    }
    await give("", `X-Api-Key: ${TOKEN}\nX-Other: 1`);
    await opened();
    assert.match(await user.text("#access"), /X-Api-Key, X-Other/);
    assert.match(await user.text("#contents"), /run/);
    await user.show(store());
    await opened();
    assert.ok(host.requests.filter(({ url, method }) => method === "GET" && url.endsWith("/store.zarr/")).every(({ headers }) => headers["x-api-key"] === TOKEN));
    await user.show(store("run/temp", "/moved"));
    await user.says("#error", /StoreError/);
    assert.deepEqual(elsewhere.requests, []); // browsers would hand it on there
    assert.deepEqual(user.problems, []);
  });

  test("where only the chunks are refused, the picture comes once the token is given", async () => {
    const serve = files(directory);
    const half = await listen((request, response) => {
      if (allow(request, response)) return undefined;
      if (request.url.includes("/temp/c/") && request.headers.authorization !== `Bearer ${TOKEN}`) return response.writeHead(401).end();
      return serve(request, response);
    });
    try {
      await user.show(`url=${half.url}/store.zarr/run/temp&at=2,0`);
      await user.says("#error", /401/);
      await give(TOKEN);
      await opened();
    await user.storage();
      assert.match(await user.text(".tally"), /fetched by this step/);
      assert.match(await hash(), /at=2,0/);
      assert.deepEqual(user.problems, []);
    } finally {
      await half.close();
    }
  });

  test("the keys of a bucket sign documents, lists and chunks, are in no link and no request, and are in the code without their values", async () => {
    const names = (await readdir(join(directory, "store.zarr"), { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
    const objects = new Map();
    for (const { parentPath, path = parentPath, name } of names) {
      const file = join(path, name);
      objects.set(file.slice(directory.length + 1), await readFile(file));
    }
    const secret = "s3cret/of+this";
    const bucket = await startBucket(objects, { keys: { AKID: { secretAccessKey: secret } } });
    const fill = async (fields) => {
      await isAsked();
      await user.page.$$eval("#access details", (all) => all.forEach((details) => (details.open = true)));
      for (const [name, value] of Object.entries(fields)) await user.page.$eval(`#access [name=${name}]`, (input, text) => (input.value = text), value);
      await user.page.click("#access form button");
    };
    try {
      await user.show(`url=${bucket.url}/private/store.zarr/run/temp&at=3,1`);
      await fill({ accessKeyId: "AKID" });
      assert.match(await user.text("#access .wrong"), /both the id of the access key and its secret/);
      await fill({ accessKeyId: "AKID", secretAccessKey: "wrong", region: "eu-test-1" });
      await user.waitFor(() => document.querySelector("#access form") && !document.querySelector("#access [name=secretAccessKey]").value);
      await fill({ accessKeyId: "AKID", secretAccessKey: secret, region: "eu-test-1" });
      await opened();
      assert.match(await user.text("#access"), new RegExp(`Requests to ${bucket.url} are signed with your access key`));
      assert.match(await hash(), /at=3,1/);
      assert.doesNotMatch(await user.traces(), /s3cret|AKID|X-Amz/);
      assert.ok(bucket.requests.every(({ url }) => !url.includes(encodeURIComponent(secret)) && !url.includes("s3cret")));
      const isListed = () => bucket.answers.some((url) => url.includes("list-type"));
      for (const end = Date.now() + 60_000; !isListed() && Date.now() < end; ) await new Promise((done) => setTimeout(done, 50)); // what lies beside comes after the picture
      assert.ok(isListed(), "the bucket was listed");
      await user.page.$eval("#take details", (details) => (details.open = true));
      await user.page.waitForSelector("#take .choices", { timeout: 60_000 });
      await user.page.evaluate(() => [...document.querySelectorAll("#take button")].find(({ textContent }) => textContent === "JavaScript").click());
      const code = await user.page.$eval("#code", ({ value }) => value);
      assert.match(code, /import \{ s3 \} from "rectilinear-zarr\/access";/);
      assert.ok(code.includes(`access: s3({ region: "eu-test-1", endpoint: "${bucket.url}", credentials: { accessKeyId: "…", secretAccessKey: "…" } })`), code);
      await user.page.click("#access button"); // forgets them
      await isAsked();
      assert.deepEqual(user.problems, []);
    } finally {
      await bucket.close();
    }
  });

  test("a refusal that is dismissed takes its box away, and other errors bring none", async () => {
    await user.show(store());
    await isAsked();
    await user.page.click("#error button");
    await user.waitFor(() => document.querySelector("#access").hidden);
    await user.show(`url=${host.url}/open/absent.zarr`);
    await user.says("#error", /Nothing is there/);
    assert.equal(await user.page.$("#access:not([hidden])"), null);
    assert.deepEqual(user.problems, []);
  });
});
