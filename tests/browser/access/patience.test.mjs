/** Lists, documents of catalogs and signatures: aborts whatever they wait for, repetitions, and hosts that do not answer. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, test } from "node:test";

import { ofItems, startBucket } from "../support/bucket.mjs";
import { openPage } from "../support/chromium.mjs";
import { PACKAGE } from "../support/paths.mjs";
import { allow, listen } from "../support/server.mjs";

const { Group } = await import(join(PACKAGE, "node.js"));
const { azure, gcs, list, planetary, s3 } = await import(join(PACKAGE, "access.js"));
const { stac } = await import(join(PACKAGE, "stac-node.js"));

const KEYS = { accessKeyId: "AKID", secretAccessKey: "secret/of+this" };
const LIST = "<ListBucketResult><Contents><Key>p/a</Key></Contents></ListBucketResult>";
const CATALOG = JSON.stringify({ type: "Catalog", stac_version: "1.0.0", id: "c", links: [] });
const soon = (ms = 20) => new Promise((done) => setTimeout(done, ms));

/** What a call rejects with, and milliseconds until then. */
async function rejected(call) {
  const since = performance.now();
  const error = await call.then((value) => assert.fail(`it gave ${JSON.stringify(value)}`), (error) => error);
  return { error, ms: performance.now() - since };
}

describe("an abort while a function of credentials hangs", () => {
  const CALLS = {
    "access.list": (access, signal) => access.list("s3://private/run", { signal }),
    list: (access, signal) => list("s3://private/run", { access, signal }),
    stac: (access, signal) => stac("s3://private/catalog.json", { access, signal }),
    "Group.open": (access, signal) => Group.open("s3://private/run", { access, signal }),
  };

  for (const [name, call] of Object.entries(CALLS)) {
    test(`ends ${name} at once, for whoever aborts alone`, { timeout: 10_000 }, async () => {
      const objects = ofItems(2);
      objects.set("catalog.json", Buffer.from(CATALOG));
      const site = await startBucket(objects);
      let give;
      let asked = 0;
      const credentials = () => (asked++, new Promise((resolve) => (give = () => resolve(KEYS))));
      try {
        const access = s3({ endpoint: site.url, region: "eu-test-1", credentials });
        const controller = new AbortController();
        const [gone, kept] = [rejected(call(access, controller.signal)), call(access)];
        while (asked === 0) await soon(5);
        await soon();
        const since = performance.now();
        controller.abort();
        assert.equal((await gone).error.name, "AbortError");
        assert.ok(performance.now() - since < 2000);
        await soon();
        assert.equal(asked, 1, "no other question");
        give();
        (await kept).free?.();
        assert.equal(asked, 1);
      } finally {
        await site.close();
      }
    });
  }

  for (const name of ["list", "members", "tree"]) {
    test(`ends the method ${name} of a group`, { timeout: 10_000 }, async () => {
      const site = await startBucket(ofItems(2));
      let hangs = false;
      const credentials = () => (hangs ? new Promise(() => {}) : { ...KEYS, expiration: new Date(Date.now() + 1000) });
      try {
        const group = await Group.open("s3://private/run", { access: s3({ endpoint: site.url, region: "eu-test-1", credentials }) });
        hangs = true;
        // What came with a second left is over.
        await soon(1100);
        const controller = new AbortController();
        const gone = rejected(group[name]({ ...(name === "tree" ? { list: true } : {}), signal: controller.signal }));
        await soon();
        controller.abort();
        assert.equal((await gone).error.name, "AbortError");
        group.free();
      } finally {
        await site.close();
      }
    });
  }

  test("ends a catalog whose keys come from a service that hangs", { timeout: 10_000 }, async () => {
    const access = planetary({ fetch: () => new Promise(() => {}) });
    const controller = new AbortController();
    const gone = rejected(stac("abfs://c@acc.dfs.core.windows.net/catalog.json", { access, signal: controller.signal }));
    await soon();
    controller.abort();
    assert.equal((await gone).error.name, "AbortError");
  });
});

