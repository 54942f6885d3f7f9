/** The ready-made Service Worker where options or sources change under an answer, and where its query is damaged. */

import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";

import { openPage } from "../support/chromium.mjs";
import { FaultyHost, first as once, gate, on, status } from "../support/faults.mjs";
import { until } from "../support/network.mjs";
import { registerViews, registerWorker, servingWorker } from "../support/worker.mjs";

/** Paths of the group's document, and of its array's. */
const [GROUP, ARRAY] = [/^\/zarr\.json$/, /\/growing\/zarr\.json$/];

/** Files of a group with an array of one axis in chunks of four. */
function growing(length) {
  const document = {
    zarr_format: 3,
    node_type: "array",
    shape: [length],
    data_type: "uint8",
    chunk_grid: { name: "regular", configuration: { chunk_shape: [4] } },
    chunk_key_encoding: { name: "default" },
    fill_value: 0,
    codecs: [{ name: "bytes" }],
  };
  const files = new Map([["/zarr.json", Buffer.from('{"zarr_format":3,"node_type":"group"}')], ["/growing/zarr.json", Buffer.from(JSON.stringify(document))]]);
  for (let at = 0; at < length; at += 4) files.set(`/growing/c/${at / 4}`, Buffer.from([at, at + 1, at + 2, at + 3]));
  return files;
}

describe("changes under a Service Worker", () => {
  const host = new FaultyHost(growing(4));
  let token = "one";
  const guarded = (request, response) => {
    if (request.headers["x-token"] === token) return host.handle(request, response);
    response.writeHead(401).end("no");
  };
  let page;
  before(async () => (page = await openPage({ "/pkg": servingWorker, "/near": host.handle, "/secret": guarded })));
  afterEach(() => host.reset());
  after(() => page?.close());

  const ask = (url) =>
    page.run(async (_, url) => {
      const response = await fetch(url, { cache: "no-store" });
      return { status: response.status, body: [...new Uint8Array(await response.arrayBuffer())] };
    }, url);
  const text = ({ body }) => Buffer.from(body).toString();
  const openings = () => host.log.filter(({ path }) => GROUP.test(path)).length;

  /** Registers the source, and holds the document that the array of the first answer is opened with. */
  async function holdingFirst(sources, rule = () => {}) {
    assert.equal((await registerViews(page, sources)).error, null);
    const held = gate();
    host.rules = [on(ARRAY, once(1, (exchange) => [held, rule].forEach((one) => one(exchange))))];
    const first = ask(`${sources[0].scope}/growing/zarr.json`);
    await until(() => held.held === 1);
    return { held, first };
  }

  /** Asks for chunks until a request opened the source again: then the worker knows of the change. */
  async function askedAnew(scope) {
    const [answers, before] = [[], openings()];
    const end = Date.now() + 60_000;
    while (openings() === before) {
      assert.ok(Date.now() < end, "the worker opens the source again");
      answers.push(ask(`${scope}/growing/c/0`));
      await new Promise((done) => setTimeout(done, 20));
    }
    return Promise.all(answers);
  }

  test("an answer under way is made again: it says the chunks of the answers after it", async () => {
    const sources = [{ source: "/near", scope: "/shown/grown" }];
    const { held, first } = await holdingFirst(sources);
    for (const [key, bytes] of growing(12)) host.files.set(key, bytes);
    assert.equal((await registerViews(page, sources)).error, null);
    const anew = askedAnew("/shown/grown");
    await until(() => openings() > 1);
    held.open();
    const { shape, chunk_grid } = JSON.parse(text(await first));
    assert.deepEqual([shape, chunk_grid.configuration.chunk_shape], [[12], [12]]);
    for (const { status, body } of await anew) assert.deepEqual([status, body], [200, Array.from({ length: 12 }, (_, nth) => nth)]);
  });

  test("with the new options, whatever those of before gave", async () => {
    const sources = (value) => [{ source: "/secret", scope: "/shown/secret", retries: 0, headers: { "x-token": value } }];
    token = "old";
    const { held, first } = await holdingFirst(sources("old"), status(401));
    token = "new";
    assert.equal((await registerViews(page, sources("new"))).error, null);
    const anew = askedAnew("/shown/secret");
    await until(() => openings() > 1);
    held.open();
    assert.deepEqual([(await first).status, ...new Set((await anew).map((one) => one.status))], [200, 200]);
  });

  test("an error then is the answer, and the next request opens the source again", async () => {
    const sources = [{ source: "/near", scope: "/shown/failing", retries: 0 }];
    const { held, first } = await holdingFirst(sources);
    host.rules = [on(ARRAY, status(403))];
    assert.equal((await registerViews(page, sources)).error, null);
    const anew = askedAnew("/shown/failing");
    await until(() => openings() > 1);
    held.open();
    const failed = await first;
    assert.equal(failed.status, 502);
    assert.match(text(failed), /StoreError: .*403/);
    await anew;
    host.rules = [];
    assert.equal((await ask("/shown/failing/growing/zarr.json")).status, 200);
  });

  test("an address that is none is an answer in words, told once, and other sources are shown", async () => {
    const query = [["source", "http://["], ["source", "/near/growing"], ["source", "https://host:99999/"], ["source", "/near/growing"],
      ["scope", "/shown/nowhere"], ["scope", "http://[x"], ["scope", ""], ["scope", "/shown/somewhere"]];
    const said = [];
    const listen = async (target) => {
      if (target.type() !== "service_worker") return;
      const session = await target.createCDPSession();
      session.on("Runtime.consoleAPICalled", ({ type, args }) => said.push([type, args.map(({ value }) => value).join(" ")]));
      // What was said already is told again.
      await session.send("Runtime.enable");
    };
    page.browser.on("targetcreated", listen);
    await registerWorker(page, query);
    for (const [url, words] of [["/shown/nowhere/zarr.json", /parameter source .*http:\/\/\[/], ["/near/growing/zarr.json", /parameter scope .*http:\/\/\[x/]]) {
      for (let time = 0; time < 2; time++) {
        const found = await ask(url);
        assert.equal(found.status, 502);
        assert.match(text(found), words);
      }
    }
    assert.equal((await ask("/shown/somewhere/zarr.json")).status, 200);
    await until(() => said.length >= 3);
    assert.deepEqual(said.map(([type, words]) => [type, /parameter (\w+) .*; it is (.*)$/.exec(words)?.slice(1)]), [
      ["error", ["source", "http://["]], ["error", ["scope", "http://[x"]], ["error", ["source", "https://host:99999/"]],
    ]);
    page.browser.off("targetcreated", listen);
  });

  test("all parameters that cannot be read are named in the answer", async () => {
    await registerWorker(page, [["source", "/near"], ["scope", "/shown/faults"], ["as", "{bad"], ["missingStatuses", "403,many"], ["cacheBytes", "NaN"]]);
    const found = await ask("/shown/faults/zarr.json");
    assert.equal(found.status, 502);
    assert.deepEqual([...text(found).matchAll(/the parameter (\w+) /g)].map(([, name]) => name), ["missingStatuses", "as", "cacheBytes"]);
  });

  test("nothing was thrown outside a promise", () => assert.deepEqual(page.errors, []));
});
