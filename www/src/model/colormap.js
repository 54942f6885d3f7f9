// Colours for values: d3's colour maps as tables of 256 entries, and one colour each for flags.
import * as chromatic from "d3-scale-chromatic";
import { partOf, scaleOf } from "../reading/scale.js";
import { between, partsOf, wheel } from "./colours.js";

export const COLOUR_MAPS = {
  inferno: ["Inferno", chromatic.interpolateInferno],
  magma: ["Magma"], plasma: ["Plasma"], viridis: ["Viridis"],
  cividis: ["Cividis", chromatic.interpolateCividis],
  ylgnbu: ["Yellow to blue", between(chromatic.schemeYlGnBu[9])],
  greys: ["Greys", between(chromatic.schemeGreys[9].toReversed())],
  turbo: ["Turbo", chromatic.interpolateTurbo],
  rdbu: ["Red to blue, diverging", between(chromatic.schemeRdBu[11].toReversed())],
  puor: ["Purple to orange, diverging", between(chromatic.schemePuOr[11].toReversed())],
  // Of cmocean. Its colours, and those above that have none here, come with the first of them.
  thermal: ["Thermal"], haline: ["Haline"], solar: ["Solar"], ice: ["Ice"], deep: ["Deep"], dense: ["Dense"], speed: ["Speed"], matter: ["Matter"], rain: ["Rain"], phase: ["Phase, cyclic"],
  balance: ["Balance, diverging"], curl: ["Curl, diverging"],
};

/** A promise where the colours of a map have to be loaded first. */
export function loadColours(name) {
  const plain = name.replace(/-r$/, "");
  if (!COLOUR_MAPS[plain] || COLOUR_MAPS[plain][1]) return undefined;
  return import("./more-colours.js").then(({ MORE }) => {
    for (const [each, colours] of Object.entries(MORE)) COLOUR_MAPS[each][1] = colours;
  });
}

/** The map of a picture for which none was chosen: of differences and of values around zero one that diverges. */
export const usualColours = (isCentred) => (isCentred ? "rdbu" : "inferno");

/** Whether a map has its lightest colour in the middle, for values on both sides of zero. */
export const isDiverging = (name) => /^(rdbu|puor|balance|curl)(-r)?$/.test(name);

/** Whether zero stands in the middle of the colours: of values around it, in colours that nobody chose or that diverge. */
export const isCentredBy = ({ isCentred }, { colourMap }) => Boolean(isCentred) && (!colourMap || isDiverging(colourMap));

const tables = new Map();

/** The end of the name of a map that runs the other way. */
export const REVERSED = "-r";

/** Whether a name is that of a map, one way or the other. */
export const isColourMap = (name) => Object.hasOwn(COLOUR_MAPS, name?.replace(/-r$/, ""));

/** The colours from black to one, for a channel of an image. */
function shades(name) {
  const parts = partsOf(name);
  return (t) => parts.map((part) => part * t);
}

/** 256 x RGB, 768 bytes, of a map by its name or of a channel by its colour, "#0000ff". */
export function colourTable(name) {
  if (!tables.has(name)) {
    const plain = name.replace(/-r$/, "");
    const at = plain.startsWith("#") ? shades(plain) : (COLOUR_MAPS[plain] ?? COLOUR_MAPS.inferno)[1];
    const table = new Uint8ClampedArray(768);
    for (let i = 0; i < 256; i++) {
      table.set(partsOf(at(name.endsWith(REVERSED) ? 1 - i / 255 : i / 255)), i * 3);
    }
    tables.set(name, table);
  }
  return tables.get(name);
}

const OTHER = 255; // the entry of values that no flag names

/** Colours of flags: the array's own where it says them, else ones that are told apart easily, else round the wheel. */
function flagTable(flags, own) {
  const table = new Uint8ClampedArray(768);
  const usual = flags.size <= chromatic.schemeObservable10.length ? chromatic.schemeObservable10 : [];
  [...flags.keys()].slice(0, OTHER).forEach((_, i) => {
    table.set(partsOf(own[i]) ?? partsOf(usual[i]) ?? wheel(i / flags.size), i * 3);
  });
  return table.fill(128, OTHER * 3);
}

/** How values are coloured, as `{ table, entry(v) }`: 256 x RGB, and the entry of a value; `labels` of an image bring both, of more colours. */
export function colouring({ range, scale, colourMap, flags, flagColours = [], labels }) {
  if (labels) return labels;
  if (!flags) {
    const along = scaleOf({ range, scale });
    return { table: colourTable(colourMap), entry: (v) => entryOn(along, v) };
  }
  const entries = new Map([...flags.keys()].slice(0, OTHER).map((flag, i) => [flag, i]));
  return { table: flagTable(flags, flagColours), entry: (v) => entries.get(v) ?? OTHER };
}

const SAMPLED = 1e5; // values that tell a range well enough

/** The range that all but the least and the greatest 2 % of the finite values lie in, from a sample of them; undefined where there is none. */
export function robustRange(values) {
  const every = Math.max(1, Math.floor(values.length / SAMPLED));
  const sample = Float64Array.from(values.filter((v, i) => i % every === 0 && Number.isFinite(v))).sort();
  const at = (share) => sample[Math.round(share * (sample.length - 1))];
  return sample.length && at(0.02) < at(0.98) ? [at(0.02), at(0.98)] : undefined;
}

/** The table's entry for a value, 0 to 255; values outside the range take its ends. */
export const colourIndex = (v, range) => entryOn(scaleOf({ range }), v);

const entryOn = (along, v) => Math.min(255, Math.max(0, Math.floor(partOf(along, v) * 256)));

/** A table of RGB as RGBA without transparency. */
export const opaque = (table) => Uint8Array.from({ length: (table.length / 3) * 4 }, (_, i) => (i % 4 === 3 ? 255 : table[(i >> 2) * 3 + (i % 4)]));
