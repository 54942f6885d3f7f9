/** The explorer as `make demo` serves it, with the stores of its benches at /store. */

import { execFileSync } from "node:child_process";
import { join } from "node:path";

import { startPreview } from "../../browser/support/preview.mjs";
import { files, listen } from "../../browser/support/server.mjs";
import { DATA, PYTHON } from "../support/table.mjs";

/** Addresses of the stores that pages open, below the site's. */
export const STORES = {
  own: "",
  era: "#url=store/era.zarr/t2m",
  field: "#url=store/field.zarr/t2m",
  ome05: "#url=store/ome05.zarr",
  ome04: "#url=store/ome04.zarr",
  icon: "#url=store/icon.zarr/t",
};

/** What the page shows once a picture stands. */
export const DRAWN = '#view[aria-busy="false"][data-at]';

/** Starts the site; stores that are missing are written first. `requests` has those of the stores' files. */
export async function startSite() {
  for (const script of ["explorer_data.py", "field_data.py"]) {
    execFileSync(PYTHON, ["-W", "ignore", join(import.meta.dirname, "../support", script), DATA], { stdio: "inherit" });
  }
  const preview = await startPreview("dist");
  const data = files(DATA);
  const requests = [];
  const site = await listen((request, response) => {
    if (!request.url.startsWith("/store/")) return preview.handle(request, response);
    request.url = request.url.slice("/store".length);
    const asked = { url: request.url, status: 0, bytes: 0 };
    requests.push(asked);
    response.on("finish", () => Object.assign(asked, { status: response.statusCode, bytes: Number(response.getHeader("content-length") ?? 0) }));
    data(request, response);
  });
  return {
    url: site.url,
    requests,
    async close() {
      await site.close();
      await preview.close();
    },
  };
}
