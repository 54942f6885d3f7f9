/** A bucket of moto, which encodes the names of a list otherwise than SeaweedFS does, and answers what is missing otherwise. */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";

import { signedHeaders } from "../../../src/web/access/sigv4.js";
import { HARD, ofItems } from "../support/bucket.mjs";
import { PACKAGE, ROOT } from "../support/paths.mjs";
import { freePort } from "../support/ports.mjs";

const { Group } = await import(join(PACKAGE, "node.js"));
const { s3 } = await import(join(PACKAGE, "access.js"));

const MOTO = process.env.MOTO ?? join(ROOT, ".tools/local/clouds/bin/moto_server");
const KEYS = { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "secret/key+1" };

describe("a bucket of moto", () => {
  let moto;
  let url;
  const send = async (method, path, body) => {
    const at = `${url}${path}`;
    const headers = await signedHeaders({ method, url: at }, KEYS, { region: "us-east-1", time: Date.now() });
    const answer = await fetch(at, { method, headers, body });
    return { status: answer.status, text: await answer.text() };
  };
  const put = async (key, body) => {
    const { status, text } = await send("PUT", `/private/${key.split("/").map(encodeURIComponent).join("/")}`, body);
    assert.equal(status, 200, text);
  };

  before(async () => {
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    moto = spawn(MOTO, ["-H", "127.0.0.1", "-p", String(port)], { stdio: "ignore" });
    for (const end = Date.now() + 60_000; ; await new Promise((done) => setTimeout(done, 200))) {
      const answer = await send("PUT", "/private").catch((error) => ({ status: 0, text: String(error) }));
      if (answer.status === 200) break;
      assert.ok(Date.now() < end, `moto answers ${answer.status} ${answer.text}`);
    }
    const objects = ofItems(8);
    for (const [key, value] of objects) await put(key, value);
    for (const name of HARD) for (const part of ["zarr.json", "c/3"]) await put(`hard/${name}/${part}`, objects.get(`run/n/${part}`));
    await put("hard/zarr.json", objects.get("run/zarr.json"));
  });
  after(async () => {
    if (moto?.exitCode !== null) return;
    moto.kill("SIGKILL");
    await once(moto, "exit");
  });

  for (const by of ["query", "headers"]) {
    test(`names that are hard to encode are listed and read, and missing ones are missing (${by})`, async () => {
      const group = await Group.open("s3://private/hard", { access: s3({ endpoint: url, credentials: KEYS, by }) });
      const { folders, files } = await group.list();
      assert.deepEqual(folders.sort(), [...HARD].sort());
      assert.deepEqual(files, ["zarr.json"]);
      assert.deepEqual((await group.members()).map(({ path }) => path), [...HARD].sort());
      assert.deepEqual((await group.tree({ list: true })).map(({ path }) => path), [...HARD].sort());
      for (const name of HARD) {
        const array = await group.array(name);
        assert.deepEqual([...(await array.get([{ start: 2, stop: 4 }])).data], [-1, 3], name);
        array.free();
      }
      await assert.rejects(group.array("none"), { name: "NotFoundError" });
      group.free();
    });
  }

  test("a bucket that does not exist holds nothing", async () => {
    await assert.rejects(Group.open("s3://absent/run", { access: s3({ endpoint: url, credentials: KEYS }) }), { name: "NotFoundError" });
  });
});
