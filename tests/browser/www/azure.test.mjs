/**
 * The explorer and a private container of Azure, at Azure's own address: azurite behind a host that answers who shows
 * nothing as Azure does. By a shared access signature and by a bearer token.
 */

import assert from "node:assert/strict";
import { execFile, execFileSync, spawn } from "node:child_process";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createServer, request as send } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { promisify } from "node:util";

import { launch } from "../support/chromium.mjs";
import { startExplorer } from "../support/explorer.mjs";
import { ROOT } from "../support/paths.mjs";
import { freePort } from "../support/ports.mjs";

const python = process.env.PYTHON ?? join(ROOT, ".tools/local/venv/bin/python");
const AZURITE = process.env.AZURITE ?? join(ROOT, ".tools/local/azurite/node_modules/azurite/dist/src/blob/main.js");
const ACCOUNT = "account1";
const HOST = `${ACCOUNT}.blob.core.windows.net`;
const KEY = Buffer.from("a key of this test").toString("base64");

/** A signature of the whole account. */
function sas(permissions, key = KEY) {
  const end = new Date(Date.now() + 600_000).toISOString().replace(/\.\d+Z$/, "Z");
  const { sp, ss, srt, se, spr, sv } = { sp: permissions, ss: "b", srt: "sco", se: end, spr: "https,http", sv: "2019-12-12" };
  const sig = createHmac("sha256", Buffer.from(key, "base64")).update([ACCOUNT, sp, ss, srt, "", se, "", spr, sv, ""].join("\n")).digest("base64");
  return new URLSearchParams({ sp, ss, srt, se, spr, sv, sig }).toString();
}

/** A token as Microsoft Entra gives them, of which azurite checks the claims and not the signature. */
function bearer() {
  const part = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const now = Math.floor(Date.now() / 1000);
  const claims = { aud: "https://storage.azure.com", iss: "https://sts.windows.net/11111111-1111-1111-1111-111111111111/", iat: now - 60, nbf: now - 60, exp: now + 3600, ver: "1.0" };
  return `${part({ typ: "JWT", alg: "HS256" })}.${part(claims)}.s1gnature`;
}

