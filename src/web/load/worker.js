/** A worker: its own instance of the page's compiled module, which decodes parcels of chunks one after the other. */
import { decodeParcel, initSync } from "./rectilinear_zarr.js";

const ready = () => postMessage(null);

addEventListener("message", ({ data: [first, second] }) => {
  if (first instanceof WebAssembly.Module) {
    initSync({ module: first });
    const hold = () => {
      ready();
      return new Promise(() => {});
    };
    // Held for as long as this worker lives; where there are no locks, it just says less.
    if (navigator.locks) navigator.locks.request(second, hold).catch(ready);
    else ready();
    return;
  }
  const answers = decodeParcel(first, second);
  postMessage([answers, first], [answers.buffer, first.buffer]);
});