describe("a host that is busy", () => {
  /** A host that answers each request by the next of these, and at last with a body. */
  async function startBusy(answers, body, type = "application/xml") {
    const site = await listen((request, response) => {
      if (allow(request, response)) return undefined;
      const next = answers.shift();
      if (next === "lost") return response.destroy();
      if (next === "cut") return response.writeHead(200, { "Content-Length": "1000" }).write("<", () => response.destroy());
      if (next) return response.writeHead(next.status, next.headers).end("busy");
      return response.writeHead(200, { "Content-Type": type }).end(body);
    });
    return site;
  }

  const busy = (status = 503, headers = {}) => ({ status, headers });
  const KINDS = {
    "a list of S3": [LIST, async (url, options) => (await s3({ endpoint: url, credentials: KEYS }).list("s3://b/p", options)).files],
    "a list without keys": [LIST, async (url, options) => (await list(`${url}/b/p`, options)).files],
    "a list of Azure": ["<EnumerationResults><Blobs><Blob><Name>p/a</Name></Blob></Blobs></EnumerationResults>", async (url, options) => (await azure({ endpoint: url, credentials: "sv=1&sig=x" }).list("az://c/p", options)).files],
    "a list of Google, by JSON": ['{"items":[{"name":"p/a"}]}', async (url, options) => (await gcs({ endpoint: url, credentials: "t", api: "json" }).list("gs://b/p", options)).files],
    "a catalog": [CATALOG, async (url, options) => [(await stac(`${url}/catalog.json`, options)).id === "c" && "a"]],
  };

  for (const [kind, [body, ask]] of Object.entries(KINDS)) {
    for (const [what, answers] of [["503, then 429", [busy(), busy(429)]], ["a connection that is lost, and one that breaks off", ["lost", "cut"]]]) {
      // Without keys, other ways are tried before a request is repeated.
      if (kind === "a list without keys") answers.push(...answers);
      test(`${kind}: ${what}, and the answer comes`, { timeout: 20_000 }, async () => {
        const site = await startBusy(answers, body);
        try {
          assert.deepEqual(await ask(site.url), ["a"]);
        } finally {
          await site.close();
        }
      });
    }

    test(`${kind}: what stays busy or lost is a StoreError with the host's name, after as many requests as are asked for`, { timeout: 30_000 }, async () => {
      for (const [answer, status] of [[busy(), 503], ["lost", undefined]]) {
        const site = await startBusy(Array(50).fill(answer), body);
        try {
          const { error } = await rejected(ask(site.url, { retries: 1 }));
          assert.equal(error.name, "StoreError");
          assert.equal(error.status, status);
          assert.ok(error.message.includes(site.url), error.message);
          assert.ok(error.key.startsWith(site.url), error.key);
          assert.match(error.message, status ? /HTTP 503: the host failed, and again at each retry/ : /no answer \(.+\); check the address.*CORS/);
          // The index page, the bucket, and the index page once more.
          assert.equal(site.requests.filter(({ method }) => method === "GET").length, kind === "a list without keys" ? 4 : 2);
        } finally {
          await site.close();
        }
      }
    });
  }

  test("Retry-After is respected, up to a minute, and an abort ends the wait", { timeout: 10_000 }, async () => {
    for (const [seconds, gives] of [["1", true], ["90", false], ["30", undefined]]) {
      const site = await startBusy([busy(503, { "Retry-After": seconds })], LIST);
      const controller = new AbortController();
      const since = performance.now();
      const listing = s3({ endpoint: site.url, credentials: KEYS }).list("s3://b/p", { signal: controller.signal });
      try {
        if (gives) {
          assert.deepEqual((await listing).files, ["a"]);
          assert.ok(performance.now() - since >= 950);
        } else {
          if (gives === undefined) setTimeout(() => controller.abort(), 100);
          const { error, ms } = await rejected(listing);
          assert.equal(error.name, gives === undefined ? "AbortError" : "StoreError");
          assert.ok(ms < 2000, `${ms} ms`);
        }
        assert.equal(site.requests.length, gives ? 2 : 1);
      } finally {
        await site.close();
      }
    }
  });

  test("a host that sends nothing is given up after the option timeout", { timeout: 10_000 }, async () => {
    const site = await listen((request, response) => void (allow(request, response) || (request.url.includes("cut") && response.writeHead(200).write("<"))));
    try {
      for (const bucket of ["silent", "cut"]) {
        const { error } = await rejected(s3({ endpoint: site.url, credentials: KEYS }).list(`s3://${bucket}/p`, { timeout: 200, retries: 0 }));
        assert.equal(error.name, "StoreError");
        assert.match(error.message, /no byte came for 200 ms \(option timeout\)/);
      }
    } finally {
      await site.close();
    }
  });

  test("a refusal is not repeated", async () => {
    const site = await startBusy([busy(403)], LIST);
    try {
      await assert.rejects(list(`${site.url}/`, {}), { name: "StoreError", status: 403 });
      assert.equal(site.requests.length, 1);
    } finally {
      await site.close();
    }
  });

  test("a group passes its own options to its lists", { timeout: 20_000 }, async () => {
    const objects = ofItems(2);
    const site = await startBucket(objects);
    const fails = { left: 0 };
    const fetch = async (request) => {
      if (new URL(request.url).searchParams.has("list-type") && fails.left-- > 0) return new Response("", { status: 503 });
      return globalThis.fetch(request);
    };
    try {
      const access = s3({ endpoint: site.url, region: "eu-test-1", credentials: KEYS });
      const [once, twice] = [await Group.open("s3://private/run", { access, fetch, retries: 0 }), await Group.open("s3://private/run", { access, fetch })];
      fails.left = 1;
      await assert.rejects(once.list(), { name: "StoreError", status: 503 });
      fails.left = 2;
      assert.deepEqual((await twice.list()).folders, ["n"]);
      once.free();
      twice.free();
    } finally {
      await site.close();
    }
  });
});

