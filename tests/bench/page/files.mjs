/** The readers of original files that are compared, each with the same verbs. Runs inside the page. */

import { Group } from "rectilinear-zarr";

/** What was opened last. */
let opened;

const ours = {
  async open(url) {
    const group = await Group.open(url);
    return { group, count: group.tree().filter(({ kind }) => kind === "array").length };
  },
  plane: async ({ group }, day) => (await (await group.array("t2m")).get([day, null, null])).data,
  series: async ({ group }, [row, column]) => (await (await group.array("t2m")).get([null, row, column])).data,
  window: async ({ group }, [left, top, right, bottom]) => {
    const { slice } = await import("rectilinear-zarr");
    return (await (await group.array("0")).get([slice(top, bottom), slice(left, right)])).data;
  },
  coarsest: async ({ group, count }) => (await (await group.array(`${count - 1}`)).get()).data,
};

/** h5wasm in a worker, as only workers may wait for requests. */
const h5wasm = {
  worker: undefined,
  ask(question) {
    this.worker ??= new Worker("/bench/h5wasm.mjs", { type: "module" });
    return new Promise((resolve, reject) => {
      this.worker.onmessage = ({ data }) => (data.error ? reject(new Error(data.error)) : resolve(data));
      this.worker.onerror = ({ message }) => reject(new Error(message));
      this.worker.postMessage(question);
    });
  },
  async open(url) {
    // The worker and its code are there before the clock begins.
    return { count: (await this.ask({ verb: "open", url })).count };
  },
  async plane(_, day) {
    return (await this.ask({ verb: "read", ranges: [[day, day + 1], [], []] })).data;
  },
  async series(_, [row, column]) {
    return (await this.ask({ verb: "read", ranges: [[], [row, row + 1], [column, column + 1]] })).data;
  },
};

const geotiff = {
  async open(url) {
    const { fromUrl } = await import("/geotiff/geotiff.js");
    const file = await fromUrl(url);
    const count = await file.getImageCount();
    // Levels with their sizes, as a viewer asks for them.
    await Promise.all(Array.from({ length: count }, async (_, nth) => (await file.getImage(nth)).getWidth()));
    return { file, count };
  },
  window: async ({ file }, window) => (await (await file.getImage(0)).readRasters({ window, interleave: true })),
  coarsest: async ({ file, count }) => (await (await file.getImage(count - 1)).readRasters({ interleave: true })),
};

const READERS = { ours, h5wasm, geotiff };

/** Opens a file: the milliseconds, and how many arrays it has. */
export async function begin({ reader, url }) {
  const started = performance.now();
  const found = await READERS[reader].open(url);
  const ms = performance.now() - started;
  opened = { reader: READERS[reader], found };
  return { ms, sum: found.count };
}

/** Reads from the file that was opened last: the milliseconds, and the sum of the values. */
export async function read({ task, wanted }) {
  const started = performance.now();
  const data = await opened.reader[task](opened.found, wanted);
  return { ms: performance.now() - started, sum: data.reduce((a, b) => a + b, 0) };
}
