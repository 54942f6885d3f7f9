/**
 * Secrets in a page: reads of private data that work, and reads that fail in each way, with every kind of key. No key, token
 * or signature is in an error, on the console, in `onRequest`, in a cache, or in an address that an object gives.
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { ofItems } from "../support/bucket.mjs";
import { openPage } from "../support/chromium.mjs";
import { allow, listen } from "../support/server.mjs";

const COUNT = 6;

/** Texts that must be nowhere: what callers give, and what is made of it. */
const SECRETS = ["hidden-key", "hidden-secret", "hidden-session", "hidden-token", "hidden-sig", "hidden-header"];
const SIGNED = /X-Amz-|AWS4-HMAC|[?&]sig=|Bearer /i;

const isChunk = (url) => /\/c\//.test(url);
const isDocument = (url) => /zarr\.json|refs\.json|file\.nc/.test(url);
const xml = (code, text = "") => `<Error><Code>${code}</Code><Message>${text}</Message></Error>`;

/** How a host fails a read, by what it answers. */
const FAULTS = {
  nothing: () => undefined,
  "a wrong key": () => [403, xml("InvalidAccessKeyId", "hidden-key is unknown")],
  "keys that ended": () => [400, xml("ExpiredToken", "hidden-session")],
  "a token that ended": () => [401, "hidden-token"],
  "no permission": (url) => (isChunk(url) ? [403, xml("AccessDenied")] : undefined),
  "no array": () => [404, xml("NoSuchKey", "hidden-key")],
  "documents that are none": (url) => (isDocument(url) ? [200, "{"] : undefined),
  "chunks cut short": (url) => (isChunk(url) ? [200, "ab"] : undefined),
  "a server that fails": (url) => (isChunk(url) ? [500, "hidden-sig"] : undefined),
  "a redirect to another origin": (url, elsewhere) => (/\/c\/2/.test(url) ? [302, "", { Location: `${elsewhere}/x` }] : undefined),
};

/** Kinds of access: the module's function, its options, the address, and what the host gets. */
const KINDS = {
  "s3, signed in the query": ["s3", (url) => ({ endpoint: url, credentials: { accessKeyId: "hidden-key", secretAccessKey: "hidden-secret", sessionToken: "hidden-session" } }), "s3://private/run", /X-Amz-Signature=/],
  "s3, signed in headers": ["s3", (url) => ({ endpoint: url, by: "headers", credentials: { accessKeyId: "hidden-key", secretAccessKey: "hidden-secret", sessionToken: "hidden-session" } }), "s3://private/run", /AWS4-HMAC/],
  "gcs by a token": ["gcs", (url) => ({ endpoint: url, credentials: "hidden-token" }), "gs://private/run", /Bearer hidden-token/],
  "gcs by HMAC keys": ["gcs", (url) => ({ endpoint: url, hmac: { accessKeyId: "hidden-key", secretAccessKey: "hidden-secret" } }), "gs://private/run", /X-Amz-Signature=/],
  "azure by a signature": ["azure", (url) => ({ endpoint: `${url}/account`, credentials: "sv=2020&sig=hidden-sig" }), "az://private/run", /sig=hidden-sig/],
  "azure by a token": ["azure", (url) => ({ endpoint: `${url}/account`, credentials: { token: "hidden-token" } }), "az://private/run", /Bearer hidden-token/],
  headers: [undefined, () => ({ headers: { authorization: "Bearer hidden-header", "x-api-key": "hidden-key" } }), "HTTP/private/run", /hidden-header/],
  "an address with a signature": [undefined, () => ({}), "HTTP/private/run?sig=hidden-sig", /sig=hidden-sig/],
  "references with signatures": [undefined, () => ({}), "HTTP/private/refs.json?sig=hidden-sig", /c\/\d\?sig=hidden-sig|refs.json\?sig=hidden-sig/],
  "a file with a signature": [undefined, () => ({}), "HTTP/private/file.nc?sig=hidden-sig", /sig=hidden-sig/],
};

