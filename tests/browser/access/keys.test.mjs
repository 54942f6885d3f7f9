/** Arrays and groups in private buckets: signatures, keys that end, clocks, regions, and what never gets a key. */

import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { after, before, describe, test } from "node:test";

import { ofItems, startBucket } from "../support/bucket.mjs";
import { openPage } from "../support/chromium.mjs";
import { NEIGHBOURS, PACKAGE } from "../support/paths.mjs";
import { allow, listen, startSite } from "../support/server.mjs";

const { Group, RectilinearArray, slice } = await import(join(PACKAGE, "node.js"));
const { asRegularStore } = await import(join(PACKAGE, "adapters.js"));
const { gcs, list, s3 } = await import(join(PACKAGE, "access.js"));

const KEYS = { accessKeyId: "AKID", secretAccessKey: "secret/of+this" };
const counting = (count) => Array.from({ length: count }, (_, n) => n);

/** All texts of an error and of its causes. */
function textsOf(error) {
  const texts = [];
  for (let at = error; at && texts.length < 10; at = at.cause) texts.push(String(at), String(at.stack), JSON.stringify(at));
  return texts.join("\n");
}

describe("buckets that check signatures", () => {
  let site;
  before(async () => (site = await startBucket(ofItems(8))));
  after(() => site?.close());
  const access = (options) => s3({ endpoint: site.url, region: "eu-test-1", credentials: KEYS, ...options });

  for (const by of ["query", "headers"]) {
    test(`an array opens by its s3: address, signed in the ${by}`, async () => {
      const array = await RectilinearArray.open("s3://private/run/n", { access: access({ by }) });
      assert.deepEqual([...(await array.get()).data], counting(8));
      array.free();
    });
  }

  test("an array opens by its HTTPS address, and a group gives its members", async () => {
    const group = await Group.open(`${site.url}/private/run`, { access: access() });
    const array = await group.array("n");
    assert.deepEqual([...(await array.get([slice(2, 5)])).data], [2, 3, 4]);
    assert.deepEqual(await group.list(), { folders: ["n"], files: ["zarr.json"] });
    assert.deepEqual((await group.members()).map(({ path, kind, shape }) => [path, kind, shape]), [["n", "array", [8]]]);
    array.free();
    group.free();
  });

  test("a list of accesses signs what is of each, in any order", async () => {
    const other = s3({ endpoint: "https://elsewhere.example", credentials: KEYS });
    for (const all of [[other, access()], [access(), other]]) {
      const array = await RectilinearArray.open(`${site.url}/private/run/n`, { access: all });
      assert.deepEqual([...(await array.get([3])).data], [3]);
      array.free();
    }
  });

  test("an access that is none, or with wrong options, says what is wrong", async () => {
    await assert.rejects(RectilinearArray.open("s3://private/run/n", { access: {} }), { name: "TypeError", message: /rectilinear-zarr\/access/ });
    assert.throws(() => s3({ by: "cookie" }), { name: "TypeError", message: /option by/ });
    assert.throws(() => s3({ endpoint: "minio" }), { name: "TypeError", message: /option endpoint/ });
    assert.throws(() => s3({ credentials: { accessKeyId: "A" } }), { name: "TypeError", message: /secretAccessKey is missing/ });
  });

  for (const [what, credentials, code] of [
    ["an unknown key", { accessKeyId: "NOBODY", secretAccessKey: "hidden-secret" }, "InvalidAccessKeyId"],
    ["a wrong secret", { accessKeyId: "AKID", secretAccessKey: "hidden-secret" }, "SignatureDoesNotMatch"],
  ]) {
    for (const by of ["query", "headers"]) {
      test(`${what} is an error at once, which has no secret (${by})`, async () => {
        const heard = [];
        const since = site.requests.length;
        const opening = RectilinearArray.open("s3://private/run/n", { access: access({ credentials, by }), onRequest: (request) => heard.push(request) });
        const error = await opening.then(() => undefined, (error) => error);
        assert.equal(error?.name, "StoreError");
        assert.equal(error.status, 403);
        assert.match(error.message, new RegExp(`${new URL(site.url).host}.*${code}`));
        assert.equal(error.refusedKeys, true);
        assert.ok(error.key.startsWith(`${site.url}/private/run/n/`), error.key);
        assert.doesNotMatch(textsOf(error) + JSON.stringify(heard), /hidden-secret|X-Amz|Signature=/);
        // One refusal tells: no other document is asked for, and none once more.
        assert.equal(site.requests.length - since, 1);
        await assert.rejects(Group.open("s3://private/run", { access: access({ credentials, by }) }), { name: "StoreError", refusedKeys: true });
        assert.equal(site.requests.length - since, 2);
      });
    }
  }
});

