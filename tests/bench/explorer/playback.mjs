/** Watches the memory of the explorer's page in a long playback, and of what it opens after it. */

import { execFileSync } from "node:child_process";

import { launchAlone } from "../../browser/support/chromium.mjs";
import { columns } from "../support/table.mjs";
import { DRAWN, STORES } from "./site.mjs";
import { play } from "./steps.mjs";

const MS = 10_000; // of a part of the playback
const PARTS = 6;
const MOST = 1.15; // times the memory after the second part, that the last may take

/** Memory of a browser's largest renderer in MiB: what is in RAM. */
function residentOf(browser) {
  const rows = execFileSync("ps", ["-eo", "pid,ppid,rss,args"], { encoding: "utf8" }).split("\n").slice(1).map((row) => /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(.*)$/.exec(row)).filter(Boolean);
  const family = new Set([String(browser.process().pid)]);
  for (let size = 0; size !== family.size; ) {
    size = family.size;
    for (const [, pid, parent] of rows) if (family.has(parent)) family.add(pid);
  }
  return Math.max(...rows.filter(([, pid, , , args]) => family.has(pid) && args.includes("--type=renderer")).map(([, , , kib]) => Number(kib) / 1024));
}

/** Prints how the memory goes as a field is played. */
export async function playback(site) {
  const browser = await launchAlone({ watches: false });
  try {
    const page = await browser.newPage();
    await page.setViewport({ width: 1280, height: 800 });
    await page.goto(`${site.url}/${STORES.field}`);
    await page.waitForSelector(DRAWN, { timeout: 60_000 });
    const found = [residentOf(browser)];
    for (let part = 0; part < PARTS; part++) {
      await page.evaluate(play, MS);
      found.push(residentOf(browser));
    }
    const isMissed = found.at(-1) > MOST * found[2];
    console.log(`\nMemory of the explorer's page as 24 steps of 721 x 1440 are played over and over, in MiB, each ${MS / 1000} s from the first picture on`);
    console.log(`  (goal: after ${(PARTS * MS) / 1000} s at most ${MOST} times that after ${(2 * MS) / 1000})`);
    console.log(`  ${columns(found.map((mib) => mib.toFixed(0)), 8)}${isMissed ? "  missed" : ""}`);
    if (isMissed) process.exitCode = 1;
  } finally {
    await browser.close();
  }
}
