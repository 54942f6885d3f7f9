// Finds the label images of an OME-Zarr image, and what their metadata say of each label: its colour and its properties.
import { wheel } from "../model/colours.js";
import { value as numberText } from "../model/format.js";
import { imageIn, imageOf, isObject } from "../model/image.js";
import { plain } from "../model/plain.js";

const join = (folder, name) => (folder ? `${folder}/${name}` : name);

/** The label images of the image that an array is a level of: `{ name, path, attrs }` of each, with the path of its finest level. */
export function labelsOf(catalog, path) {
  const image = imageOf(catalog, path);
  if (!image) return [];
  const root = `${join(image.folder, "labels")}/`;
  const arrays = new Map(catalog.entries.filter(({ kind, error }) => kind === "array" && !error).map((entry) => [entry.path, entry]));
  return catalog.entries.flatMap(({ kind, path: at, attrs }) => {
    const own = kind === "group" && at.startsWith(root) ? imageIn(attrs) : undefined;
    const first = own && join(at, own.paths[0]);
    return /^u?int/.test(arrays.get(first)?.dtype ?? "") ? [{ name: at.slice(root.length), path: first, attrs }] : [];
  });
}

/** A list of objects about labels, by the numbers of these. */
function byLabel(list) {
  const isAboutOne = (one) => isObject(one) && Number.isSafeInteger(one["label-value"]);
  return new Map((Array.isArray(list) ? list : []).filter(isAboutOne).map((one) => [one["label-value"], one]));
}

const GOLDEN = 0.618034; // of a turn, by which numbers that follow each other are told apart
const MOST_OWN = 1792; // colours of labels beside the wheel's, as textures of 2048 are everywhere
let wheelColours;

/** Colours of labels, as `colouring` gives them: their own, else black for 0, which is no label, and one of the wheel's for each other. `own` has red, green and blue by label. */
function colouringOf(own) {
  wheelColours ??= Uint8ClampedArray.from({ length: 768 }, (_, i) => (i < 3 ? 0 : wheel(Math.floor(i / 3) / 255)[i % 3]));
  const colours = [...new Set([...own.values()].map(String))].slice(0, MOST_OWN);
  const entries = new Map(colours.map((colour, nth) => [colour, 256 + nth]));
  const usual = (v) => (v === 0 ? 0 : 1 + Math.floor(((Math.abs(v) * GOLDEN) % 1) * 255));
  return {
    table: colours.length ? Uint8ClampedArray.from([...wheelColours, ...colours.flatMap((colour) => colour.split(",").map(Number))]) : wheelColours,
    entry: (v) => entries.get(String(own.get(Number(v)))) ?? usual(v),
  };
}

const isColour = (rgba) => Array.isArray(rgba) && rgba.length === 4 && rgba.every((part) => Number.isInteger(part) && part >= 0 && part <= 255);

/**
 * What the attributes of a label image say: `colourOf(v)` gives the red, green, blue and opacity of a label, 0 to 255, its own or one
 * of the wheel's, and of 0, which is no label, nothing that is seen; `wordsOf(v)` a label with its properties in words, or "".
 * `colouring` is that of labels alone, and `sayer(words)` says these, those without properties as `words` does.
 */
export function aboutLabels(attrs) {
  const label = (isObject(attrs.ome) ? attrs.ome["image-label"] : undefined) ?? attrs["image-label"];
  const { colors, color, properties } = isObject(label) ? label : {};
  const own = byLabel(colors ?? color); // version 0.1 has the shorter name
  const known = byLabel(properties);
  const { table, entry } = colouringOf(new Map());
  const wordsOf = (v) => {
    if (v === undefined || Number.isNaN(v) || Number(v) === 0) return "";
    const more = Object.entries(known.get(Number(v)) ?? {}).filter(([name]) => name !== "label-value");
    return [numberText(v), ...more.map(([name, said]) => `${name} ${plain(said)}`)].join(", ");
  };
  return {
    colouring: colouringOf(new Map([...own].flatMap(([v, { rgba }]) => (isColour(rgba) ? [[v, rgba.slice(0, 3)]] : [])))),
    sayer: (words) => (v) => wordsOf(v) || words(v),
    colourOf(v) {
      const { rgba } = own.get(Number(v)) ?? {};
      if (isColour(rgba)) return rgba;
      const at = entry(Number(v)) * 3;
      return [...table.subarray(at, at + 3), Number(v) === 0 ? 0 : 255];
    },
    wordsOf,
  };
}
