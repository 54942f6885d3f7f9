/** What answers, lists and addresses may make of keys and names: no key goes to a host that only looks like the service's. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, test } from "node:test";

import { PACKAGE } from "../support/paths.mjs";

const { azure, gcs, s3 } = await import(join(PACKAGE, "access.js"));

const KEYS = { accessKeyId: "AKID", secretAccessKey: "SECRET" };
const SAS = "sv=1&sig=SECRET";

/** An access's list over answers in turn, with the addresses that were asked for. */
async function listed(access, address, answers) {
  const asked = [];
  const fetch = async (request) => {
    asked.push(request.url);
    return answers(asked.length, request);
  };
  const result = await access.list(address, { fetch }).catch((error) => error);
  return { asked, result };
}

describe("hosts that only look like a service's", () => {
  test("Azure's signatures go to Azure's clouds alone", () => {
    const access = azure({ account: "acc", credentials: SAS });
    for (const host of ["acc.blob.core.windows.net", "acc.dfs.core.windows.net", "acc.blob.core.chinacloudapi.cn", "acc.blob.core.usgovcloudapi.net", "acc.z12.blob.storage.azure.net"]) {
      assert.ok(access.covers(`https://${host}/c/x`), host);
    }
    for (const host of ["acc.blob.core.evil.org", "acc.dfs.core.windows.net.evil.org", "acc.blob.core.windows.net.", "acc.z1x.blob.storage.azure.net", "other.blob.core.windows.net"]) {
      assert.ok(!access.covers(`https://${host}/c/x`), host);
    }
  });

  test("Azure's keys are of one account, whatever others an address, a catalog or a virtual store names", async () => {
    assert.throws(() => azure({ credentials: SAS }), { name: "TypeError", message: /^azure with credentials needs the option account/ });
    assert.throws(() => azure({ credentials: () => SAS }), { name: "TypeError", message: /option account/ });
    const access = azure({ account: "acc", credentials: SAS });
    const sent = [];
    const fetch = async (request) => (sent.push(request.url), new Response("", { status: 404 }));
    const [, options] = access.opening("abfs://c@acc.dfs.core.windows.net/x", { fetch });
    for (const address of ["abfs://c@acc.dfs.core.windows.net/x", "abfs://c@other.dfs.core.windows.net/x"]) await options.fetch(new Request(options.resolveUrl(address)));
    assert.deepEqual(sent, ["https://acc.blob.core.windows.net/c/x?sv=1&sig=SECRET", "https://other.blob.core.windows.net/c/x"]);
    assert.ok(azure({ endpoint: "http://127.0.0.1:10000/acc", credentials: SAS }).covers("http://127.0.0.1:10000/acc/c/x"));
  });

  test("HMAC keys of Google sign both forms of a bucket's address, and no other host", async () => {
    const access = gcs({ hmac: KEYS });
    for (const [address, path, prefix] of [
      ["gs://b.c/p/x", "storage.googleapis.com/b.c", "p/x/"],
      ["https://storage.googleapis.com/b/p/x", "storage.googleapis.com/b", "p/x/"],
      ["https://b.c.storage.googleapis.com/p/x", "b.c.storage.googleapis.com/", "p/x/"],
    ]) {
      const { asked } = await listed(access, address, () => new Response("<ListBucketResult></ListBucketResult>"));
      const url = new URL(asked[0]);
      assert.deepEqual([`${url.host}${url.pathname}`, url.searchParams.get("prefix")], [path, prefix]);
      assert.match(url.searchParams.get("X-Amz-Credential"), /^AKID\/\d{8}\/auto\/s3\/aws4_request$/);
      const signed = await access(new Request("https://b.storage.googleapis.com/p/x"));
      assert.ok(new URL(signed.url).searchParams.has("X-Amz-Signature"));
    }
    for (const url of ["http://b.storage.googleapis.com/x", "https://b.storage.googleapis.com.evil.org/x", "https://bstorage.googleapis.com/x"]) assert.ok(!access.covers(url), url);
    assert.ok(!gcs({ hmac: KEYS, endpoint: "https://host.example" }).covers("https://b.host.example/x"));
  });

  test("an address keeps the cloud that it names, and another host is refused", () => {
    const access = azure({ account: "acc", credentials: SAS });
    for (const [address, url] of [
      ["abfss://c@acc.dfs.core.windows.net/x", "https://acc.blob.core.windows.net/c/x"],
      ["abfss://c@acc.dfs.core.chinacloudapi.cn/x", "https://acc.blob.core.chinacloudapi.cn/c/x"],
      ["abfss://c@acc.dfs.core.usgovcloudapi.net/x", "https://acc.blob.core.usgovcloudapi.net/c/x"],
      ["abfs://c@acc/x", "https://acc.blob.core.windows.net/c/x"],
    ]) assert.equal(access.address(address), url);
    assert.throws(() => access.address("abfss://c@acc.dfs.core.evil.org/x"), { name: "TypeError", message: /acc\.dfs\.core\.evil\.org is no host of Azure/ });
  });

  for (const [what, answer] of [
    ["a header", () => new Response("", { status: 301, headers: { "x-amz-bucket-region": "x.evil.org/" } })],
    ["a body", () => new Response("<Error><Code>AuthorizationHeaderMalformed</Code><Region>x.evil.org/</Region></Error>", { status: 400 })],
  ]) for (const by of ["query", "headers"]) test(`a region in ${what} that is no region is not followed, signed in the ${by}`, async () => {
    const { asked, result } = await listed(s3({ credentials: KEYS, by }), "s3://b/p", answer);
    assert.ok(asked.every((url) => new URL(url).host === "b.s3.amazonaws.com"), asked.join());
    assert.equal(result.name, "StoreError");
  });

  test("a region that is one is followed", async () => {
    const { asked, result } = await listed(s3({ credentials: KEYS }), "s3://b/p", (nth) =>
      nth === 1 ? new Response("", { status: 301, headers: { "x-amz-bucket-region": "eu-west-1" } }) : new Response("<ListBucketResult></ListBucketResult>"));
    assert.deepEqual(asked.map((url) => new URL(url).host), ["b.s3.amazonaws.com", "b.s3.eu-west-1.amazonaws.com"]);
    assert.deepEqual(result, { folders: [], files: [] });
  });

  for (const [name, access, address] of [
    ["s3", () => s3({ by: "headers", credentials: { ...KEYS, sessionToken: "SEC\nRET" } }), "s3://b/p"],
    ["gcs", () => gcs({ credentials: "SEC\nRET" }), "gs://b/p"],
    ["azure", () => azure({ account: "acc", credentials: { token: "SEC\nRET" } }), "az://c/p"],
  ]) test(`a token of ${name} that no header can carry is refused without its text`, async () => {
    const error = await (async () => access().list(address, { fetch: () => assert.fail("nothing is asked") }))().catch((error) => error);
    assert.equal(error.name, "TypeError");
    assert.match(error.message, /visible ASCII/);
    assert.doesNotMatch(String(error.stack), /SEC/);
  });

  test("an object of keys that is renewed in place is signed with as it is now", async () => {
    const keys = { ...KEYS };
    const access = s3({ credentials: () => Object.assign(keys, { secretAccessKey: `${keys.secretAccessKey}+` }), endpoint: "https://host.example" });
    const signatures = [];
    await listed(access, "s3://b/p", (nth, request) => {
      signatures.push(new URL(request.url).searchParams.get("X-Amz-Signature"));
      return nth === 1 ? new Response("<Error><Code>ExpiredToken</Code></Error>", { status: 400 }) : new Response("<ListBucketResult></ListBucketResult>");
    });
    assert.equal(new Set(signatures).size, 2);
  });
});

