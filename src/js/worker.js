/** A worker: its own instance of the page's compiled module, which decodes parcels of chunks one after the other. */
import { decodeParcel, initSync } from "./rectilinear_zarr.js";

addEventListener("message", ({ data }) => {
  if (data instanceof WebAssembly.Module) {
    initSync({ module: data });
    postMessage(null);
    return;
  }
  const [parcel, room] = data;
  const answers = decodeParcel(parcel, room);
  postMessage([answers, parcel], [answers.buffer, parcel.buffer]);
});
