/** A private container of azurite, Microsoft's emulator of Azure Blob Storage: signatures, lists, ends of signatures, CORS. */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";

import { HARD, ofItems } from "../support/bucket.mjs";
import { openPage } from "../support/chromium.mjs";
import { PACKAGE, ROOT } from "../support/paths.mjs";
import { freePort } from "../support/ports.mjs";

const { Group, RectilinearArray } = await import(join(PACKAGE, "node.js"));
const { azure } = await import(join(PACKAGE, "access.js"));

const AZURITE = process.env.AZURITE ?? join(ROOT, ".tools/local/azurite/node_modules/azurite/dist/src/blob/main.js");
const ACCOUNT = "account1";
const KEY = Buffer.from("a key of this test").toString("base64");

/** A signature of the whole account, for so many milliseconds. */
function sas(permissions, milliseconds, key = KEY) {
  const end = new Date(Date.now() + milliseconds).toISOString().replace(/\.\d+Z$/, "Z");
  const fields = { sp: permissions, ss: "b", srt: "sco", st: "", se: end, sip: "", spr: "https,http", sv: "2019-12-12" };
  const { sp, ss, srt, st, se, sip, spr, sv } = fields;
  const sig = createHmac("sha256", Buffer.from(key, "base64")).update([ACCOUNT, sp, ss, srt, st, se, sip, spr, sv, ""].join("\n")).digest("base64");
  return new URLSearchParams({ sp, ss, srt, se, spr, sv, sig }).toString();
}

describe("a container of azurite", () => {
  let azurite;
  let url;
  const send = async (method, path, body, headers = {}) => {
    const answer = await fetch(`${url}${path}${path.includes("?") ? "&" : "?"}${sas("rwdlacup", 600_000)}`, { method, body, headers: { "x-ms-version": "2019-12-12", ...headers } });
    return { status: answer.status, text: await answer.text() };
  };
  const put = async (key, body) => {
    const path = key.split("/").map(encodeURIComponent).join("/");
    const { status, text } = await send("PUT", `/private/${path}`, body, { "x-ms-blob-type": "BlockBlob" });
    assert.equal(status, 201, text);
  };

  before(async () => {
    const port = await freePort();
    url = `http://127.0.0.1:${port}/${ACCOUNT}`;
    azurite = spawn(process.execPath, [AZURITE, "--silent", "--disableTelemetry", "--skipApiVersionCheck", "--inMemoryPersistence", "--blobPort", String(port)], { env: { ...process.env, AZURITE_ACCOUNTS: `${ACCOUNT}:${KEY}` }, stdio: "ignore" });
    for (const end = Date.now() + 30_000; ; await new Promise((done) => setTimeout(done, 200))) {
      const answer = await send("PUT", "/private?restype=container").catch((error) => ({ status: 0, text: String(error) }));
      if (answer.status === 201) break;
      assert.ok(Date.now() < end, `azurite answers ${answer.status} ${answer.text}`);
    }
    const cors = "<StorageServiceProperties><Cors><CorsRule><AllowedOrigins>*</AllowedOrigins><AllowedMethods>GET,HEAD</AllowedMethods><AllowedHeaders>*</AllowedHeaders><ExposedHeaders>*</ExposedHeaders><MaxAgeInSeconds>60</MaxAgeInSeconds></CorsRule></Cors></StorageServiceProperties>";
    const { status, text } = await send("PUT", "/?restype=service&comp=properties", `<?xml version="1.0" encoding="utf-8"?>${cors}`, { "Content-Type": "application/xml" });
    assert.equal(status, 202, text);
    const objects = ofItems(8);
    for (const [key, value] of objects) await put(key, value);
    for (const name of HARD) for (const part of ["zarr.json", "c/3"]) await put(`hard/${name}/${part}`, objects.get(`run/n/${part}`));
    await put("hard/zarr.json", objects.get("run/zarr.json"));
  });
  after(async () => {
    if (azurite?.exitCode !== null) return;
    azurite.kill("SIGKILL");
    await once(azurite, "exit");
  });

  test("names that are hard to encode are listed and read", async () => {
    const group = await Group.open("az://private/hard", { access: azure({ endpoint: url, credentials: sas("rl", 600_000) }) });
    const { folders, files } = await group.list();
    assert.deepEqual(folders.sort(), [...HARD].sort());
    assert.deepEqual(files, ["zarr.json"]);
    assert.deepEqual((await group.tree({ list: true })).map(({ path }) => path), [...HARD].sort());
    for (const name of HARD) {
      const array = await group.array(name);
      assert.deepEqual([...(await array.get([3])).data], [3], name);
      array.free();
    }
    group.free();
  });

  test("a wrong signature is refused at once, and is in no error", async () => {
    const wrong = sas("rl", 600_000, Buffer.from("another").toString("base64"));
    const signature = new URLSearchParams(wrong).get("sig");
    const error = await Group.open("az://private/run", { access: azure({ endpoint: url, credentials: wrong }) }).then(() => undefined, (error) => error);
    assert.deepEqual([error?.name, error?.status, error?.refusedKeys], ["StoreError", 403, true], error?.message);
    assert.ok(!error.message.includes(signature) && !error.message.includes(encodeURIComponent(signature)), error.message);
  });

  test("a signature that has ended is asked for again", async () => {
    let asked = 0;
    // The end is not stated to the access, so that only the host's refusal tells it.
    const credentials = () => ({ sas: sas("rl", asked++ === 0 ? -60_000 : 600_000), expiration: Date.now() + 3_600_000 });
    const array = await RectilinearArray.open("az://private/run/n", { access: azure({ endpoint: url, credentials }) });
    assert.deepEqual([...(await array.get()).data], [0, 1, 2, 3, 4, 5, 6, 7]);
    assert.equal(asked, 2);
    array.free();
  });

  test("a page of another origin reads it", async () => {
    const page = await openPage();
    try {
      const found = await page.run(async (_, options) => {
        const [{ RectilinearArray }, { azure }] = await Promise.all([import("rectilinear-zarr"), import("rectilinear-zarr/access")]);
        const array = await RectilinearArray.open("az://private/run/n", { access: azure(options) });
        return [...(await array.get()).data];
      }, { endpoint: url, credentials: sas("rl", 600_000) });
      assert.deepEqual(found, [0, 1, 2, 3, 4, 5, 6, 7]);
    } finally {
      await page.close();
    }
  });
});
