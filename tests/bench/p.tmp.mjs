import { openPage } from "../browser/support/chromium.mjs";
import { emulate } from "./support/emulated.mjs";
import { startStore, valuesOf } from "./support/sources.mjs";
import { DATA, writeData } from "./support/table.mjs";
import { lastTab } from "./support/tasks.mjs";
import { bundledZarrita } from "./support/zarrita.mjs";
writeData();
const peer = await bundledZarrita();
const before = () => { globalThis.stacks = []; Error.stackTraceLimit = 40; const { open } = XMLHttpRequest.prototype; XMLHttpRequest.prototype.open = function (...a) { if (a[2] === false) globalThis.stacks.push(String(a[1]).split("/").pop() + " " + new Error().stack); return open.apply(this, a); }; };
const page = await openPage({}, { start: () => startStore(valuesOf(DATA, "tiles-zstd"), peer), before, mayBlock: true });
for (let n = 0; n < 3; n++) {
  await page.renew();
  const tab = await lastTab(page);
  await page.run(async (_, who) => (await import("/bench/viewer.mjs")).openOne(who, `${location.origin}/store`), "ours");
  await emulate(tab, 20, 40);
  await page.run(async (_, { every }) => (await import("/bench/viewer.mjs")).walk(every), { every: 400 });
  for (const s of await page.run(() => globalThis.stacks)) console.log(s.split("\n").map((l) => l.replace(/\(http.*\)/, "").trim()).slice(0, 16).join("\n    "));
  await tab.close();
}
await page.close();
