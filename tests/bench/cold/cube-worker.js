// The file is one of Emscripten, whose pieces of 1 MiB are fetched by synchronous requests when they are read.
import h5wasm from "h5wasm";

onmessage = async (event) => {
  const { FS } = await h5wasm.ready;
  FS.createLazyFile("/", "cube.nc", event.data, true, false);
  postMessage({ data: new h5wasm.File("/cube.nc", "r").get("t2m").slice([[200, 201], [], []]) });
};
