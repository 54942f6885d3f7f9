/** Starts the package's workers, from a script that lies beside this one. */
import { startWorkersBy, workerSaid } from "./rectilinear_zarr.js";

/** Has workers started from now on where they are worth it. */
export function allowWorkers() {
  startWorkersBy((module, number) => {
    const worker = create();
    const gone = () => workerSaid(number);
    // A worker that the browser ends says nothing, but lets go of its lock.
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
    // A page starts no script of another origin, but its own scripts may import one. The URL is put together so that
    // no bundler takes it for a file to be copied.
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
