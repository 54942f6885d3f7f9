/** The explorer over hosts as strangers' addresses have them: those that say 403 or nothing for what is missing, that ask for a token, or that are no hosts. */

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";

import { startMade } from "../support/made.mjs";
import { files, listen } from "../support/server.mjs";

const TOKEN = "sekret";

/** Hosts by names; each gets whether the file is there. All but `closed` allow other origins to read what is. */
const HOSTS = {
  /** A bucket whose readers may not list it. */
  bucket: (_, response, isThere) => (isThere ? undefined : response.writeHead(403)),
  /** A server that adds its headers to good answers alone, as nginx does without `always`. */
  bare(request, response, isThere) {
    if (isThere || request.method === "OPTIONS") return undefined;
    response.removeHeader("Access-Control-Allow-Origin");
    return response.writeHead(404);
  },
  /** A host with the headers that the documentation names, and no others. */
  guarded(request, response) {
    response.setHeader("Access-Control-Allow-Headers", "Range, Authorization");
    return request.method === "OPTIONS" || request.headers.authorization === `Bearer ${TOKEN}` ? undefined : response.writeHead(401);
  },
  closed: (_, response) => void response.removeHeader("Access-Control-Allow-Origin"),
  page: (_, response) => response.writeHead(200, { "Content-Type": "text/html" }).write("<!doctype html><title>App</title>") && response,
  busy: (_, response) => response.writeHead(503),
};

describe("the explorer over hosts of strangers", () => {
  let made;
  let explorer;
  let host;
  let user;

  before(async () => {
    made = await startMade("sights.py");
    explorer = made.explorer;
    const serve = files(made.directory);
    host = await listen((request, response) => {
      const [, name, ...rest] = request.url.split("/");
      const path = rest.join("/");
      response.setHeader("Access-Control-Allow-Origin", "*");
      response.setHeader("Access-Control-Allow-Headers", request.headers["access-control-request-headers"] ?? "*");
      response.setHeader("Access-Control-Expose-Headers", "ETag, Content-Range");
      const isThere = existsSync(join(made.directory, path)) && !path.endsWith("/") && /[^/]\.?(json|\d|z\w+)$/.test(path);
      const refused = Object.hasOwn(HOSTS, name) ? HOSTS[name](request, response, isThere) : response.writeHead(404);
      if (refused) return refused.end();
      if (request.method === "OPTIONS") return response.writeHead(204).end();
      request.url = `/${path}`;
      return serve(request, response);
    });
  });
  after(async () => {
    await made?.close();
    await host?.close();
  });
  beforeEach(async () => (user = await explorer.page()));
  afterEach(() => user.close());

  const at = (path) => `url=${host.url}/${path}`;
  const fails = async (address) => {
    await user.page.goto("about:blank");
    await user.page.goto(`${explorer.site.url}/#url=${address}`);
    await user.page.waitForSelector("#error:not([hidden])");
    return user.text("#error");
  };

  for (const name of ["bucket", "bare"]) {
    test(`${name === "bucket" ? "403" : "a 404 without CORS headers"} for what is missing: Zarr v2, what is stored in part, and an image's levels`, async () => {
      for (const path of ["old.zarr", "old.zarr/v"]) {
        await user.show(at(`${name}/${path}`));
        assert.equal(await user.text("#title"), "v");
        await user.point([10, 10], [50, 40]);
        assert.match(await user.text(".tip"), /^3y = 10, x = 10/);
        await user.point([40, 30], [50, 40]);
        assert.match(await user.text(".tip"), /^no data/);
      }
      await user.show(at(`${name}/plate04.zarr/A/2/0`));
      assert.equal(await user.text("#title"), "A2 0");
      assert.ok(await user.page.$eval("#error", ({ hidden }) => hidden));
      assert.equal(await user.page.$("#access input"), null); // no token is asked for
      assert.deepEqual(user.problems, []);
    });
  }

  test("a token opens shards too, on a host that allows the documented headers alone", async () => {
    await user.page.goto(`${explorer.site.url}/#${at("guarded/climate.zarr/sharded")}`);
    await user.page.waitForSelector("#access input");
    await user.page.type("#access input", TOKEN);
    await user.page.keyboard.press("Enter");
    await user.says("#title", /^sharded$/);
    await user.settled();
    await user.point([20, 10], [72, 35]);
    const value = Math.cos((2 * 35 * Math.PI) / 180) * 20 + Math.sin((300 * Math.PI) / 180) * 4 + 280;
    assert.ok(Math.abs(parseFloat(await user.text(".tip b")) - value) < 0.01);
    assert.ok(await user.page.$eval("#error", ({ hidden }) => hidden));
    assert.deepEqual(user.problems, []);
  });

  test("no CORS, no host, a page for everything and a host that is down have words of their own", async () => {
    assert.match(await fails(`${host.url}/closed/climate.zarr/tas`), /the host answers, but does not allow this page to read it \(CORS\)/);
    const gone = await listen(() => undefined);
    await gone.close();
    assert.match(await fails(`${gone.url}/climate.zarr/tas`), /no answer \(Failed to fetch\); check the address and the network/);
    assert.match(await fails(`${host.url}/page/climate.zarr/tas`), /the host answered with an HTML page instead of JSON/);
    assert.match(await fails(`${host.url}/busy/climate.zarr/tas`), /HTTP 503: the host failed, and again at each retry/);
    await user.says("#title", /^Nothing could be opened$/);
  });
});