/** In the page: opens, reads and lists; gives all texts that the package says. */
async function said(zarr, { kind, options, address, persist }) {
  const access = kind && (await import("/pkg/access.js"))[kind](options);
  const heard = [];
  const more = { ...(access ? { access } : options), persist, retries: 0, onRequest: (info) => heard.push(info) };
  /** All texts of a value: its own fields, those of causes and of prototypes' getters among them. */
  const textsOf = (value, depth = 0) => {
    if (depth > 4 || value === null || (typeof value !== "object" && typeof value !== "function")) return [String(value)];
    const names = new Set(Object.getOwnPropertyNames(value));
    if (value instanceof Error) for (const name of ["name", "message", "stack", "cause", "key", "url", "path", "status", "tried"]) names.add(name);
    return [String(value), ...[...names].flatMap((name) => { try { return textsOf(value[name], depth + 1); } catch (error) { return [String(error)]; } })];
  };
  const found = { texts: [], data: undefined, failures: 0 };
  const attempt = async (work) => {
    try {
      return await work();
    } catch (error) {
      found.failures++;
      found.texts.push(...textsOf(error));
      return undefined;
    }
  };
  const group = await attempt(() => zarr.Group.open(address, more));
  const array = await attempt(() => (group ? group.array("n") : zarr.RectilinearArray.open(`${address.split("?")[0]}/n`, more)));
  if (array) {
    const region = await attempt(() => array.get());
    found.data = region && [...region.data];
    await attempt(() => array.get([2]));
    await attempt(() => array.refresh());
    await attempt(() => array.getChunk([1]));
    found.texts.push(...textsOf({ path: array.path, attrs: array.attrs, text: String(array), json: JSON.stringify(array), metadata: array.metadata }));
    found.texts.push(...textsOf(array.plan([zarr.slice(0, 3)])));
  }
  if (group) {
    await attempt(() => group.list());
    await attempt(() => group.members());
    await attempt(() => group.array("absent"));
    found.texts.push(String(group), JSON.stringify(group.attrs));
  }
  if (access) found.texts.push(String(access), JSON.stringify(access.plain));
  const cache = await caches.open(persist);
  for (const request of await cache.keys()) {
    found.texts.push(request.url, JSON.stringify([...request.headers]), JSON.stringify([...(await cache.match(request)).headers]));
  }
  await caches.delete(persist);
  array?.free();
  group?.free();
  return { ...found, heard: JSON.stringify(heard), storage: JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]) };
}

/** In the page: reads twice by each query, and says what was requested. */
async function readTwice({ RectilinearArray }, { url, queries, persist }) {
  const requests = [];
  for (const query of queries) {
    const array = await RectilinearArray.open(`${url}/private/run/n${query}`, { persist, onRequest: ({ key }) => requests.push(`${query} ${key}`) });
    for (const nth of [0, 1]) {
      const { data } = await array.getChunk([nth]);
      if (data[0] !== nth) throw new Error(`chunk ${nth} is ${data[0]}`);
      // What is kept is put there beside the read.
      while (!(await (await caches.open(persist)).keys()).length) await new Promise((done) => setTimeout(done, 10));
    }
    array.free();
  }
  await new Promise((done) => setTimeout(done, 200));
  const kept = (await (await caches.open(persist)).keys()).map((request) => request.url);
  const again = [];
  for (const query of queries) {
    const array = await RectilinearArray.open(`${url}/private/run/n${query}`, { persist, onRequest: ({ key }) => again.push(`${query} ${key}`) });
    for (const nth of [0, 1]) await array.getChunk([nth]);
    array.free();
  }
  await caches.delete(persist);
  return { requests, kept, again };
}