describe("lists of names", () => {
  const names = (xml, address = "s3://b/p") => listed(s3({ credentials: KEYS }), address, () => new Response(xml)).then(({ result }) => result);
  const keys = (...all) => `<ListBucketResult>${all.map((key) => `<Contents><Key>${key}</Key></Contents>`).join("")}</ListBucketResult>`;

  for (const text of ["<html>hello</html>", "{}", "<Error><Code>SlowDown</Code></Error>", ""]) test(`an answer that is no list is an error: ${text}`, async () => {
    const error = await names(text);
    assert.equal(error.name, "StoreError");
    assert.match(error.message, /b\.s3\.amazonaws\.com.*no list of names/);
    const { result } = await listed(azure({ account: "acc", credentials: SAS }), "az://c/p", () => new Response(text));
    assert.match(result.message, /acc\.blob\.core\.windows\.net.*no list of names/);
  });

  test("only names below the prefix count, comments do not, and literal text does", async () => {
    assert.deepEqual(await names(keys("p/a", "zzzzzz/evil", "p/..", "<![CDATA[p/b&c]]>")), { folders: [], files: ["a", "b&c"] });
    assert.deepEqual(await names(`<!-- ${keys("p/x")} -->${keys("p/y")}`), { folders: [], files: ["y"] });
  });

  test("a name that is badly encoded is an error with the host's name", async () => {
    const error = await names(`<ListBucketResult><EncodingType>url</EncodingType><Contents><Key>p/%zz</Key></Contents></ListBucketResult>`);
    assert.equal(error.name, "StoreError");
    assert.match(error.message, /b\.s3\.amazonaws\.com.*p\/%zz/);
  });

  test("Azure's encoded names are decoded", async () => {
    const { result } = await listed(azure({ account: "acc", credentials: SAS }), "az://c/p", () =>
      new Response('<EnumerationResults><Blob><Name Encoded="true">p/%EF%BF%BE</Name></Blob><Blob><Name>p/a</Name></Blob></EnumerationResults>'));
    assert.deepEqual(result.files, ["\uFFFE", "a"]);
  });

  test("pages without names do not go on for ever", async () => {
    const { asked, result } = await listed(s3({ credentials: KEYS }), "s3://b/p", (nth) =>
      new Response(`<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>${nth}</NextContinuationToken></ListBucketResult>`));
    assert.equal(result.name, "StoreError");
    assert.match(result.message, /more than 2000 pages/);
    assert.ok(asked.length <= 2001, `${asked.length} requests`);
  });

  test("a path that is badly encoded is signed as it stands", async () => {
    const { asked } = await listed(s3({ credentials: KEYS, endpoint: "https://host.example" }), "https://host.example/b/100%/x", () => new Response(keys()));
    assert.equal(new URL(asked[0]).searchParams.get("prefix"), "100%/x/");
  });
});
