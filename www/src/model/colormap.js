// Colours for values: d3's colour maps as tables of 256 entries.
import { rgb } from "d3-color";
import * as chromatic from "d3-scale-chromatic";

export const COLOUR_MAPS = {
  inferno: ["Inferno", chromatic.interpolateInferno],
  magma: ["Magma", chromatic.interpolateMagma],
  plasma: ["Plasma", chromatic.interpolatePlasma],
  viridis: ["Viridis", chromatic.interpolateViridis],
  cividis: ["Cividis", chromatic.interpolateCividis],
  ylgnbu: ["Yellow to blue", chromatic.interpolateYlGnBu],
  greys: ["Greys", (t) => chromatic.interpolateGreys(1 - t)],
  turbo: ["Turbo", chromatic.interpolateTurbo],
  rdbu: ["Red to blue, diverging", (t) => chromatic.interpolateRdBu(1 - t)],
};

const tables = new Map();

/** 256 x RGB, 768 bytes. */
export function colourTable(name) {
  if (!tables.has(name)) {
    const [, at] = COLOUR_MAPS[name] ?? COLOUR_MAPS.inferno;
    const table = new Uint8ClampedArray(768);
    for (let i = 0; i < 256; i++) {
      const { r, g, b } = rgb(at(i / 255));
      table.set([r, g, b], i * 3);
    }
    tables.set(name, table);
  }
  return tables.get(name);
}

/** The table's entry for a value, 0 to 255; values outside the range take its ends. */
export function colourIndex(v, [low, high]) {
  const t = high > low ? (v - low) / (high - low) : 0.5;
  return Math.min(255, Math.max(0, Math.floor(t * 256)));
}
