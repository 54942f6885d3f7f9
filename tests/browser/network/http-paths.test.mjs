/** Addresses: URL objects, queries, relative ones, and names that need escaping. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { pageAndOrigin } from "../support/opened.mjs";
import { pathOf } from "../support/origin.mjs";
import { oracle } from "../support/paths.mjs";

const entry = (await oracle("index.json")).find(({ name }) => name === "keys-default-slash");
const ODD = "a b/50%/c#d/e?f/\u96ea \u{1f30d}/x+y&z;=@,'()/[0]";

describe("addresses", () => {
  let page;
  let origin;
  pageAndOrigin((opened) => {
    ({ page, origin } = opened);
    // The odd path is served from the fixture, so that no odd file name is committed.
    origin.intercept = (request) => {
      const path = pathOf(request);
      if (path.startsWith(`/${ODD}/`)) request.url = `/${entry.path}${path.slice(ODD.length + 1)}`;
      return false;
    };
  });

  /** Read the whole array from what `source` evaluates to in the page, and check its values. */
  async function reads(source, options = {}) {
    const found = await page.run(
      `async ({ RectilinearArray, support }, options) => {
        const array = await RectilinearArray.open(${source}, options);
        const { data } = await array.get();
        return { crc32: support.crc32(support.bytesOf(data, array.dtype)), path: array.path };
      }`,
      options,
    );
    assert.equal(found.crc32, entry.crc32);
    return found;
  }

  const text = (url) => JSON.stringify(url);

  test("a URL object", () => reads(`new URL(${text(`${origin.url}/${entry.path}`)})`));
  test("a trailing slash", () => reads(text(`${origin.url}/${entry.path}/`)));
  test("an address relative to the page", () => reads(text(`data/${entry.path}`)));
  test("an address from the site's root", () => reads(text(`/data/${entry.path}`)));

  test("a query stays on every request: signed addresses", async () => {
    await reads(text(`${origin.url}/${entry.path}?sig=a%2Fb+c%3D&e=1`));
    const asked = origin.requests.map(({ url }) => url);
    assert.ok(asked.length > 8);
    for (const url of asked) assert.match(url, /^\/keys-default-slash\.zarr\/(zarr\.json|c\/\d\/\d\/\d)\?sig=a%2Fb\+c%3D&e=1$/);
  });

  test("a query and a path", async () => {
    await reads(text(`${origin.url}/?sig=1`), { path: entry.path });
    for (const { url } of origin.requests) assert.match(url, /^\/keys-default-slash\.zarr\/.*\?sig=1$/);
  });

  test("a fragment is not sent and not part of a key", () => reads(text(`${origin.url}/${entry.path}#top`)));

  for (const path of [entry.path, `/${entry.path}`, `${entry.path}/`, `/${entry.path}/`]) {
    test(`path ${path}`, async () => {
      const found = await reads(text(origin.url), { path });
      assert.equal(found.path.replaceAll("/", ""), entry.path);
    });
  }

  test("a path of spaces, %, #, ? and letters beyond ASCII", () => reads(text(origin.url), { path: ODD }));
  test("the same, escaped in the address", () =>
    reads(text(`${origin.url}/${ODD.split("/").map(encodeURIComponent).join("/")}`)));
  test("half of it escaped in the address, half in the path", () =>
    reads(text(`${origin.url}/a%20b/50%25`), { path: ODD.slice("a b/50%/".length) }));

  test("the same path in a store reaches it unescaped", async () => {
    const keys = await page.run(
      async ({ RectilinearArray, support }, { path, entry }) => {
        const files = await support.fetchFiles(`/data/${entry.path}`, ["zarr.json", "c/0/0/0"]);
        const store = support.mapStore(new Map([...files].map(([key, bytes]) => [`/${path}${key}`, bytes])));
        const array = await RectilinearArray.open(store, { path });
        await array.get([0, 0, 0]);
        return store.keys;
      },
      { path: ODD, entry },
    );
    assert.deepEqual(keys, [`/${ODD}/zarr.json`, `/${ODD}/c/0/0/0`]);
  });

  test("an address that is none is refused with a word about it", async () => {
    const error = await page.run(({ RectilinearArray, support }) =>
      support.rejection(() => RectilinearArray.open("http://[broken")),
    );
    assert.ok(error?.isError);
    assert.match(error.message, /\[broken/);
  });
});
