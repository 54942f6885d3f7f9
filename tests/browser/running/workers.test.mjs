/** Workers: what they decode is what this thread decodes, in values and in errors, however they start, die, or are forbidden. */

import assert from "node:assert/strict";
import { dirname } from "node:path";
import { after, before, describe, test } from "node:test";

import { openPage } from "../support/chromium.mjs";
import { oracle, PACKAGE } from "../support/paths.mjs";
import { allow, files, listen } from "../support/server.mjs";
import { withHelpers } from "../support/with-helpers.mjs";

/** In the page: what starts workers unless told otherwise is 8 MiB; this is 9 chunks of 1 MiB. */
const HELPERS = `
  const { differs, gzipped, spyOnWorkers, until } = await import("/support/gzipped.mjs");
  const spied = spyOnWorkers();
  const store = await gzipped(9, 1 << 18);
`;

/** Damaged arrays that one call into a page reads. */
const AT_ONCE = 100;
/** Damaged arrays that a page reads at the same time. */
const TOGETHER = 8;

describe("workers", () => {
  let page;
  before(async () => (page = await openPage()));
  after(() => page?.close());

  /** Runs in a page of its own, whose workers are its own. */
  async function run(body, args) {
    await page.renew();
    return page.run(withHelpers(HELPERS, body), args);
  }

  /* global differs, spied, store, until */

  test("decode a large read, and leave a small one, and one with workers: 0, to this thread", async () => {
    const found = await run(async ({ RectilinearArray }) => {
      const alone = await RectilinearArray.open(store, { workers: 0, cacheBytes: 0 });
      const [here] = [await alone.get()];
      const array = await RectilinearArray.open(store, { cacheBytes: 0 });
      const small = await array.get([{ start: 0, stop: 1 << 18 }]);
      const before = spied.workers.length;
      await array.get();
      await until(async () => (await array.get(), spied.answered > 0));
      const whole = await array.get();
      return { same: [here, small, whole].map(({ data }) => differs(data)), before, sent: spied.sent - spied.answered };
    });
    assert.deepEqual(found, { same: [-1, -1, -1], before: 0, sent: 0 });
  });

  test("end with the last array, and start again with the next", async () => {
    const found = await run(async ({ RectilinearArray }) => {
      const arrays = await Promise.all([1, 2].map(() => RectilinearArray.open(store, { workers: 2, cacheBytes: 0 })));
      await until(async () => (await arrays[0].get(), spied.answered > 0));
      arrays[0].free();
      const first = spied.ended;
      await arrays[1].get();
      arrays[1].free();
      const second = spied.ended;
      const again = await RectilinearArray.open(store, { workers: 1, cacheBytes: 0 });
      await until(async () => (await again.get(), spied.workers.length > 2));
      return [first, second, spied.workers.length];
    });
    assert.deepEqual(found, [0, 2, 3]);
  });

  test("leave the store's own bytes as they are", async () => {
    const found = await run(async ({ RectilinearArray }) => {
      const lengths = () => [...store.values()].map(({ byteLength }) => byteLength).join();
      const before = lengths();
      const array = await RectilinearArray.open({ get: (key) => store.get(key) }, { workers: 2, cacheBytes: 0 });
      await until(async () => (await array.get(), spied.answered > 0));
      return lengths() === before;
    });
    assert.equal(found, true);
  });

  test("chunks that a store takes away while they wait fail by name, and workers and later reads go on", async () => {
    const found = await run(async ({ RectilinearArray, support }) => {
      let given = [];
      const copy = (key) => {
        const value = store.get(key)?.slice();
        if (key.includes("/c/")) given.push(value);
        return value;
      };
      const array = await RectilinearArray.open({ get: copy }, { workers: 1, cacheBytes: 0 });
      await until(async () => (await array.get(), spied.answered > 0));
      given = [];
      const sent = spied.sent;
      const reading = support.rejection(() => array.get());
      await until(() => spied.sent > sent);
      for (const { buffer } of given.slice(4)) structuredClone(buffer, { transfer: [buffer] });
      const { name, message } = await reading;
      return { name, message, differs: differs((await array.get()).data), workers: spied.workers.length };
    });
    assert.equal(found.name, "CodecError");
    assert.match(found.message, /got 0 bytes/);
    assert.deepEqual([found.differs, found.workers], [-1, 1]);
  });

  test("a read that is aborted rejects at once, sends no more, and takes nothing from another one", async () => {
    const found = await run(async ({ RectilinearArray }) => {
      const array = await RectilinearArray.open(store, { workers: 1, cacheBytes: 0 });
      await until(async () => (await array.get(), spied.answered > 0));
      const other = await RectilinearArray.open(new Map(store), { workers: 1, cacheBytes: 0 });
      const sent = spied.sent;
      const controller = new AbortController();
      const aborted = array.get(null, { signal: controller.signal }).catch((reason) => reason);
      await until(() => spied.sent > sent);
      controller.abort("enough");
      const after = spied.sent;
      const reason = await aborted;
      await new Promise((done) => setTimeout(done, 200));
      const later = spied.sent - after;
      const reads = [other.get(), array.get(null, { signal: AbortSignal.abort("early") }).catch((reason) => reason), other.get()];
      const [one, early, two] = await Promise.all(reads);
      return { reason, later, early, same: [one, two].map(({ data }) => differs(data)) };
    });
    assert.deepEqual(found, { reason: "enough", later: 0, early: "early", same: [-1, -1] });
  });

  for (const [how, end] of Object.entries({
    "fails": (worker) => worker.dispatchEvent(new ErrorEvent("error", { message: "unreachable", cancelable: true })),
    "is ended without a word": (worker) => Object.getPrototypeOf(Object.getPrototypeOf(worker)).terminate.call(worker),
  })) {
    test(`one that ${how} is replaced and its chunks are decoded all the same`, async () => {
      const found = await run(
        async ({ RectilinearArray }, { end }) => {
          const array = await RectilinearArray.open(store, { workers: 2, cacheBytes: 0 });
          await until(async () => (await array.get(), spied.answered > 0));
          const sent = spied.sent;
          const reading = array.get();
          await until(() => spied.sent > sent);
          (0, eval)(end)(spied.workers[0]);
          const { data } = await reading;
          // Where the other worker did the rest of that read, the next one needs a new one.
          await until(async () => (spied.workers.length <= 2 && (await array.get()), spied.workers.length > 2));
          return [differs(data), spied.ended, spied.workers.length];
        },
        { end: `(${end})` },
      );
      assert.deepEqual(found, [-1, 1, 3]);
    });
  }

  test("chunks that every worker dies of fail by name, and this thread goes on", async () => {
    const found = await run(async ({ RectilinearArray, support }) => {
      const array = await RectilinearArray.open(store, { workers: 2, cacheBytes: 0 });
      await until(async () => (await array.get(), spied.answered > 0));
      const { postMessage } = Worker.prototype;
      Worker.prototype.postMessage = function (message, transfer) {
        // The module as it should be; instead of a parcel, what no decoder takes.
        postMessage.call(this, message[0] instanceof Uint8Array ? [new Uint8Array(3)] : message, transfer);
      };
      const error = await support.rejection(() => array.get());
      Worker.prototype.postMessage = postMessage;
      return { error, differs: differs((await array.get()).data) };
    });
    assert.equal(found.error.name, "UnsupportedError");
    assert.match(found.error.message, /two workers ended/);
    assert.equal(found.differs, -1);
  });

  for (const [how, meddle] of Object.entries({
    "there are none": () => delete globalThis.Worker,
    "none can be made": () => (globalThis.Worker = class { constructor() { throw new Error("forbidden"); } }),
    "none ever loads": () => (globalThis.Worker = class extends Worker { constructor() { super("data:text/javascript,0 0"); } }),
  })) {
    test(`this thread decodes where ${how}`, async () => {
      const found = await page.renew().then(() =>
        page.run(
          async ({ RectilinearArray }, { meddle }) => {
            const { differs, gzipped } = await import("/support/gzipped.mjs");
            (0, eval)(meddle)();
            const array = await RectilinearArray.open(await gzipped(9, 1 << 18), { workers: 2, cacheBytes: 0 });
            const found = [];
            for (let round = 0; round < 3; round++) {
              found.push(differs((await array.get()).data));
              await new Promise((done) => setTimeout(done, 100));
            }
            return found;
          },
          { meddle: `(${meddle})` },
        ),
      );
      assert.deepEqual(found, [-1, -1, -1]);
    });
  }

  test("errors are the same from a worker", async () => {
    const lists = await Promise.all(["broken.json", "broken-filters.json", "broken-objects.json"].map((name) => oracle(name)));
    const broken = lists.flat().filter(({ when, error }) => when !== "open" && error === "CodecError");
    assert.ok(broken.length > 20);
    const read = async ({ RectilinearArray, support }, { broken, together }) => {
      const warm = await RectilinearArray.open(store, { workers: 2, cacheBytes: 0 });
      await until(async () => (await warm.get(), spied.answered > 0));
      const before = spied.answered;
      const compared = [];
      const compare = async ({ name, path, proposals }) => {
        const errors = [0, 2].map(async (workers) => {
          const array = await RectilinearArray.open(new URL(`/data/${path}`, location.href), { proposals, workers });
          return support.rejection(() => array.get());
        });
        compared.push([name, ...(await Promise.all(errors))]);
      };
      const left = broken.values();
      const reader = async () => {
        for (const entry of left) await compare(entry);
      };
      await Promise.all(Array.from({ length: together }, reader));
      return { compared, answered: spied.answered - before };
    };
    const found = { compared: [], answered: 0 };
    for (let at = 0; at < broken.length; at += AT_ONCE) {
      const { compared, answered } = await run(read, { broken: broken.slice(at, at + AT_ONCE), together: TOGETHER });
      found.compared.push(...compared);
      found.answered += answered;
    }
    // What a host answers to the range of an empty file depends on what is known of the host by then.
    const ofHost = ({ name, key }) => ({ name, key });
    const compared = (error) => (error.name === "StoreError" ? ofHost(error) : error);
    for (const [name, here, there] of found.compared) assert.deepEqual(compared(there), compared(here), name);
    assert.ok(found.answered > 20, `${found.answered} errors came from workers`);
  });

  // Filters are in the second module, which workers do not have.
  const lists = ["index.json", "index-v2.json", "index-tensorstore.json"];
  for (const [list, nth] of lists.flatMap((list) => [0, 1, 2].map((nth) => [list, nth]))) {
    test(`read what the oracle reads: ${list}, every third array from ${nth} on`, async () => {
      const entries = (await oracle(list)).filter((entry, at) => !entry.class && at % 3 === nth);
      const found = await run(
        async ({ RectilinearArray, support }, { entries }) => {
          const warm = await RectilinearArray.open(store, { workers: 2, cacheBytes: 0 });
          await until(async () => (await warm.get(), spied.answered > 0));
          const before = spied.answered;
          const failures = [];
          for (const entry of entries) {
            // Nothing is cached, so that workers decode for each selection; the host is asked once.
            const source = support.fetchedOnce(`/data/${entry.path}`);
            const bytes = new Uint8Array(await (await fetch(`/data/${entry.expected}`)).arrayBuffer());
            const options = { proposals: entry.proposals, workers: 2, cacheBytes: 0 };
            const failed = await support.compareEntry(RectilinearArray, source, entry, bytes, options);
            failures.push(...failed.map((failure) => `${entry.name}: ${failure}`));
          }
          return { failures, answered: spied.answered - before };
        },
        { entries },
      );
      assert.deepEqual(found.failures, []);
      assert.ok(found.answered > 10, `${found.answered} parcels came from workers`);
    });
  }

  test("start inside a worker too", async () => {
    await page.renew();
    const found = await page.run(async () => {
      const script = `
        import { RectilinearArray } from "${location.origin}/pkg/index.js";
        import { differs, gzipped, spyOnWorkers, until } from "${location.origin}/support/gzipped.mjs";
        const spied = spyOnWorkers();
        const array = await RectilinearArray.open(await gzipped(9, 1 << 18), { workers: 1, cacheBytes: 0 });
        await until(async () => (await array.get(), spied.answered > 0));
        postMessage(differs((await array.get()).data));`;
      const worker = new Worker(URL.createObjectURL(new Blob([script], { type: "text/javascript" })), { type: "module" });
      return new Promise((resolve) => {
        worker.onmessage = ({ data }) => resolve(data);
        worker.onerror = ({ message }) => resolve(message);
      });
    });
    assert.equal(found, -1);
  });

  test("nothing was thrown outside a promise", () => assert.deepEqual(page.errors, []));
});

