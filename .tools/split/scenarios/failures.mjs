// Errors of a first visit, and aborts.
import { answer } from "../../../tests/browser/support/origin.mjs";
import { RectilinearArray, list, local, origin, remote, site, step, visit } from "../visit.mjs";

/** Answers the first so many requests that match with a status. */
const fails = (pattern, status, times = Infinity) => (request, response) => times > 0 && answer(pattern, status)(request, response) && times-- > 0;

async function after(intercept, run) {
  const usual = origin.intercept;
  origin.intercept = intercept;
  await run().finally(() => (origin.intercept = usual));
}

const BROKEN = /^(json-|format-|codec-unknown$|grid-unknown$|data-type-unknown$|shard-index-checksum|chunk-(bytes|gzip|zstd|blosc|crc32c)-(truncated|checksum|garbage|html|empty|data))/;
const OPTIONS = [{ credentials: "perhaps" }, { timeout: -1 }, { workers: "many" }, { cacheBytes: "much" }, { headers: 5 }, { zarrFormat: 4 }, { format: "other" }, { redirect: "never" }, 5];

async function aborts() {
  const abort = new AbortController();
  abort.abort();
  await step("abort", () => visit(local("codec-zstd"), { options: [{ signal: abort.signal }] }));
  await step("abort before anything is asked for", async () => {
    const controller = new AbortController();
    const opening = RectilinearArray.open(remote("codec-zstd"), { signal: controller.signal });
    controller.abort();
    await opening;
  });
  for (const asked of [/zarr\.json$/, /\/c\//]) {
    await step(`abort while ${asked} is under way`, async () => {
      const controller = new AbortController();
      const stops = (request) => (asked.test(request.url) && setTimeout(() => controller.abort(), 5), asked.test(request.url));
      await after(stops, () => visit(remote("codec-little"), { open: { signal: controller.signal }, options: [{ signal: controller.signal }] }));
    });
  }
}

export async function run() {
  await step("nothing there", () => visit(local("nothing-there")));
  await step("nothing there, by its path", () => visit(local("nothing-there"), { open: { path: "a/b" } }));
  await step("a group", () => visit(local("groups/consolidated")));
  for (const status of [401, 403, 500]) {
    await step(`${status}`, () => after(fails(/./, status), () => visit(remote("codec-zstd"), { open: { retries: 0 } })));
    await step(`${status} for a chunk`, () => after(fails(/\/c\//, status), () => visit(remote("codec-zstd"), { open: { retries: 0 } })));
    await step(`${status} for a chunk, with the default options`, () => after(fails(/\/c\//, status), () => visit(remote("codec-zstd"))));
  }
  await step("after 503", () => after(fails(/./, 503, 2), () => visit(remote("codec-zstd"))));
  await step("no network", () => visit("http://127.0.0.1:9/a.zarr", { open: { retries: 0 } }));
  for (const { name, path } of list("broken.json").filter(({ name }) => BROKEN.test(name))) await step(name, () => visit(`${site.url}/data/${path}`));
  for (const { name, path } of list("broken-v2.json")) await step(name, () => visit(`${site.url}/data/${path}`));
  await step("selection", () => visit(local("codec-zstd"), { selections: [() => [1e9]] }));
  await step("selection of too many axes", () => visit(local("codec-zstd"), { selections: [() => [0, 0, 0, 0, 0]] }));
  await step("option", () => visit(local("codec-zstd"), { options: [{ as: "float99" }] }));
  for (const open of OPTIONS) await step("option of open", () => visit(local("codec-zstd"), { open }));
  await step("a source that is none", () => visit(5));
  for (const url of ["mailto:nobody", "http://a b"]) await step(url, () => visit(url));
  await aborts();
}
