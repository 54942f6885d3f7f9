/** A private bucket of SeaweedFS, written by a program that signs as botocore does: keys that are hard to encode, CORS, lists. */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";

import { signedHeaders } from "../../../src/web/access/sigv4.js";
import { HARD, ofItems } from "../support/bucket.mjs";
import { openPage } from "../support/chromium.mjs";
import { PACKAGE, ROOT } from "../support/paths.mjs";
import { freePort } from "../support/ports.mjs";

const { Group } = await import(join(PACKAGE, "node.js"));
const { s3 } = await import(join(PACKAGE, "access.js"));

const WEED = process.env.WEED ?? join(ROOT, ".tools/local/clouds/bin/weed");
const KEYS = { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "secret/key+1" };

describe("a bucket of SeaweedFS", () => {
  let folder;
  let weed;
  let url;

  async function send(method, path, body, type = "application/xml") {
    const at = `${url}${path}`;
    const headers = await signedHeaders({ method, url: at }, KEYS, { region: "us-east-1", time: Date.now() });
    const answer = await fetch(at, { method, headers: { ...headers, "Content-Type": type }, body });
    return { status: answer.status, text: await answer.text() };
  }
  const put = async (key, body) => {
    const { status, text } = await send("PUT", `/private/${key.split("/").map(encodeURIComponent).join("/")}`, body, "application/octet-stream");
    assert.equal(status, 200, text);
  };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "rectilinear-zarr-weed-"));
    const identities = [{ name: "me", credentials: [{ accessKey: KEYS.accessKeyId, secretKey: KEYS.secretAccessKey }], actions: ["Admin", "Read", "Write", "List"] }];
    await writeFile(join(folder, "s3.json"), JSON.stringify({ identities }));
    const ports = [];
    while (ports.length < 8) ports.push(await freePort());
    const [s3Port, master, volume, filer, ...rest] = ports;
    url = `http://127.0.0.1:${s3Port}`;
    weed = spawn(WEED, ["server", "-ip=127.0.0.1", "-ip.bind=127.0.0.1", `-dir=${folder}`, "-master.telemetry=false", "-s3", `-s3.port=${s3Port}`, `-s3.port.grpc=${rest[0]}`, `-s3.config=${join(folder, "s3.json")}`, "-volume.max=200", "-master.volumeSizeLimitMB=16", `-master.port=${master}`, `-master.port.grpc=${rest[1]}`, `-volume.port=${volume}`, `-volume.port.grpc=${rest[2]}`, `-filer.port=${filer}`, `-filer.port.grpc=${rest[3]}`], { cwd: folder, stdio: "ignore" });
    for (const end = Date.now() + 30_000; ; await new Promise((done) => setTimeout(done, 200))) {
      const answer = await send("PUT", "/private").catch((error) => ({ status: 0, text: String(error) }));
      if (answer.status === 200) break;
      assert.ok(Date.now() < end, `SeaweedFS answers ${answer.status} ${answer.text}`);
    }
    const cors = "<CORSConfiguration><CORSRule><AllowedOrigin>*</AllowedOrigin><AllowedMethod>GET</AllowedMethod><AllowedMethod>HEAD</AllowedMethod><AllowedHeader>*</AllowedHeader><ExposeHeader>ETag</ExposeHeader><ExposeHeader>Content-Range</ExposeHeader><ExposeHeader>Content-Length</ExposeHeader><ExposeHeader>Date</ExposeHeader></CORSRule></CORSConfiguration>";
    assert.equal((await send("PUT", "/private?cors", cors)).status, 200);
    const objects = ofItems(8);
    for (const [key, value] of objects) await put(key, value);
    // The same array below names that are hard to encode.
    for (const name of HARD) for (const part of ["zarr.json", "c/3"]) await put(`hard/${name}/${part}`, objects.get(`run/n/${part}`));
    await put("hard/zarr.json", objects.get("run/zarr.json"));
  });
  after(async () => {
    if (weed?.exitCode === null) {
      weed.kill("SIGKILL");
      await once(weed, "exit");
    }
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  for (const by of ["query", "headers"]) {
    test(`names that are hard to encode are listed and read (${by})`, async () => {
      const group = await Group.open("s3://private/hard", { access: s3({ endpoint: url, credentials: KEYS, by }) });
      const { folders, files } = await group.list();
      assert.deepEqual(folders.sort(), [...HARD].sort());
      assert.deepEqual(files, ["zarr.json"]);
      assert.deepEqual((await group.members()).map(({ path }) => path), [...HARD].sort());
      assert.deepEqual((await group.tree({ list: true })).map(({ path }) => path), [...HARD].sort());
      for (const name of HARD) {
        const array = await group.array(name);
        assert.deepEqual([...(await array.get([3])).data], [3], name);
        array.free();
      }
      group.free();
    });
  }

  test("a wrong secret, and a clock that is 20 minutes off", async () => {
    const wrong = s3({ endpoint: url, credentials: { ...KEYS, secretAccessKey: "wrong" } });
    await assert.rejects(Group.open("s3://private/run", { access: wrong }), { name: "StoreError", message: /SignatureDoesNotMatch/ });
    const { now } = Date;
    for (const by of ["query", "headers"]) {
      Date.now = () => now() + 20 * 60_000;
      try {
        const group = await Group.open("s3://private/run", { access: s3({ endpoint: url, credentials: KEYS, by }) });
        group.free();
      } finally {
        Date.now = now;
      }
    }
  });

  test("a page of another origin reads it, by each kind of signature", async () => {
    const page = await openPage();
    try {
      for (const by of ["query", "headers"]) {
        const found = await page.run(async (_, options) => {
          const [{ RectilinearArray }, { s3 }] = await Promise.all([import("rectilinear-zarr"), import("rectilinear-zarr/access")]);
          const array = await RectilinearArray.open("s3://private/run/n", { access: s3(options) });
          return [...(await array.get()).data];
        }, { endpoint: url, credentials: KEYS, by });
        assert.deepEqual(found, [0, 1, 2, 3, 4, 5, 6, 7], by);
      }
      assert.deepEqual(page.errors, []);
    } finally {
      await page.close();
    }
  });
});
