/** Counts what the explorer asks a host for until the picture of an image whose metadata are not consolidated. */

import { launch } from "../../browser/support/chromium.mjs";
import { columns } from "../support/table.mjs";
import { DRAWN, STORES } from "./site.mjs";

const MOST = 12;

/** In the page, before its scripts: notes which of the store's files were answered when the picture stood. */
function note(drawn) {
  const asked = () => performance.getEntriesByType("resource").filter(({ name }) => name.includes("/store/")).map(({ name, responseEnd }) => [new URL(name).pathname.replace("/store", ""), responseEnd]);
  new MutationObserver(() => document.querySelector(drawn) && (globalThis.asked ??= asked())).observe(document, { attributes: true, childList: true, subtree: true });
}

/** Prints a row for each image. */
export async function requests(site, isTold) {
  const browser = await launch();
  try {
    console.log("\nRequests of the explorer until the picture of an OME-Zarr image of five levels and three channels, not consolidated");
    console.log(`  (goal: ${MOST})`);
    console.log(`  ${"".padEnd(10)}${columns(["requests", "not there", "of chunks", "in all"], 12)}`);
    for (const store of ["ome05", "ome04"]) {
      const page = await browser.newPage();
      await page.setViewport({ width: 1280, height: 800 });
      await page.evaluateOnNewDocument(note, DRAWN);
      site.requests.length = 0;
      await page.goto(`${site.url}/${STORES[store]}`);
      await page.waitForFunction("globalThis.asked", { timeout: 60_000 });
      const asked = await page.evaluate("globalThis.asked");
      await page.waitForNetworkIdle({ idleTime: 1000, timeout: 60_000 }).catch(() => undefined);
      const absent = new Set(site.requests.filter(({ status }) => status === 404).map(({ url }) => url));
      const chunks = asked.filter(([url]) => /\/\d+(\/\d+){3,}$/.test(url));
      const values = [asked.length, asked.filter(([url]) => absent.has(url)).length, chunks.length, site.requests.length];
      console.log(`  ${store.padEnd(10)}${columns(values.map(String), 12)}${asked.length > MOST ? "  missed" : ""}`);
      if (isTold) for (const [url, end] of asked) console.log(`      ${end.toFixed(0).padStart(6)} ms  ${url}${absent.has(url) ? "  (not there)" : ""}`);
      if (asked.length > MOST) process.exitCode = 1;
      await page.close();
    }
  } finally {
    await browser.close();
  }
}