describe("workers of a package on another origin", () => {
  let cdn;
  let page;
  before(async () => {
    const serve = files(dirname(PACKAGE));
    cdn = await listen((request, response) => allow(request, response) || serve(request, response));
    page = await openPage({});
  });
  after(() => Promise.all([page?.close(), cdn?.close()]));

  for (const [how, policy, expected] of [
    ["start through a blob", undefined, true],
    ["are done without where a policy forbids blobs", "worker-src 'self'", false],
    ["are done without where a policy forbids all", "worker-src 'none'", false],
  ]) {
    test(how, async () => {
      await page.renew();
      const found = await page.run(
        async (_, { cdn, policy, patience }) => {
          const { differs, gzipped, spyOnWorkers, until } = await import("/support/gzipped.mjs");
          if (policy) {
            const meta = Object.assign(document.createElement("meta"), { httpEquiv: "Content-Security-Policy", content: policy });
            document.head.append(meta);
          }
          const spied = spyOnWorkers();
          const { RectilinearArray } = await import(`${cdn}/pkg/index.js`);
          const array = await RectilinearArray.open(await gzipped(9, 1 << 18), { workers: 2, cacheBytes: 0 });
          const worked = await until(async () => (await array.get(), spied.answered > 0), patience).then(
            () => true,
            () => false,
          );
          return { worked, differs: differs((await array.get()).data) };
        },
        { cdn: cdn.url, policy, patience: expected ? 50_000 : 2000 },
      );
      assert.deepEqual(found, { worked: expected, differs: -1 });
    });
  }

  test("nothing was thrown outside a promise", () => assert.deepEqual(page.errors, []));
});