test("keys that end in the middle of a read of 1,000 chunks are asked for once, and nothing is lost", async () => {
  const token = (nth) => `session-${nth}`;
  let current = 1;
  const keys = { AKID: { secretAccessKey: KEYS.secretAccessKey, get sessionToken() { return token(current); } } };
  let ends = new Set([300, 650]);
  let seen = 0;
  const site = await startBucket(ofItems(1000), { keys, refuses: (nth) => void (ends.has((seen = nth)) && current++) });
  let asked = 0;
  const credentials = async () => {
    asked++;
    await new Promise((done) => setTimeout(done, 20));
    return { ...KEYS, sessionToken: token(current) };
  };
  try {
    for (const by of ["query", "headers"]) {
      asked = 0;
      ends = new Set([seen + 300, seen + 650]);
      const array = await RectilinearArray.open("s3://private/run/n", { access: s3({ endpoint: site.url, region: "eu-test-1", credentials, by }), concurrency: 24 });
      assert.deepEqual([...(await array.get()).data], counting(1000));
      assert.ok(site.refused.every((code) => code === "InvalidToken"), [...new Set(site.refused)].join());
      assert.equal(asked, 3, "once at first, and once for each end");
      array.free();
    }
  } finally {
    await site.close();
  }
});

test("new keys are asked for a minute before they end, once, and those that come with less are used to their end", async () => {
  const site = await startBucket(ofItems(40));
  const { now } = Date;
  let asked = 0;
  const lasting = [100_000, 30_000, 3_600_000];
  const credentials = () => ({ ...KEYS, expiration: new Date(Date.now() + lasting[asked++]) });
  const array = await RectilinearArray.open("s3://private/run/n", { access: s3({ endpoint: site.url, region: "eu-test-1", credentials }), cacheBytes: 0 });
  try {
    for (const [seconds, expected] of [[0, 1], [45, 2], [55, 2], [90, 3]]) {
      Date.now = () => now() + 1000 * seconds;
      assert.deepEqual([...(await array.get()).data], counting(40));
      assert.equal(asked, expected, `after ${seconds} s`);
    }
  } finally {
    Date.now = now;
    array.free();
    await site.close();
  }
});

