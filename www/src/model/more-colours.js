// The colour maps that few pictures have: three of d3's, and cmocean's. Loaded with the first of them.
import { interpolateMagma, interpolatePlasma, interpolateViridis } from "d3-scale-chromatic";
import { CMOCEAN } from "./cmocean.js";
import { along, partsOf } from "./colours.js";

const stops = (digits) => along(digits.match(/.{6}/g).map((colour) => partsOf(`#${colour}`)));

/** By name, the colour at each part of the way. */
export const MORE = {
  magma: interpolateMagma, plasma: interpolatePlasma, viridis: interpolateViridis,
  ...Object.fromEntries(Object.entries(CMOCEAN).map(([name, digits]) => [name, stops(digits)])),
};
