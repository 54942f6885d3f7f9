/** The files of the package that pages load until they have a first value: `make size` adds up those that are listed. */

import assert from "node:assert/strict";
import { basename } from "node:path";
import { after, before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";

import { PAGES, REST, filesOf } from "../../../.tools/downloads.mjs";
import { openPage } from "../support/chromium.mjs";
import { until } from "../support/network.mjs";
import { PACKAGE } from "../support/paths.mjs";

/** Fixtures by the kind of page that reads them. */
const FIXTURES = { zstd: "codec-zstd", uncompressed: "codec-little", blosc: "blosc-lz4-shuffle", gzip: "codec-gzip", metadata: "codec-zstd" };

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
      // The rest of the module loads once the value is there, and not without a read.
      if (kind.page !== "metadata") await until(() => page.site.requests.some(({ url }) => url.endsWith(`/${REST}`)));
      const urls = page.site.requests.map(({ url }) => url);
      const loaded = urls.filter((url) => url.startsWith("/pkg/")).map((url) => basename(url));
      assert.deepEqual([...new Set(loaded)].filter((name) => name !== REST).sort(), filesOf(kind, pathToFileURL(`${PACKAGE}/`)));
      const last = urls.findLastIndex((url) => url.startsWith("/data/"));
      const rest = urls.findIndex((url) => url.endsWith(`/${REST}`));
      assert.ok(kind.page === "metadata" ? rest < 0 : rest > last, `request ${rest} of ${urls}`);
    });
  }
});
