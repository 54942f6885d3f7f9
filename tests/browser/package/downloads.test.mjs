/** The files of the package that pages load until they have a first value: `make size` adds up those that are listed. */

import assert from "node:assert/strict";
import { basename } from "node:path";
import { after, before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";

import { PAGES, filesOf } from "../../../.tools/downloads.mjs";
import { openPage } from "../support/chromium.mjs";
import { PACKAGE } from "../support/paths.mjs";

/** Fixtures by the kind of page that reads them. */
const FIXTURES = {
  zstd: "int16-regular",
  uncompressed: "regular-exact",
  metadata: "int16-regular",
  "rectilinear chunks": "codec-zstd",
  "zstd in shards": "sharded-zstd",
  blosc: "blosc-blocks",
  gzip: "int64-regular",
  "Zarr v2, blosc": "tensorstore-v2-blosc",
};

describe("downloads to a first value", () => {
  let page;
  before(async () => (page = await openPage()));
  after(() => page?.close());

  for (const kind of PAGES) {
    test(`${kind.page}: the page loads the files that the list names`, async () => {
      await page.renew();
      page.site.requests.length = 0;
      const read = async ({ RectilinearArray }, { name, isRead }) => {
        const array = await RectilinearArray.open(`${location.origin}/data/${name}.zarr`);
        return isRead ? (await array.getChunk(array.shape.map(() => 0))).data.length : array.shape.length;
      };
      const found = await page.run(read, { name: FIXTURES[kind.page], isRead: kind.page !== "metadata" });
      assert.ok(found > 0);
      const files = page.site.requests.filter(({ url }) => url.startsWith("/pkg/")).map(({ url }) => basename(url));
      assert.deepEqual([...new Set(files)].sort(), filesOf(kind, pathToFileURL(`${PACKAGE}/`)));
    });
  }
});