test("a function of credentials that fails ends the read with its error, and is called again", async () => {
  const site = await startBucket(ofItems(4));
  const given = [() => Promise.reject(new Error("the keys' server is down")), () => ({ ...KEYS, expiration: "tomorrow" }), () => ({ accessKeyId: "AKID" }), () => KEYS];
  let nth = -1;
  const access = s3({ endpoint: site.url, region: "eu-test-1", credentials: () => given[nth]() });
  const array = () => RectilinearArray.open("s3://private/run/n", { access });
  try {
    for (const message of [/the keys' server is down/, /expiration of credentials must be/, /secretAccessKey is missing/]) {
      nth++;
      await assert.rejects(array(), { message });
    }
    assert.equal(site.requests.length, 0);
    nth++;
    const opened = await array();
    assert.deepEqual([...(await opened.get()).data], counting(4));
    opened.free();
  } finally {
    await site.close();
  }
});

test("a function of credentials that fails without a reason, gives nothing, or gives what is no key", async () => {
  for (const [credentials, message] of [
    [() => Promise.reject(), /credentials of s3 failed/],
    [() => { throw undefined; }, /credentials of s3 failed/],
    [() => undefined, /accessKeyId is missing/],
    [() => null, /accessKeyId is missing/],
    [() => "AKID:secret", /accessKeyId is missing/],
  ]) {
    const access = s3({ endpoint: "http://127.0.0.1:9", region: "eu-test-1", credentials });
    await assert.rejects(RectilinearArray.open("s3://private/run/n", { access }), { message });
    await assert.rejects(access.list("s3://private/run"), { message });
  }
});

test("keys as AWS STS and NASA's servers write them", async () => {
  const keys = { AKID: { secretAccessKey: KEYS.secretAccessKey, sessionToken: "session/1+" } };
  const site = await startBucket(ofItems(3), { keys });
  const later = new Date(Date.now() + 3_600_000).toISOString();
  try {
    for (const given of [
      { AccessKeyId: "AKID", SecretAccessKey: KEYS.secretAccessKey, SessionToken: "session/1+", Expiration: later },
      { ...KEYS, sessionToken: "session/1+", expiration: later.replace("T", " ").replace(/\..*/, "+00:00") },
    ]) {
      let asked = 0;
      for (const credentials of [given, () => (asked++, given)]) {
        const array = await RectilinearArray.open("s3://private/run/n", { access: s3({ endpoint: site.url, region: "eu-test-1", credentials }) });
        assert.deepEqual([...(await array.get()).data], counting(3));
        array.free();
      }
      assert.equal(asked, 1);
    }
  } finally {
    await site.close();
  }
});

test("keys that are over as they come, by a clock that is off, are asked for once, and again where the service refuses them", async () => {
  let current = 1;
  const keys = { AKID: { secretAccessKey: KEYS.secretAccessKey, get sessionToken() { return `session-${current}`; } } };
  const site = await startBucket(ofItems(40), { keys });
  let asked = 0;
  // Seconds in place of milliseconds are in 1970.
  for (const expiration of [new Date(Date.now() - 60_000), Math.floor(Date.now() / 1000) + 3600]) {
    const credentials = () => (asked++, { ...KEYS, sessionToken: `session-${current}`, expiration });
    asked = 0;
    const array = await RectilinearArray.open("s3://private/run/n", { access: s3({ endpoint: site.url, region: "eu-test-1", credentials }), cacheBytes: 0 });
    assert.deepEqual([...(await array.get()).data], counting(40));
    assert.equal(asked, 1);
    current++;
    assert.deepEqual([...(await array.get()).data], counting(40));
    assert.equal(asked, 2);
    array.free();
  }
  await site.close();
});

test("keys of a session that a host has forgotten, as MinIO does with those that have ended, are asked for again, once", async () => {
  for (const code of ["InvalidAccessKeyId", "InvalidTokenId"]) {
    let refusing = true;
    const site = await startBucket(ofItems(6), { refuses: () => (refusing ? code : undefined) });
    let asked = 0;
    const access = s3({ endpoint: site.url, region: "eu-test-1", credentials: () => (refusing = asked++ === 0, KEYS) });
    const array = await RectilinearArray.open("s3://private/run/n", { access });
    assert.deepEqual([...(await array.get()).data], counting(6));
    assert.deepEqual([asked, site.refused], [2, [code]]);
    array.free();
    refusing = true;
    const stuck = s3({ endpoint: site.url, region: "eu-test-1", credentials: () => KEYS });
    await assert.rejects(RectilinearArray.open("s3://private/run/n", { access: stuck }), { name: "StoreError", refusedKeys: true, message: new RegExp(code) });
    assert.equal(site.refused.length, 3);
    await site.close();
  }
});

test("keys of some buckets sign no request to others: each of two private buckets of one host by its own, a public one by none", async () => {
  const KEPT = { accessKeyId: "OTHER", secretAccessKey: "another/secret" };
  const own = { private: "AKID", kept: "OTHER" };
  const used = new Set();
  const files = new Map([["all.bin", new Uint8Array(Int32Array.from(counting(12)).buffer)]]);
  const site = await startBucket(files, {
    keys: { AKID: { secretAccessKey: KEYS.secretAccessKey }, OTHER: { secretAccessKey: KEPT.secretAccessKey } },
    open: "public",
    refuses(nth, { url }) {
      const [, bucket] = url.split(/[/?]/);
      const [, id] = /X-Amz-Credential=(\w+)/.exec(url) ?? [];
      used.add(`${bucket} ${id}`);
      return own[bucket] === id ? undefined : "AccessDenied";
    },
  });
  const array = { zarr_format: 2, shape: [12], chunks: [4], dtype: "<i4", compressor: null, filters: null, fill_value: 0, order: "C" };
  const refs = { ".zgroup": '{"zarr_format":2}', "a/.zarray": JSON.stringify(array) };
  for (const [n, bucket] of ["private", "kept", "public"].entries()) refs[`a/${n}`] = [`${bucket === "public" ? `${site.url}/public` : `s3://${bucket}`}/all.bin`, 16 * n, 16];
  files.set("refs.json", new TextEncoder().encode(JSON.stringify({ version: 1, refs })));
  const options = { endpoint: site.url, region: "eu-test-1" };
  try {
    const [first, second] = [s3({ ...options, credentials: KEYS, buckets: ["private"] }), s3({ ...options, credentials: KEPT, buckets: ["kept"] })];
    for (const access of [[first, second], [second, first]]) {
      const opened = await RectilinearArray.open("s3://private/refs.json", { format: "kerchunk", path: "a", access });
      assert.deepEqual([...(await opened.get()).data], counting(12));
      opened.free();
    }
    assert.deepEqual([...used].sort(), ["kept OTHER", "private AKID", "public undefined"]);
    assert.equal(first.address("s3://kept/x"), undefined);
    assert.ok(first.covers(`${site.url}/private/x`) && !first.covers(`${site.url}/kept/x`) && !first.covers(`${site.url}/private-2/x`));
    const google = gcs({ credentials: "t", buckets: ["b"] });
    assert.deepEqual(["gs://b/x", "gs://c/x"].map((url) => google.address(url)), ["https://storage.googleapis.com/b/x", undefined]);
    assert.deepEqual(["https://storage.googleapis.com/b/x", "https://b.storage.googleapis.com/x", "https://storage.googleapis.com/c/x", "https://c.storage.googleapis.com/x"].map((url) => google.covers(url)), [true, true, false, false]);
    for (const wrong of ["s3://b", ["a/b"], [""]]) assert.throws(() => s3({ buckets: wrong }), { name: "TypeError", message: /option buckets/ });
    assert.throws(() => gcs({ buckets: "gs://b" }), { name: "TypeError", message: /option buckets/ });
  } finally {
    await site.close();
  }
});

test("a page that is not secure is told what signatures need", async () => {
  const { crypto } = globalThis;
  Object.defineProperty(globalThis, "crypto", { value: {}, configurable: true });
  try {
    const access = s3({ endpoint: "http://host.example", credentials: KEYS });
    await assert.rejects(access.list("s3://b/p"), { name: "UnsupportedError", message: /secure context.*https:, or from localhost/ });
  } finally {
    Object.defineProperty(globalThis, "crypto", { value: crypto, configurable: true });
  }
});

test("HMAC keys of Google Cloud Storage read by gs: addresses", async () => {
  const site = await startBucket(ofItems(3), { region: "auto" });
  try {
    const access = gcs({ endpoint: site.url, hmac: KEYS });
    const array = await RectilinearArray.open("gs://private/run/n", { access });
    assert.deepEqual([...(await array.get()).data], counting(3));
    assert.deepEqual(await access.list("gs://private/run"), { folders: ["n"], files: ["zarr.json"] });
    array.free();
  } finally {
    await site.close();
  }
});

test("addresses of AWS: the bucket in the host or in the path, the region in the host, and no other host", async () => {
  const asked = async (options, url) => {
    const access = s3({ credentials: KEYS, ...options });
    let found;
    await access.list(url, { fetch: async ({ url }) => (found = new URL(url), new Response("<ListBucketResult></ListBucketResult>")) });
    const [, , region] = found.searchParams.get("X-Amz-Credential").split("/");
    return [`${found.host}${found.pathname}`, found.searchParams.get("prefix"), region];
  };
  for (const [options, url, expected] of [
    [{ region: "eu-west-1" }, "s3://bucket/a b/c", ["bucket.s3.eu-west-1.amazonaws.com/", "a b/c/", "eu-west-1"]],
    [{}, "s3://dotted.bucket/a", ["s3.amazonaws.com/dotted.bucket", "a/", "us-east-1"]],
    // Without a region, AWS leads the name of the bucket's host to its region.
    [{}, "s3://bucket/a", ["bucket.s3.amazonaws.com/", "a/", "us-east-1"]],
    [{}, "https://bucket.s3-fips.us-gov-west-1.amazonaws.com/a", ["bucket.s3-fips.us-gov-west-1.amazonaws.com/", "a/", "us-gov-west-1"]],
    [{}, "https://point-123.s3-accesspoint.us-west-2.amazonaws.com/a", ["point-123.s3-accesspoint.us-west-2.amazonaws.com/", "a/", "us-west-2"]],
    [{}, "https://bucket.s3-us-west-2.amazonaws.com/a", ["bucket.s3-us-west-2.amazonaws.com/", "a/", "us-west-2"]],
    [{ forcePathStyle: true, region: "cn-north-1" }, "s3://bucket/a", ["s3.cn-north-1.amazonaws.com.cn/bucket", "a/", "cn-north-1"]],
    [{}, "https://bucket.s3.eu-north-1.amazonaws.com/a", ["bucket.s3.eu-north-1.amazonaws.com/", "a/", "eu-north-1"]],
    [{}, "https://s3.eu-north-1.amazonaws.com/bucket/a", ["s3.eu-north-1.amazonaws.com/bucket", "a/", "eu-north-1"]],
    [{ region: "us-west-2" }, "https://bucket.s3-accelerate.amazonaws.com/a", ["bucket.s3-accelerate.amazonaws.com/", "a/", "us-west-2"]],
    [{}, "https://bucket.s3.dualstack.us-gov-west-1.amazonaws.com/a", ["bucket.s3.dualstack.us-gov-west-1.amazonaws.com/", "a/", "us-gov-west-1"]],
  ]) {
    assert.deepEqual(await asked(options, url), expected, url);
  }
  const access = s3({ credentials: KEYS });
  for (const url of ["https://s3.amazonaws.com.evil.example/b/k", "https://evils3.amazonaws.com/b/k", "http://bucket.s3.amazonaws.com/k", "https://example.com/s3.amazonaws.com/k", "https://bucket.s3-website-us-west-2.amazonaws.com/k"]) {
    assert.equal(access.covers(url), false, url);
    const request = new Request(url);
    assert.equal(await access(request), request);
  }
});

// A search that looks past the next tag takes hours here.
test("index pages of any text are read to their end", { timeout: 120_000 }, async () => {
  for (const piece of ["<a ", "<a href=", "<h1>", "<title ", "<a href='", "&#", "href "]) {
    const body = `<title>Index of /</title>${piece.repeat((4 << 20) / piece.length)}`;
    const found = await list("https://host.example/", { fetch: async () => new Response(body) }).catch(({ name }) => name);
    assert.ok(found === "StoreError" || Array.isArray(found.files), piece);
  }
});

for (const by of ["query", "headers"]) {
  for (const minutes of [-80, -20, 20, 80]) {
    test(`a clock that is ${minutes} minutes off is corrected (${by})`, async () => {
      const site = await startBucket(ofItems(6), { clock: () => Date.now() - minutes * 60_000 });
      try {
        const array = await RectilinearArray.open("s3://private/run/n", { access: s3({ endpoint: site.url, region: "eu-test-1", credentials: KEYS, by }) });
        assert.deepEqual([...(await array.get()).data], counting(6));
        assert.ok(site.refused.length <= 1, site.refused.join());
        array.free();
      } finally {
        await site.close();
      }
    });
  }

  test(`a bucket of another region is asked there, at the cost of one request (${by})`, async () => {
    const site = await startBucket(ofItems(6), { region: "ap-far-2" });
    try {
      const array = await RectilinearArray.open("s3://private/run/n", { access: s3({ endpoint: site.url, credentials: KEYS, by }) });
      assert.deepEqual([...(await array.get()).data], counting(6));
      assert.equal(site.refused.length, 1);
      array.free();
    } finally {
      await site.close();
    }
  });
}

const refusal = (code, more = "") => `<Error><Code>${code}</Code>${more}</Error>`;
for (const [what, status, body, headers, remedy, requests, by = ["query", "headers"]] of [
  ["a clock that is off whatever the host says", 403, () => refusal("RequestTimeTooSkewed", `<ServerTime>${new Date().toISOString()}</ServerTime>`), {}, /RequestTimeTooSkewed; set this computer's clock/, 2],
  ["a bucket of a region that the host does not name", 301, () => refusal("PermanentRedirect"), {}, /PermanentRedirect; set the option region to that of the bucket$/, 1],
  ["a bucket of a region that only the endpoint names, and that does not help", 301, () => refusal("PermanentRedirect", "<Endpoint>b.s3.eu-west-3.amazonaws.com</Endpoint>"), {}, /set the option region to that of the bucket, which the host says is eu-west-3/, 2],
  ["a region that the host names, and that does not help", 400, () => refusal("AuthorizationHeaderMalformed", "<Region>eu-west-1</Region>"), {}, /which the host says is eu-west-1/, 2],
  ["a redirect to another host", 301, () => refusal("PermanentRedirect"), { Location: "http://127.0.0.1:9/x" }, /set the option region/, 1, ["headers"]],
]) {
  for (const each of by) {
    test(`${what} is an error that names the host and what to set (${each})`, async () => {
      const site = await listen((request, response) => allow(request, response) || response.writeHead(status, { "Content-Type": "application/xml", ...headers }).end(body()));
      try {
        const opening = RectilinearArray.open("s3://private/run/n", { access: s3({ endpoint: site.url, credentials: KEYS, by: each }) });
        await assert.rejects(opening, (error) => {
          assert.equal(error.name, "StoreError");
          assert.equal(error.refusedKeys, true);
          assert.ok(error.message.startsWith(`${site.url}/private/run/n/zarr.json: the host refuses the credentials of the option access (s3)`), error.message);
          assert.match(error.message, remedy);
          return true;
        });
        assert.equal(site.requests.length, requests);
      } finally {
        await site.close();
      }
    });
  }
}

test("the length of a shard, asked for by HEAD, is asked again where a redirect of the host names no region in its headers", async () => {
  const asked = [];
  const access = s3({ credentials: KEYS, region: "us-east-1" });
  const fetch = async (request) => {
    asked.push([request.method, new URL(request.url).host]);
    if (new URL(request.url).host.includes("eu-west-3")) return new Response("", { status: 200 });
    const body = refusal("PermanentRedirect", "<Endpoint>b.s3.eu-west-3.amazonaws.com</Endpoint>");
    return new Response(request.method === "HEAD" ? null : body, { status: 301 });
  };
  const answer = await access.send(new Request("https://b.s3.us-east-1.amazonaws.com/k", { method: "HEAD" }), fetch);
  assert.equal(answer.status, 200);
  assert.deepEqual(asked, [["HEAD", "b.s3.us-east-1.amazonaws.com"], ["GET", "b.s3.us-east-1.amazonaws.com"], ["HEAD", "b.s3.eu-west-3.amazonaws.com"]]);
});

test("requester pays is signed and sent", async () => {
  const site = await startBucket(ofItems(2));
  try {
    for (const by of ["query", "headers"]) {
      const array = await RectilinearArray.open("s3://private/run/n", { access: s3({ endpoint: site.url, region: "eu-test-1", credentials: KEYS, by, requesterPays: true }) });
      assert.deepEqual([...(await array.get()).data], [0, 1]);
      array.free();
    }
    assert.ok(site.requests.every(({ url, headers }) => /x-amz-request-payer=requester/.test(url) || headers["x-amz-request-payer"] === "requester"));
  } finally {
    await site.close();
  }
});

test("files of a virtual store on another host get no key, and its document none but its own host's", async () => {
  const other = await listen((request, response) => {
    if (allow(request, response)) return;
    response.writeHead(206, { "Content-Range": "bytes 0-3/4", "Content-Length": 4 }).end(Buffer.from([7, 0, 0, 0]));
  });
  const references = (own) => JSON.stringify({ version: 1, refs: {
    ".zgroup": '{"zarr_format":2}',
    "a/.zarray": '{"zarr_format":2,"shape":[1],"chunks":[1],"dtype":"<i4","compressor":null,"filters":null,"fill_value":0,"order":"C"}',
    "a/0": [own, 0, 4],
  } });
  const bucket = await startBucket(new Map([["refs.json", new TextEncoder().encode(references(`${other.url}/file.bin`))], ["own.json", new TextEncoder().encode(references("s3://private/file.bin"))], ["file.bin", new Uint8Array([9, 0, 0, 0])]]));
  try {
    for (const [by, name, expected] of [["query", "refs", 7], ["headers", "refs", 7], ["query", "own", 9]]) {
      const group = await Group.open(`s3://private/${name}.json`, { format: "kerchunk", access: s3({ endpoint: bucket.url, region: "eu-test-1", credentials: KEYS, by }) });
      const array = await group.array("a");
      assert.deepEqual([...(await array.get()).data], [expected]);
      await assert.rejects(group.list(), { name: "UnsupportedError" });
      array.free();
      group.free();
    }
    assert.ok(other.requests.length >= 2);
    for (const { url, headers } of other.requests) assert.doesNotMatch(url + JSON.stringify(headers), /amz|authorization/i);
  } finally {
    await Promise.all([other.close(), bucket.close()]);
  }
});

test("a virtual store and its files in two buckets, each signed by its own keys; views of it, and workers", async () => {
  const KEPT = { accessKeyId: "OTHER", secretAccessKey: "another/secret" };
  const data = new Map([["files/all.bin", new Uint8Array(Int32Array.from(counting(64)).buffer)]]);
  const files = await startBucket(data, { keys: { OTHER: { secretAccessKey: KEPT.secretAccessKey } } });
  const array = { zarr_format: 2, shape: [64], chunks: [16], dtype: "<i4", compressor: null, filters: null, fill_value: 0, order: "C" };
  const refs = { ".zgroup": '{"zarr_format":2}', "a/.zarray": JSON.stringify(array) };
  for (let n = 0; n < 4; n++) refs[`a/${n}`] = [`${files.url}/private/files/all.bin`, 64 * n, 64];
  const bucket = await startBucket(new Map([["refs.json", new TextEncoder().encode(JSON.stringify({ version: 1, refs }))]]));
  try {
    const access = [s3({ endpoint: bucket.url, region: "eu-test-1", credentials: KEYS }), s3({ endpoint: files.url, region: "eu-test-1", credentials: KEPT })];
    const opened = await RectilinearArray.open("s3://private/refs.json", { format: "kerchunk", path: "a", access, workers: 2 });
    assert.deepEqual([...(await opened.get()).data], counting(64));
    const view = asRegularStore(opened);
    const { chunks: [edge] } = JSON.parse(new TextDecoder().decode(await view.get("/.zarray")));
    assert.deepEqual([...new Int32Array((await view.get("/0")).slice().buffer)], counting(64).slice(0, edge));
    assert.ok(files.answers.length >= 1 && bucket.answers.length >= 1);
    assert.deepEqual([files.refused, bucket.refused], [[], []]);
    assert.ok(files.requests.every(({ url }) => url.includes("OTHER") && !url.includes("AKID")) && bucket.requests.every(({ url }) => url.includes("AKID") && !url.includes("OTHER")));
    opened.free();
  } finally {
    await Promise.all([files.close(), bucket.close()]);
  }
});

for (const version of ["v1", "v2"]) {
  test(`an Icechunk repository of version ${version.slice(1)} in a private bucket`, async () => {
    const folder = join(NEIGHBOURS, "icechunk", version);
    const names = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
    const objects = new Map();
    for (const { parentPath, name } of names) objects.set(`repo/${relative(folder, join(parentPath, name))}`, await readFile(join(parentPath, name)));
    const [bucket, site] = [await startBucket(objects), await startSite({ "/n": NEIGHBOURS })];
    try {
      const access = s3({ endpoint: bucket.url, region: "eu-test-1", credentials: KEYS });
      const [own, plain] = [await Group.open("s3://private/repo", { format: "icechunk", access }), await Group.open(`${site.url}/n/icechunk/${version}`, { format: "icechunk" })];
      const { path } = plain.tree().find(({ kind, shape }) => kind === "array" && shape.length > 0);
      const [signed, stored] = [await own.array(path), await plain.array(path)];
      assert.deepEqual((await signed.get()).data, (await stored.get()).data);
      assert.deepEqual(bucket.refused, []);
      for (const each of [signed, stored, own, plain]) each.free();
    } finally {
      await Promise.all([bucket.close(), site.close()]);
    }
  });
}

describe("lists", () => {
  const rows = (count, from = 0) => Array.from({ length: count }, (_, n) => `<Contents><Key>k${from + n}</Key></Contents>`).join("");
  const page = (body, token) => `<ListBucketResult><IsTruncated>${Boolean(token)}</IsTruncated>${token ? `<NextContinuationToken>${token}</NextContinuationToken>` : ""}${body}</ListBucketResult>`;

  async function listed(options, use) {
    const site = await startBucket(options.objects ?? new Map(), options);
    try {
      return await use(s3({ endpoint: site.url, region: "eu-test-1", credentials: KEYS }), site);
    } finally {
      await site.close();
    }
  }

  test("of many pages are one", async () => {
    const objects = new Map(["b c+d", "ü", "a&b<c>", "x/1", "x/2", "y/z/1"].map((name) => [`folder/${name}`, new Uint8Array(1)]));
    await listed({ objects, most: 2 }, async (access, site) => {
      assert.deepEqual(await access.list("s3://private/folder"), { folders: ["x", "y"], files: ["a&b<c>", "b c+d", "ü"] });
      assert.deepEqual(await list("s3://private/folder/", { access }), { folders: ["x", "y"], files: ["a&b<c>", "b c+d", "ü"] });
      assert.equal(site.answers.length, 6);
    });
  });

  test("of a million names end with an error that says so", async () => {
    let pages = 0;
    await listed({ list: () => page(rows(10_000, 10_000 * pages++), `t${pages}`) }, async (access) => {
      await assert.rejects(access.list("s3://private/"), { name: "StoreError", message: /more than 100000 names/ });
      assert.equal(pages, 11);
    });
  });

  test("whose pages repeat, or go on without a token, are an error, as names are missing", async () => {
    let pages = 0;
    await listed({ list: () => (pages++, page(rows(3), "same")) }, async (access) => {
      await assert.rejects(access.list("s3://private/"), { name: "StoreError", message: /private\/: the host repeats a page of its list/ });
      assert.equal(pages, 2);
    });
    const endless = page(rows(3), "t").replace(/<Next.*Token>/, "<NextMarker>k2</NextMarker>");
    await listed({ list: () => endless }, async (access) => {
      await assert.rejects(access.list("s3://private/"), { name: "StoreError", message: /private\/: .*goes on, and has no token.*ListObjectsV2/ });
    });
  });

  test("whose page never ends are an error", async () => {
    await listed({ list: () => `<ListBucketResult>${"<a>".repeat(4 << 20)}` }, async (access) => {
      await assert.rejects(access.list("s3://private/"), { name: "StoreError", message: /more than 8 MiB/ });
    });
  });

  test("can be aborted", async () => {
    const controller = new AbortController();
    let pages = 0;
    await listed({ list: () => (++pages === 3 && controller.abort("enough"), page(rows(1, pages), `t${pages}`)) }, async (access) => {
      await assert.rejects(access.list("s3://private/", { signal: controller.signal }), (reason) => reason === "enough");
      assert.ok(pages < 6);
    });
  });

  test("of a Map and of a store with the method list", async () => {
    const objects = new Map([...ofItems(2)].map(([key, value]) => [`/${key}`, value]));
    const run = await Group.open(objects, { path: "run" });
    assert.deepEqual(await run.list(), { folders: ["n"], files: ["zarr.json"] });
    assert.deepEqual((await run.members()).map(({ path, dtype }) => [path, dtype]), [["n", "int32"]]);
    run.free();
    const store = { get: (key) => objects.get(key), list: (path) => ({ folders: path === "run" ? ["n"] : [], files: [] }) };
    const other = await Group.open(store, { path: "run" });
    assert.deepEqual(await other.list(), { folders: ["n"], files: [] });
    other.free();
  });
});

describe("in a page of another origin", () => {
  let page;
  let site;
  before(async () => {
    site = await startBucket(ofItems(30));
    page = await openPage();
  });
  after(() => Promise.all([page?.close(), site?.close()]));

  test("reads signed in the query have no preflight, and caches hold no signature", async () => {
    const found = await page.run(async (_, { url, keys }) => {
      const [{ RectilinearArray, slice }, { s3 }] = await Promise.all([import("rectilinear-zarr"), import("rectilinear-zarr/access")]);
      const access = s3({ endpoint: url, region: "eu-test-1", credentials: keys });
      const array = await RectilinearArray.open("s3://private/run/n", { access, persist: "signed" });
      const { data } = await array.get();
      const again = await array.get([slice(3, 6)]);
      const cache = await caches.open("signed");
      const stored = (await cache.keys()).map(({ url }) => url);
      return { data: [...data], again: [...again.data], stored };
    }, { url: site.url, keys: KEYS });
    assert.deepEqual(found.data, counting(30));
    assert.deepEqual(found.again, [3, 4, 5]);
    assert.doesNotMatch(found.stored.join(), /X-Amz|AKID/);
    assert.deepEqual(site.requests.filter(({ method }) => method === "OPTIONS"), []);
    assert.deepEqual(page.errors, []);
  });

  test("reads signed in headers have preflights, and the same values", async () => {
    const found = await page.run(async (_, { url, keys }) => {
      const [{ RectilinearArray }, { s3 }] = await Promise.all([import("rectilinear-zarr"), import("rectilinear-zarr/access")]);
      const array = await RectilinearArray.open("s3://private/run/n", { access: s3({ endpoint: url, region: "eu-test-1", credentials: keys, by: "headers" }) });
      return [...(await array.get()).data];
    }, { url: site.url, keys: KEYS });
    assert.deepEqual(found, counting(30));
    assert.ok(site.requests.some(({ method }) => method === "OPTIONS"));
  });
});