describe("the explorer and a private container of Azure", () => {
  let folder;
  let azurite;
  let front;
  let explorer;
  let user;
  let nobody; // the answer to who shows nothing: status and code
  const seen = [];

  /** Sends a request to azurite, under the host's name. */
  const passed = (port, { method, url, headers, body }) =>
    new Promise((resolve, reject) => {
      const own = { ...headers, host: HOST };
      const asked = send({ host: "127.0.0.1", port, method, path: url, headers: own, rejectUnauthorized: false }, resolve);
      asked.on("error", reject);
      asked.end(body);
    });
  const bytesOf = async (answer) => {
    const parts = [];
    for await (const part of answer) parts.push(part);
    return Buffer.concat(parts);
  };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "rectilinear-azure-"));
    await promisify(execFile)(python, ["-W", "ignore", join(ROOT, "tests/oracle/explorer.py"), folder]);
    const [key, cert] = ["key.pem", "cert.pem"].map((name) => join(folder, name));
    execFileSync("openssl", ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", `/CN=${HOST}`, "-keyout", key, "-out", cert], { stdio: "ignore" });
    const port = await freePort();
    azurite = spawn(process.execPath, [AZURITE, "--silent", "--disableTelemetry", "--skipApiVersionCheck", "--inMemoryPersistence", "--oauth", "basic", "--cert", cert, "--key", key, "--blobPort", String(port)], { env: { ...process.env, AZURITE_ACCOUNTS: `${ACCOUNT}:${KEY}` }, stdio: "ignore" });
    const set = async (method, path, body = Buffer.alloc(0), headers = {}) => {
      const url = `${path}${path.includes("?") ? "&" : "?"}${sas("rwdlacup")}`;
      const answer = await passed(port, { method, url, body, headers: { "x-ms-version": "2019-12-12", "content-length": body.length, ...headers } });
      return { status: answer.statusCode, text: `${await bytesOf(answer)}` };
    };
    for (const end = Date.now() + 30_000; ; await new Promise((done) => setTimeout(done, 200))) {
      const answer = await set("PUT", "/private?restype=container").catch((error) => ({ status: 0, text: String(error) }));
      if (answer.status === 201) break;
      assert.ok(Date.now() < end, `azurite answers ${answer.status} ${answer.text}`);
    }
    const cors = "<StorageServiceProperties><Cors><CorsRule><AllowedOrigins>*</AllowedOrigins><AllowedMethods>GET,HEAD</AllowedMethods><AllowedHeaders>*</AllowedHeaders><ExposedHeaders>*</ExposedHeaders><MaxAgeInSeconds>60</MaxAgeInSeconds></CorsRule></Cors></StorageServiceProperties>";
    const { status, text } = await set("PUT", "/?restype=service&comp=properties", Buffer.from(`<?xml version="1.0" encoding="utf-8"?>${cors}`), { "content-type": "application/xml" });
    assert.equal(status, 202, text);
    const names = (await readdir(join(folder, "store.zarr"), { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
    for (const { parentPath, path = parentPath, name } of names) {
      const file = join(path, name);
      const put = await set("PUT", `/private/${file.slice(folder.length + 1).split("/").map(encodeURIComponent).join("/")}`, await readFile(file), { "x-ms-blob-type": "BlockBlob" });
      assert.equal(put.status, 201, put.text);
    }
    front = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, async (request, response) => {
      const { method, url, headers } = request;
      seen.push({ method, url, headers });
      const isNobody = method !== "OPTIONS" && !/[?&]sig=/.test(url) && !headers.authorization;
      if (isNobody) {
        const [code, word] = nobody;
        response.writeHead(code, { "Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": "x-ms-error-code", "x-ms-error-code": word, "Content-Type": "application/xml" });
        return response.end(method === "HEAD" ? undefined : `<?xml version="1.0" encoding="utf-8"?><Error><Code>${word}</Code></Error>`);
      }
      const answer = await passed(port, { method, url, headers });
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
      return undefined;
    });
    await new Promise((done) => front.listen(0, "127.0.0.1", done));
    const flags = ["--ignore-certificate-errors", `--host-resolver-rules=MAP ${HOST} 127.0.0.1:${front.address().port}`];
    explorer = await startExplorer({ "/made": folder }, { keeps: false, browse: (options) => launch({ ...options, flags }) });
  });
  after(async () => {
    await explorer?.close();
    front?.closeAllConnections();
    front?.close();
    if (azurite && azurite.exitCode === null) {
      azurite.kill("SIGKILL");
      await once(azurite, "exit");
    }
    if (folder) await rm(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    nobody = [409, "PublicAccessNotPermitted"];
    seen.length = explorer.site.requests.length = 0;
    user = await explorer.page();
  });
  afterEach(() => user.close());

  const store = (path = "run/temp") => `url=https://${HOST}/private/store.zarr/${path}`;
  const isAsked = () => user.page.waitForSelector("#access form", { visible: true, timeout: 60_000 });
  const fill = async (fields) => {
    await isAsked();
    await user.page.$$eval("#access details", (all) => all.forEach((details) => (details.open = true)));
    for (const [selector, value] of Object.entries(fields)) await user.page.$eval(`#access ${selector}`, (input, text) => (input.value = text), value);
    await user.lettered(); // which move the button
    await user.page.click("#access form button");
  };
  const opened = async () => {
    await user.says("#title", /Temperature/);
    await user.settled();
    await user.waitFor(() => document.querySelector("#error").hidden);
  };
  const code = async () => {
    await user.page.$eval("#take details", (details) => (details.open = true));
    await user.page.waitForSelector("#take .choices", { timeout: 60_000 });
    await user.page.evaluate(() => [...document.querySelectorAll("#take button")].find(({ textContent }) => textContent === "JavaScript").click());
    return user.page.$eval("#code", ({ value }) => value);
  };
  const until = async (isSo, what) => {
    for (const end = Date.now() + 60_000; !isSo(); await new Promise((done) => setTimeout(done, 50))) assert.ok(Date.now() < end, what);
  };
  /** Requests for blobs and lists, without those for permission. */
  const reads = () => seen.filter(({ method }) => method !== "OPTIONS");
  const isListed = () => reads().some(({ url }) => url.includes("comp=list"));

  for (const [status, word] of [[409, "PublicAccessNotPermitted"], [404, "ResourceNotFound"], [403, "AuthorizationFailure"], [401, "NoAuthenticationInformation"]]) {
    test(`opens by a shared access signature, where nobody gets ${status}`, async () => {
      nobody = [status, word];
      await user.show(`${store()}&at=3,1`);
      await isAsked();
      assert.match(await user.text("#access"), new RegExp(`${HOST} answers ${status}: it may want a token, or keys`));
      seen.length = 0;
      const signature = sas("rl");
      await fill({ "[name=sas]": signature });
      await opened();
      assert.match(await user.text("#access"), new RegExp(`Requests to https://${HOST} carry your shared access signature`));
      assert.deepEqual(await user.texts(".where .now"), ["2 Mar 2001", "level = 850 hPa"]);
      await until(isListed, "the container was listed");
      assert.ok(reads().length > 3 && reads().every(({ url, headers }) => url.includes("sig=") && !headers.authorization), JSON.stringify(reads().map(({ url }) => url.slice(0, 80))));
      assert.equal(seen.length, reads().length, "no request for permission");
      const secret = new URLSearchParams(signature).get("sig");
      const all = await user.traces();
      for (const text of ["sig=", secret, encodeURIComponent(secret)]) assert.ok(!all.includes(text), text);
      assert.ok(explorer.site.requests.every(({ url, headers }) => !`${url}${JSON.stringify(headers)}`.includes("sig=")));
      assert.ok((await code()).includes(`access: azure({ account: "${ACCOUNT}", credentials: "…" })`));
      assert.deepEqual(user.problems, []);
    });
  }

  test("opens by a bearer token, which goes with the version that it needs, and the tab keeps it", async () => {
    const token = bearer();
    await user.show(store());
    await isAsked();
    seen.length = 0;
    await fill({ "#token": `Authorization: Bearer ${token}` });
    await opened();
    assert.match(await user.text("#access"), new RegExp(`Requests to https://${HOST} carry your token`));
    await until(isListed, "the container was listed");
    assert.ok(reads().length > 3 && reads().every(({ url, headers }) => headers.authorization === `Bearer ${token}` && headers["x-ms-version"] >= "2017-11-09" && !url.includes("sig=")));
    const all = await user.traces();
    assert.ok(!all.includes("s1gnature"));
    assert.ok(explorer.site.requests.every(({ url, headers }) => !`${url}${JSON.stringify(headers)}`.includes("s1gnature")));
    assert.ok((await code()).includes(`access: azure({ account: "${ACCOUNT}", credentials: { token: "…" } })`));
    await user.page.reload();
    await opened();
    assert.deepEqual(user.problems, []);
  });

  test("a signature that is wrong is asked for again, one that is over too, and what is not there is said to be so", async () => {
    await user.show(store());
    await fill({ "[name=sas]": "sv=1&sp=r" });
    assert.match(await user.text("#access .wrong"), /has “sig=” in it/);
    await fill({ "[name=sas]": sas("rl", Buffer.from("another").toString("base64")) });
    await user.waitFor(() => document.querySelector("#access form") && !document.querySelector("#access [name=sas]").value);
    assert.match(await user.text("#error"), /refuses the credentials.*403/);
    assert.ok(!(await user.text("#error")).includes("sig="));
    await fill({ "[name=sas]": sas("rl") });
    await opened();
    await user.page.$eval("#url", (input, address) => (input.value = address), `https://${HOST}/private/none.zarr`);
    await user.page.click("#open button[type=submit]");
    await user.says("#error", /Nothing is there/);
    assert.equal(await user.page.$("#access form"), null);
    assert.deepEqual(user.problems, []);
  });

  test("an address of abfs opens by Azure's web address, and its link has that", async () => {
    await user.show(`url=${encodeURIComponent(`abfss://private@${ACCOUNT}.dfs.core.windows.net/store.zarr/run/temp`)}`);
    await fill({ "[name=sas]": sas("rl") });
    await opened();
    assert.ok((await user.page.evaluate(() => location.hash)).includes(`https://${HOST}/private/store.zarr/run/temp`));
    assert.deepEqual(user.problems, []);
  });
});
