/** Redirects: followed, refused where the caller says so, and which headers go along. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, afterEach, before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";

import { openPage } from "../support/chromium.mjs";
import { FaultyHost, on, status } from "../support/faults.mjs";
import { PACKAGE } from "../support/paths.mjs";
import { indexSize, written } from "../support/written.mjs";

const node = await import(pathToFileURL(join(PACKAGE, "node.js")));

const SECRETS = { "x-api-key": "k", authorization: "Bearer t" };
const INDEX = `bytes=-${indexSize(4)}`;

/** Redirects to the same path of another place. */
const to = (place) => (exchange) => status(307, { Location: `${place}${exchange.path}` })(exchange);

describe("redirects", () => {
  let first;
  let second;
  let page;
  const host = async () => {
    const files = new Map(written("a", { shape: [16, 16], chunks: [8, 8], inner: [4, 4] }));
    // The same once more, as it were moved.
    for (const [path, bytes] of [...files]) files.set(`/moved${path}`, bytes);
    const faulty = new FaultyHost(files);
    return { faulty, ...(await faulty.listen()) };
  };
  before(async () => {
    [first, second, page] = await Promise.all([host(), host(), openPage()]);
  });
  afterEach(() => {
    for (const { faulty, requests } of [first, second]) {
      faulty.reset();
      requests.length = 0;
    }
  });
  after(() => Promise.all([first, second, page].map((opened) => opened?.close())));

  /** The item or the error. */
  const inNode = async (options = {}) => {
    try {
      const array = await node.RectilinearArray.open(`${first.url}/a`, { retries: 1, ...options });
      return (await array.get([5, 5])).data[0];
    } catch (error) {
      return error;
    }
  };
  const inChromium = (options = {}) =>
    page.run(
      async ({ RectilinearArray, support }, { url, options }) => {
        let item;
        const error = await support.rejection(async () => {
          item = (await (await RectilinearArray.open(url, { retries: 1, ...options })).get([5, 5])).data[0];
        });
        return error ?? item;
      },
      { url: `${first.url}/a`, options },
    );
  /** Requests that came to a host, without preflights. */
  const came = ({ requests }) => requests.filter(({ method }) => method !== "OPTIONS");
  const secrets = (requests) => requests.map(({ headers }) => [headers["x-api-key"], headers.authorization]);
  const NONE = [undefined, undefined];
  const BOTH = ["k", "Bearer t"];

  test("in Node, no header of the caller's follows to another origin, and the range does", async () => {
    first.faulty.rules = [to(second.url)];
    assert.equal(await inNode({ headers: SECRETS }), 85);
    assert.deepEqual(secrets(came(first)), [BOTH, BOTH, BOTH]);
    assert.deepEqual(secrets(came(second)), [NONE, NONE, NONE]);
    assert.equal(came(second)[1].headers.range, INDEX);
  });

  test("in Node, they come back to no origin that they left", async () => {
    first.faulty.rules = [on(/^\/a\/zarr\.json$/, to(second.url))];
    second.faulty.rules = [(exchange) => status(302, { Location: `${first.url}/moved${exchange.path}` })(exchange)];
    assert.equal(await inNode({ headers: SECRETS }), 85);
    assert.deepEqual(came(first).map(({ url }) => url).slice(0, 2), ["/a/zarr.json", "/moved/a/zarr.json"]);
    assert.deepEqual(secrets(came(first)).slice(0, 2), [BOTH, NONE]);
  });

  test("in Node, they follow within the origin", async () => {
    first.faulty.rules = [on(/^\/a\//, (exchange) => status(301, { Location: `/moved${exchange.path}` })(exchange))];
    assert.equal(await inNode({ headers: SECRETS }), 85);
    assert.equal(came(first).length, 6);
    assert.deepEqual(secrets(came(first)), new Array(6).fill(BOTH));
  });

  test("in Node, a circle ends, and no other protocol is followed", async () => {
    first.faulty.rules = [to(first.url)];
    const error = await inNode({ headers: SECRETS });
    assert.deepEqual([error.name, error.status, came(first).length], ["StoreError", 307, 21], error.message);
    assert.match(error.message, /more than 20 times/);
    for (const location of ["data:application/json,{}", "file:///etc/hostname"]) {
      first.requests.length = 0;
      first.faulty.rules = [(exchange) => status(302, { Location: location })(exchange)];
      const error = await inNode({ headers: SECRETS });
      assert.deepEqual([error.name, came(first).length], ["StoreError", 1], error.message);
    }
  });

  test("without headers they are followed by the platform", async () => {
    first.faulty.rules = [to(second.url)];
    assert.equal(await inNode(), 85);
    assert.equal(await inChromium(), 85);
    assert.equal(await inChromium({ redirect: "follow" }), 85);
  });

  for (const [where, read] of [["Node", inNode], ["Chromium", inChromium]]) {
    test(`redirect: "error" in ${where} sends nothing to another address, and nothing twice`, async () => {
      for (const headers of [{}, SECRETS]) {
        first.requests.length = 0;
        first.faulty.rules = [to(second.url)];
        const error = await read({ redirect: "error", headers });
        assert.equal(error.name, "StoreError", error.message);
        assert.match(error.message, /redirect/);
        assert.deepEqual([came(first).length, second.requests.length], [1, 0]);
      }
    });

    test(`redirect: "error" in ${where} reads where nothing is redirected`, async () => {
      assert.equal(await read({ redirect: "error", headers: SECRETS }), 85);
    });
  }

  test("in Chromium, as the documentation says, Authorization stays behind and other headers follow", async () => {
    first.faulty.rules = [on(/zarr\.json$/, to(second.url))];
    assert.equal(await inChromium({ headers: SECRETS }), 85);
    assert.deepEqual(secrets(came(second)), [["k", undefined]]);
  });

  test("redirect: \"manual\" is a TypeError", async () => {
    const error = await inChromium({ redirect: "manual" });
    assert.equal(error.name, "TypeError");
    assert.match(error.message, /"error" or "follow"/);
  });
});
