/** Texts of the metadata of regular, uncompressed arrays and of their groups, in Zarr v3 and v2. */
import { json } from "../common/json-text.js";
import { isNumbers } from "./types.js";

const isRaw = ({ name }) => name.startsWith("r");

function fillOf(type) {
  const { name, fill } = type;
  if (name === "bool") return String(fill[0] !== 0);
  return fill.length === 1 && !isRaw(type) ? json(fill[0]) : `[${fill.map((element) => json(element))}]`;
}

/** JSON object of fields whose values are JSON already. */
const object = (fields) => `{${Object.entries(fields).map(([name, value]) => `${JSON.stringify(name)}:${value}`)}}`;

const isNumber = (value) => ["number", "bigint"].includes(typeof value);

/** Base64 of the eight bytes of a number, as xarray writes floats and the parts of complex numbers in Zarr v3. */
const base64 = (value) => (isNumber(value) ? btoa(String.fromCharCode(...new Uint8Array(Float64Array.of(Number(value)).buffer))) : value);

/**
 * Attributes in Zarr v3, where `_FillValue` marks missing items. In v2 the fill value does, before the attribute, so an
 * array of v2 has it in both places. NaN is missing anyway, and times of numpy have none but "not a time". Text has
 * none: xarray opens no array of text in v3 with this attribute.
 */
function attrsV3({ array, type }, attrs) {
  const { name, fill, isFillOpen } = type;
  const isComplex = name.startsWith("complex");
  if (array?.zarrFormat !== 2 || array.dtype.startsWith("numpy.") || !(isComplex || isNumbers(name))) return attrs;
  const { _FillValue: stated, ...others } = attrs;
  const missing = isFillOpen ? stated : name === "bool" ? fill[0] !== 0 : isComplex ? fill : fill[0];
  const parts = isComplex && isNumber(missing) ? [missing, 0] : [missing].flat();
  if (missing === undefined || parts.some((part) => Number.isNaN(part) || part === "NaN")) return others;
  if (isComplex) return { ...others, _FillValue: parts.map(base64) };
  return { ...others, _FillValue: name.startsWith("float") ? base64(missing) : missing };
}

function arrayV3(view, attrs) {
  const { shape, dimensionNames, type, chunkShape } = view;
  const codec = type.name === "string" ? { name: "vlen-utf8" } : { name: "bytes", configuration: { endian: "little" } };
  return object({
    zarr_format: 3,
    node_type: '"array"',
    shape: json(shape),
    data_type: json(type.name),
    chunk_grid: json({ name: "regular", configuration: { chunk_shape: chunkShape } }),
    chunk_key_encoding: json({ name: "default", configuration: { separator: "/" } }),
    fill_value: fillOf(type),
    codecs: json([codec]),
    ...(dimensionNames && { dimension_names: json(dimensionNames) }),
    attributes: json(attrsV3(view, attrs)),
  });
}

/** Data type in numpy's form, of a type's name in Zarr v3. */
function typestr({ name, each }) {
  if (name === "string") return "|O";
  if (name.startsWith("r")) return `|V${each}`;
  const [, kind, bits] = /^([a-z]+)(\d*)$/.exec(name) ?? [];
  const letter = kind === "uint" ? "u" : kind[0];
  return bits === "8" || kind === "bool" ? `|${letter}1` : `<${letter}${Number(bits) / 8}`;
}

/** Number of `_FillValue`: xarray writes floats, and the parts of complex numbers, as base64 of eight bytes. */
function missingOf(value, name) {
  if (Array.isArray(value)) return value.map((part) => missingOf(part, name));
  if (typeof value !== "string" || !/^(?:float|complex)/.test(name) || !/^[A-Za-z0-9+/]{11}=$/.test(value)) return value;
  return new Float64Array(Uint8Array.from(atob(value), (letter) => letter.charCodeAt(0)).buffer)[0];
}

/**
 * Fill value in Zarr v2, where it marks missing items. In v3 that is the attribute `_FillValue`, so an array of v3 takes
 * it from there; no chunk of a view is missing.
 */
function fillV2({ array, type }, attrs) {
  if (isRaw(type)) return json(btoa(String.fromCharCode(...type.fill)));
  if (array?.zarrFormat !== 3) return type.isFillOpen ? "null" : fillOf(type);
  const missing = missingOf(attrs._FillValue, type.name);
  if (missing === undefined) return type.name.startsWith("float") ? '"NaN"' : "null";
  return json(missing);
}

function arrayV2(view, attrs) {
  const { shape, type, chunkShape } = view;
  return object({
    zarr_format: 2,
    shape: json(shape),
    chunks: json(chunkShape),
    dtype: json(typestr(type)),
    compressor: "null",
    fill_value: fillV2(view, attrs),
    order: '"C"',
    filters: type.name === "string" ? json([{ id: "vlen-utf8" }]) : "null",
    dimension_separator: '"."',
  });
}

/** Attributes in Zarr v2, where xarray's names of dimensions are one of them, which it asks for of single values too. @param {any} view @param {Record<string, any>} attrs */
function attrsV2({ array, dimensionNames, shape }, attrs) {
  const names = shape.length === 0 ? [] : dimensionNames;
  const isNamed = names?.every((name) => typeof name === "string");
  const { _FillValue: missing, ...others } = attrs;
  const kept = array?.zarrFormat === 3 || missing === undefined ? others : attrs;
  return json({ ...kept, ...(isNamed && { _ARRAY_DIMENSIONS: names }) });
}

/**
 * Documents of an array by name.
 *
 * @param {{ array?: any, shape: number[], dimensionNames?: (string | null)[], type: import("./types.js").Shown, chunkShape: number[] }} view
 * @param {Record<string, unknown>} attrs attributes
 * @param {2 | 3} format
 * @returns {Record<string, string>}
 */
export function documentsOf(view, attrs, format) {
  return format === 2 ? { ".zarray": arrayV2(view, attrs), ".zattrs": attrsV2(view, attrs) } : { "zarr.json": arrayV3(view, attrs) };
}

/**
 * Documents of a group by name.
 *
 * @param {Record<string, unknown>} attrs
 * @param {2 | 3} format
 * @param {[path: string, documents: Record<string, string>][]} [members] documents of the members, to be consolidated
 * @returns {Record<string, string>}
 */
export function groupDocuments(attrs, format, members) {
  if (format === 2) {
    const own = { ".zgroup": json({ zarr_format: 2 }), ".zattrs": json(attrs) };
    const below = members?.flatMap(([path, documents]) => Object.entries(documents).map(([name, text]) => [`${path}/${name}`, text]));
    const metadata = below && object({ ...own, ...Object.fromEntries(below) });
    return { ...own, ...(metadata && { ".zmetadata": object({ zarr_consolidated_format: 1, metadata }) }) };
  }
  const metadata = members && object(Object.fromEntries(members.map(([path, documents]) => [path, documents["zarr.json"]])));
  const kept = metadata && { kind: '"inline"', must_understand: false, metadata };
  return { "zarr.json": object({ zarr_format: 3, node_type: '"group"', attributes: json(attrs), ...(kept && { consolidated_metadata: object(kept) }) }) };
}
