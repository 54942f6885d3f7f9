/** h5wasm in a worker: the file is one of Emscripten, whose pieces of 1 MiB are fetched by synchronous requests when they are read. */

import h5wasm from "/h5wasm/hdf5_hl.js";

let file;
let count = 0;

const verbs = {
  async open({ url }) {
    const { FS } = await h5wasm.ready;
    const name = `file-${count++}.nc`;
    FS.createLazyFile("/", name, url, true, false);
    file = new h5wasm.File(`/${name}`, "r");
    // Names, shapes and attributes, as a viewer lists them.
    const arrays = file.keys().map((key) => file.get(key)).filter(({ shape }) => shape);
    arrays.forEach(({ attrs }) => Object.values(attrs).map(({ value }) => value));
    return { count: arrays.length };
  },
  read: ({ ranges }) => ({ data: file.get("t2m").slice(ranges) }),
};

onmessage = async ({ data }) => {
  try {
    postMessage(await verbs[data.verb](data));
  } catch (error) {
    postMessage({ error: String(error) });
  }
};
