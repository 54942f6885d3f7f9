/** The benchmarks that need a browser, run by `make bench`: each prints ratios of medians measured in turn in one page. */

import { openPage } from "../browser/support/chromium.mjs";
import { copyRatio } from "./copy-ratio.mjs";
import { decode } from "./decode.mjs";
import { network } from "./network.mjs";

const page = await openPage({ "/bench": new URL(".", import.meta.url).pathname });
try {
  const version = await page.browser.version();
  console.log(`\nWhole reads of 64 MiB float32 from an in-memory store, ${version}, no workers`);
  console.log("  (a plain copy is one new Uint8Array of the same bytes; medians of rounds in turn)");
  for (const chunk of [4096, 1024, 512, 128]) {
    const { ours, copy, ratio, low, high } = await page.run(copyRatio, { side: 4096, chunk, rounds: 25 });
    console.log(
      `  ${String(chunk).padStart(5)} x ${String(chunk).padEnd(5)} read ${ours.toFixed(1).padStart(6)} ms   ` +
        `plain copy ${copy.toFixed(1).padStart(6)} ms   ratio ${ratio.toFixed(2)} (quartiles ${low.toFixed(2)} to ${high.toFixed(2)})`,
    );
  }
} finally {
  await page.close();
}
await decode();
await network();
