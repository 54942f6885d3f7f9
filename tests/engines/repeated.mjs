/**
 * Every array of the oracle, again and again, in Chromium, Firefox and WebKit, while other work keeps the processors busy:
 * node tests/engines/repeated.mjs [RUNS] [ENGINE...]. Each run reads all arrays in a new page, so all parts of the module
 * load anew. Prints the counts of an engine, and fails where one value is wrong or one call traps.
 */

import { Worker } from "node:worker_threads";
import { availableParallelism } from "node:os";

import { launch as chromium, openPage } from "../browser/support/chromium.mjs";
import { launch as firefox } from "../browser/support/firefox.mjs";
import { oracleEntries, readEntries } from "../browser/support/oracle.mjs";
import { launch as webkit } from "../browser/support/webkit.mjs";

const ENGINES = { chromium, firefox, webkit };

/** Arrays of one call into a page. */
const BATCH = 40;

const [runs = "20", ...engines] = process.argv.slice(2);
const entries = await oracleEntries();
const patience = 600_000;

/** Keeps the processors busy with work of another thread each. */
const busy = Array.from({ length: availableParallelism() }, () => new Worker("let x = 1; for (;;) x = Math.sin(x) + 1;", { eval: true }));

for (const engine of engines.length ? engines : Object.keys(ENGINES)) {
  const page = await openPage({}, { browse: () => ENGINES[engine]({ patience }) });
  const since = performance.now();
  const failures = [];
  let arrays = 0;
  for (let run = 1; run <= Number(runs); run++) {
    for (let at = 0; at < entries.length; at += BATCH) {
      const batch = entries.slice(at, at + BATCH);
      const found = await page.run(readEntries, { entries: batch }).catch((error) => [[`${batch[0].name} and after it: ${error.message}`]]);
      failures.push(...found.flat().map((failure) => `run ${run}: ${failure}`));
      arrays += batch.length;
    }
    failures.push(...page.errors.splice(0));
    await page.renew();
  }
  await page.close();
  const minutes = ((performance.now() - since) / 60_000).toFixed(1);
  console.log(`${engine}: ${runs} runs of ${entries.length} arrays, ${arrays} reads, ${failures.length} wrong values or traps, ${minutes} min`);
  for (const failure of failures.slice(0, 20)) console.error(`  ${failure}`);
  if (failures.length > 0) process.exitCode = 1;
}

for (const worker of busy) await worker.terminate();
