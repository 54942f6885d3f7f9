/** Programs for images of OME-Zarr as npm has them: viv's loader, and ome-zarr.js. */
export { loadOmeZarrFromStore } from "@vivjs/loaders";
export { openArray, render } from "ome-zarr.js";
