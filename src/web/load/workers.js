/** Starts workers from the script beside this one. */
import { startWorkersBy, workerSaid } from "./rectilinear_zarr.js";

/** Allows the module to start workers from now on. */
export function allowWorkers() {
  startWorkersBy((module, number) => {
    const worker = create();
    const gone = () => workerSaid(number);
    // A worker that the browser ends sends no message, but releases its lock.
    const lock = `rectilinear-zarr ${Math.random()}`;
    worker.onmessage = ({ data }) => {
      if (data === null) navigator.locks?.request(lock, gone).catch(() => {});
      workerSaid(number, data);
    };
    worker.onerror = worker.onmessageerror = (event) => {
      event.preventDefault();
      gone();
    };
    worker.postMessage([module, lock]);
    return worker;
  });
}

function create() {
  try {
    return new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
  } catch {
    // A page cannot start a worker script of another origin, but a script of its own may import one. The URL is made
    // from a variable, so that bundlers do not copy the file.
    const here = import.meta.url;
    const text = `import ${JSON.stringify(new URL("worker.js", here).href)};`;
    const url = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
    try {
      return new Worker(url, { type: "module" });
    } finally {
      URL.revokeObjectURL(url);
    }
  }
}
