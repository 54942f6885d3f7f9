/** Times what stands on a cold page of the explorer over slow networks: the title of the store, and the first picture. */

import { quantile } from "../../../www/src/bench/reads.js";
import { launchUnwatched } from "../support/browsers.mjs";
import { emulate, watch } from "../support/emulated.mjs";
import { columns } from "../support/table.mjs";
import { DRAWN, STORES } from "./site.mjs";

const AFTER = 2500; // ms in which what comes after the picture is there
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const NETWORKS = [
  { name: "1.6 Mbit/s, 150 ms", rate: 1.6, latency: 150, goals: { title: 600, picture: 4000 } },
  { name: "9 Mbit/s, 60 ms", rate: 9, latency: 60, goals: {} },
];

/** In the page, before its scripts: notes when the title, a first paint and the picture stood, and how far things were shifted. */
function note(drawn) {
  const told = (globalThis.told = { title: undefined, picture: undefined, shifted: 0 });
  const look = () => {
    const now = performance.now();
    const title = document.querySelector("#title")?.textContent;
    if (title && title !== "Opening…") told.title ??= now;
    if (document.querySelector(drawn)) told.picture ??= now;
  };
  new MutationObserver(look).observe(document, { attributes: true, childList: true, characterData: true, subtree: true });
  new PerformanceObserver((list) => list.getEntries().forEach((entry) => entry.hadRecentInput || (told.shifted += entry.value))).observe({ type: "layout-shift", buffered: true });
}

/** Opens a page with nothing cached: ms until the title is painted and the picture stands, bytes until then, and the shift of the layout until all is there. */
async function once(browser, url, { rate, latency }) {
  const context = await browser.createBrowserContext();
  try {
    const page = await context.newPage();
    await page.setViewport({ width: 1280, height: 800 });
    await page.evaluateOnNewDocument(note, DRAWN);
    const session = await watch(page);
    await emulate(session, rate, latency);
    let bytes = 0;
    session.on("Network.dataReceived", ({ encodedDataLength }) => (bytes += encodedDataLength));
    await page.goto(url, { waitUntil: "domcontentloaded", timeout: 60_000 });
    await page.waitForFunction("globalThis.told?.picture", { polling: 20, timeout: 60_000 });
    const before = bytes;
    await new Promise((done) => setTimeout(done, AFTER));
    const told = await page.evaluate(() => ({ ...globalThis.told, painted: performance.getEntriesByName("first-contentful-paint")[0]?.startTime }));
    return { title: Math.max(told.title, told.painted), picture: told.picture, bytes: before, shifted: told.shifted };
  } finally {
    await context.close();
  }
}

/** Prints a row for each network and store. */
export async function picture(site) {
  const browser = await launchUnwatched();
  try {
    console.log(`\nThe explorer on a cold page, its code in brotli, medians of ${ROUNDS}, ${await browser.version()}`);
    console.log("  (from the navigation until the store's title is painted and until the first picture stands; the shift is until all is there)");
    console.log(`  ${"".padEnd(28)}${columns(["title ms", "picture ms", "quickest", "kB", "layout shift"], 14)}`);
    for (const { name, goals, ...network } of NETWORKS) {
      for (const store of ["own", "era"]) {
        const found = [];
        await once(browser, `${site.url}/${STORES[store]}`, network); // starts the browser's processes
        for (let round = 0; round < ROUNDS; round++) found.push(await once(browser, `${site.url}/${STORES[store]}`, network));
        const middle = (what) => quantile(found.map((one) => one[what]), 0.5);
        const missed = Object.entries(goals).filter(([what, most]) => middle(what) > most && !(store === "era" && what === "title")).map(([what, most]) => `${what} is to take ${most}`);
        const values = [middle("title").toFixed(0), middle("picture").toFixed(0), quantile(found.map((one) => one.picture), 0).toFixed(0), (middle("bytes") / 1e3).toFixed(0), middle("shifted").toFixed(3)];
        console.log(`  ${name.padEnd(22)}${store.padEnd(6)}${columns(values, 14)}${missed.length ? `  missed: ${missed.join(", ")}` : ""}`);
        if (missed.length) process.exitCode = 1;
      }
    }
  } finally {
    await browser.close();
  }
}