test("the service of signatures is asked again where it is busy, and named where it stays so", { timeout: 20_000 }, async () => {
  const signed = (access) => access(new Request("https://daymet.blob.core.windows.net/a/1"));
  const answers = [() => new Response("", { status: 503 }), () => Promise.reject(new TypeError("fetch failed")), () => new Response(JSON.stringify({ token: "sig=x" }))];
  const access = planetary({ fetch: async () => answers.shift()() });
  assert.equal(new URL((await signed(access)).url).search, "?sig=x");
  assert.equal(answers.length, 0);
  for (const [answer, message] of [
    [() => new Response("", { status: 429 }), /sas\/v1\/token\/daymet\/a: HTTP 429: the host limits the rate/],
    [() => Promise.reject(new TypeError("Failed to fetch")), /sas\/v1\/token\/daymet\/a: no answer \(Failed to fetch\)/],
  ]) {
    let count = 0;
    const { error } = await rejected(signed(planetary({ fetch: async () => (count++, answer()) })));
    assert.equal(error.name, "StoreError");
    assert.match(error.message, message);
    assert.match(error.message, /planetarycomputer\.microsoft\.com/);
    assert.equal(count, 4);
  }
});

test("in a page: a list that cannot be fetched names its host, and an abort is at once", async () => {
  const page = await openPage();
  // A host without CORS.
  const site = await listen((_, response) => response.writeHead(404).end());
  try {
    const found = await page.run(async (_, url) => {
      const { list: listAt, s3: toBucket } = await import("/pkg/access.js");
      const told = await listAt(`${url}/b/p`, { retries: 0 }).catch(({ name, message }) => ({ name, message }));
      const controller = new AbortController();
      setTimeout(() => controller.abort(), 20);
      const access = toBucket({ endpoint: url, credentials: () => new Promise(() => {}) });
      return { told, aborted: await access.list("s3://b/p", { signal: controller.signal }).catch(({ name }) => name) };
    }, site.url);
    assert.equal(found.aborted, "AbortError");
    assert.equal(found.told.name, "StoreError");
    assert.ok(found.told.message.includes(site.url), found.told.message);
    assert.match(found.told.message, /no answer \(Failed to fetch\).*CORS/);
  } finally {
    await page.close();
    await site.close();
  }
});
