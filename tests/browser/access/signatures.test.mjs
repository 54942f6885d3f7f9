/** Signatures of requests, compared with those that botocore makes and with the examples that AWS publishes. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";

import { signedHeaders, signedUrl } from "../../../src/web/access/sigv4.js";

const { cases } = JSON.parse(await readFile(join(import.meta.dirname, "signatures.json"), "utf8"));
const time = Date.UTC(2026, 10, 27, 9, 41, 7);

const parts = ({ accessKeyId, secretAccessKey, sessionToken }) => ({ accessKeyId, secretAccessKey, sessionToken: sessionToken ?? undefined });

test("signatures in queries are botocore's", async () => {
  const wrong = [];
  for (const { method, url, region, query, ...credentials } of cases) {
    const signed = await signedUrl({ method, url }, parts(credentials), { region, time, exact: true });
    if (!signed.endsWith(`&X-Amz-Signature=${query}`)) wrong.push(`${method} ${url}`);
  }
  assert.deepEqual(wrong, []);
  assert.equal(cases.length, 144);
});

test("signatures in headers are botocore's", async () => {
  for (const { method, url, region, authorization, payload, ...credentials } of cases) {
    const signed = await signedHeaders({ method, url }, parts(credentials), { region, time, payload });
    assert.equal(signed.authorization, authorization, `${method} ${url}`);
  }
});

test("characters that a URL leaves bare are signed as hosts encode them", async () => {
  const credentials = { accessKeyId: "A", secretAccessKey: "B" };
  const sign = (url) => signedUrl({ method: "GET", url }, credentials, { region: "r", time });
  const signature = async (url) => new URL(await sign(url)).searchParams.get("X-Amz-Signature");
  assert.equal(await signature("https://host/bucket/c:@&=,;$+!'()*"), await signature("https://host/bucket/c%3A%40%26%3D%2C%3B%24%2B%21%27%28%29%2A"));
});

// https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html and sig-v4-header-based-auth.html
const EXAMPLE = { accessKeyId: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY" };
const DAY = Date.UTC(2013, 4, 24);
const EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

test("the examples of AWS are signed as published", async () => {
  const request = { method: "GET", url: "https://examplebucket.s3.amazonaws.com/test.txt" };
  const url = await signedUrl(request, EXAMPLE, { region: "us-east-1", time: DAY, seconds: 86_400, exact: true });
  assert.match(url, /X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404$/);
  const { authorization } = await signedHeaders(request, EXAMPLE, { region: "us-east-1", time: DAY, headers: { range: "bytes=0-9" }, payload: EMPTY });
  assert.match(authorization, /Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41$/);
  const list = { method: "GET", url: "https://examplebucket.s3.amazonaws.com/?max-keys=2&prefix=J" };
  const listed = await signedHeaders(list, EXAMPLE, { region: "us-east-1", time: DAY, payload: EMPTY });
  assert.match(listed.authorization, /Signature=34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7$/);
});

test("a signed address stays the same for ten minutes", async () => {
  const at = (ms) => signedUrl({ method: "GET", url: "https://host/bucket/key" }, EXAMPLE, { region: "r", time: DAY + ms });
  assert.equal(await at(0), await at(599_999));
  assert.notEqual(await at(0), await at(600_000));
});
