/** Worker script: an instance of the page's compiled module that decodes batches of chunks, one after the other. */
import { decodeParcel, initSync } from "./rectilinear_zarr.js";

const ready = () => postMessage(null);

addEventListener("message", ({ data: [first, second] }) => {
  if (first instanceof WebAssembly.Module) {
    initSync({ module: first });
    const hold = () => {
      ready();
      return new Promise(() => {});
    };
    // The lock is held until the worker ends, which tells the page. Without locks, the page is not told.
    if (navigator.locks) navigator.locks.request(second, hold).catch(ready);
    else ready();
    return;
  }
  const answers = decodeParcel(first, second);
  postMessage([answers, first], [answers.buffer, first.buffer]);
});
