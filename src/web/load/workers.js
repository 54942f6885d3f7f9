/** Starts workers: from the scripts beside this one, or by a function of the page. */
import { isCopy, unmoved } from "./files.js";
import { startWorkersBy, workerSaid } from "../wasm/rectilinear_zarr.js";
import { allParts, tellOfParts } from "./parts.js";

/** Part that a worker needs before it reduces chunks: it is sent to those that are ready, and later ones begin with it. */
const REDUCING = "answers";

/** Workers that are ready without that part. */
const lacking = new Set();

/** Whether a message of a worker is for the package: that it is ready, or its answers. A user's worker may have others. */
const isOurs = (data) => data === null || data?.[0] instanceof Uint8Array;

/** Allows the module to start workers from now on. */
export function allowWorkers() {
  // The page sends no reduction before it has the part itself, so messages in order are enough.
  tellOfParts((name, module) => {
    if (name !== REDUCING) return;
    for (const worker of lacking) worker.postMessage([{ parts: { [name]: module } }]);
    lacking.clear();
  });
  startWorkersBy((module, number, start) => {
    const isTheirs = typeof start === "function";
    const worker = isTheirs ? made(start) : created(start);
    const said = (data) => workerSaid(number, data);
    const gone = () => {
      lacking.delete(worker);
      said();
    };
    // A worker that the browser ends sends no message, but releases its lock.
    const lock = `rectilinear-zarr ${Math.random()}`;
    worker.addEventListener("message", ({ data }) => {
      if (!isOurs(data)) return;
      if (data !== null) return said(data);
      navigator.locks?.request(lock, gone).catch(() => {});
      // Until the worker has all parts of the module, it is not ready. Where they do not come, the page decodes.
      allParts()
        .then((parts) => {
          worker.postMessage([{ parts }]);
          if (!parts[REDUCING]) lacking.add(worker);
          said(data);
        })
        .catch(gone);
    });
    for (const event of ["error", "messageerror"]) {
      worker.addEventListener(event, (failed) => {
        // The page decodes in its place. What a worker file throws is for its author to see.
        if (!isTheirs) failed.preventDefault();
        gone();
      });
    }
    worker.postMessage([module, lock]);
    return worker;
  });
}

/** A worker of the page's function. Where it makes none, the page is told, and decodes itself. */
function made(start) {
  try {
    const worker = start();
    const isWorker = ["addEventListener", "postMessage", "terminate"].every((name) => typeof worker?.[name] === "function");
    if (!isWorker) throw new TypeError(`the function of the option workers returned ${worker}; expected a Worker`);
    return worker;
  } catch (error) {
    reportError(error);
    throw error;
  }
}

/** A worker of the package; `isForCodecs`: one that imports custom codecs by their addresses. */
function created(isForCodecs) {
  try {
    // The URLs here and below are made from a variable, so that bundlers do not copy the file twice.
    const script = import.meta.url;
    if (isCopy(script)) {
      const url = unmoved(new URL(isForCodecs ? "worker.js" : "decode-worker.js", script));
      return new Worker(url, { type: "module" });
    }
    if (isForCodecs) return new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    return new Worker(new URL("./decode-worker.js", import.meta.url), { type: "module" });
  } catch {
    // A page cannot start a worker script of another origin, but a script of its own may import one.
    const here = import.meta.url;
    const text = `import ${JSON.stringify(new URL(isForCodecs ? "worker.js" : "decode-worker.js", here).href)};`;
    const url = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
    try {
      return new Worker(url, { type: "module" });
    } finally {
      URL.revokeObjectURL(url);
    }
  }
}
