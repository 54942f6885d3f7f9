// The same plane by h5wasm, in a worker, as only workers may wait for requests.
import { tell } from "../first/tell.js";

const worker = new Worker(new URL("./cube-worker.js", import.meta.url), { type: "module" });
worker.onmessage = (event) => tell(event.data);
worker.postMessage(new URL("/data/cube.nc", location.href).href);