describe("no key, token or signed address is told", () => {
  let page;
  let host;
  let elsewhere;
  let fault = FAULTS.nothing;
  const told = [];

  before(async () => {
    const objects = ofItems(COUNT);
    const netcdf = new DataView(new ArrayBuffer(84 + 4 * COUNT));
    // A classic file: one dimension n, one variable n of int32, whose items begin at byte 84.
    [0x43444601, 0, 10, 1, 1, 0x6e000000, COUNT, 0, 0, 11, 1, 1, 0x6e000000, 1, 0, 0, 0, 4, 4 * COUNT, 80].forEach((word, at) => netcdf.setUint32(4 * at, word));
    for (let n = 0; n < COUNT; n++) netcdf.setInt32(80 + 4 * n, n);
    objects.set("file.nc", new Uint8Array(netcdf.buffer, 0, 80 + 4 * COUNT));
    elsewhere = await listen((request, response) => allow(request, response) || response.end());
    host = await listen((request, response) => {
      response.setHeader("Access-Control-Expose-Headers", "ETag, Content-Range, Content-Length, Date");
      if (allow(request, response)) return undefined;
      const answer = fault(request.url, elsewhere.url);
      if (answer) return response.writeHead(answer[0], { "Content-Type": "application/xml", ...answer[2] }).end(request.method === "HEAD" ? undefined : answer[1]);
      if (!objects.has("refs.json")) {
        const chunks = Array.from({ length: COUNT }, (_, n) => [`n/c/${n}`, [`${host.url}/private/run/n/c/${n}?sig=hidden-sig`]]);
        const documents = ["zarr.json", "n/zarr.json"].map((key) => [key, new TextDecoder().decode(objects.get(`run/${key}`))]);
        objects.set("refs.json", new TextEncoder().encode(JSON.stringify(Object.fromEntries([...documents, ...chunks]))));
      }
      const bytes = objects.get(decodeURIComponent(request.url.split("?")[0]).replace(/^(?:\/account)?\/private\//, ""));
      if (!bytes) return response.writeHead(404).end();
      const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "") ?? [];
      if (first === undefined) return response.writeHead(200, { "Content-Length": bytes.length, ETag: '"1"' }).end(request.method === "HEAD" ? undefined : bytes);
      const part = bytes.subarray(Number(first), Number(last) + 1);
      return response.writeHead(206, { "Content-Length": part.length, "Content-Range": `bytes ${first}-${Number(first) + part.length - 1}/${bytes.length}`, ETag: '"1"' }).end(part);
    });
    page = await openPage();
    for (const one of await page.browser.pages()) one.on("console", (message) => told.push(message.text()));
    await page.run(() => console.info("the console is heard"));
    assert.ok(told.includes("the console is heard"), told.join());
  });
  after(() => Promise.all([page?.close(), host?.close(), elsewhere?.close()]));

  test("what is kept is found by its own query alone, of which the cache has a digest", async () => {
    fault = FAULTS.nothing;
    const queries = ["", "?version=1", "?version=2", "?sig=hidden-sig"];
    const { requests, kept, again } = await page.run(readTwice, { url: host.url, queries, persist: "by query" });
    for (const query of queries) for (const nth of [0, 1]) assert.ok(requests.includes(`${query} c/${nth}`), `${query} ${nth}: ${requests}`);
    assert.equal(kept.length, 8, kept.join());
    assert.doesNotMatch(kept.join(), /version|sig|hidden/);
    assert.deepEqual(again.filter((key) => /c\/\d/.test(key)), []);
  });

  for (const [name, [kind, optionsOf, address, sent]] of Object.entries(KINDS)) {
    for (const [what, answer] of Object.entries(FAULTS)) {
      test(`${name}; ${what === "nothing" ? "all works" : what}`, async () => {
        fault = answer;
        host.requests.length = elsewhere.requests.length = 0;
        const found = await page.run(said, { kind, options: optionsOf(host.url), address: address.replace("HTTP", host.url), persist: `kept ${name}` });
        const requests = host.requests.map(({ url, headers }) => url + JSON.stringify(headers));
        assert.ok(requests.some((text) => sent.test(text)), "the host was given the key");
        if (what === "nothing") assert.deepEqual(found.data, Array.from({ length: COUNT }, (_, n) => n));
        // A file has no chunks of its own that could fail.
        else if (!(name === "a file with a signature" && !answer(`${host.url}/private/file.nc`, ""))) assert.ok(found.failures > 0, "something fails");
        const texts = [...found.texts, found.heard, found.storage, ...told].join("\n");
        for (const secret of SECRETS) assert.ok(!texts.includes(secret), `${secret}: ${texts.slice(Math.max(0, texts.indexOf(secret) - 200), texts.indexOf(secret) + 100)}`);
        if (name === "s3, signed in headers" && what.startsWith("a redirect")) assert.match(texts, /a redirect; set the option region to that of the bucket/);
        const at = texts.search(SIGNED);
        assert.equal(at, -1, texts.slice(Math.max(0, at - 200), at + 100));
        // Browsers hand other headers than Authorization on, of which the types warn.
        const others = elsewhere.requests.map(({ url, headers }) => url + JSON.stringify({ ...headers, ...(name === "headers" && { "x-api-key": undefined }) }));
        for (const text of others) assert.doesNotMatch(text, /hidden|X-Amz-/i);
      });
    }
  }
});
