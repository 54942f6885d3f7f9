/** Entry `rectilinear-zarr/answers`: statistics of what a selection picks, without an array of all its items. */
export { reduce } from "./reduce.js";
export { series } from "./series.js";
export { zonal } from "./zonal.js";
