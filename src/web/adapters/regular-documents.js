/** Texts of `zarr.json` for regular, uncompressed arrays and for their groups. */

/** NaN and the infinities as strings, as Zarr v3 writes them. */
const spelled = (value) => (typeof value === "number" && !Number.isFinite(value) ? String(value) : value);

/** JSON of attributes; NaN and the infinities, which zarr-python writes bare, become strings. */
const json = (value) => JSON.stringify(value, (_, inner) => spelled(inner));

/** JSON of an element, with all digits of 64-bit integers and the sign of zero. */
function element(value) {
  if (typeof value === "bigint") return String(value);
  return Object.is(value, -0) ? "-0.0" : json(value);
}

function fillOf({ name, fill }) {
  if (name === "bool") return String(fill[0] !== 0);
  return fill.length === 1 && !name.startsWith("r") ? element(fill[0]) : `[${fill.map(element)}]`;
}

/** JSON object of fields whose values are JSON already. */
const object = (fields) => `{${Object.entries(fields).map(([name, value]) => `${JSON.stringify(name)}:${value}`)}}`;

export function arrayDocument({ array, type, chunkShape }) {
  const { shape, dimensionNames, attrs } = array;
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
    attributes: json(attrs),
  });
}

/**
 * @param {{ attrs: Record<string, unknown> }} group
 * @param {Map<string, string>} [members] documents of the members by path, to be consolidated
 */
export function groupDocument({ attrs }, members) {
  const kept = members && { kind: '"inline"', must_understand: false, metadata: object(Object.fromEntries(members)) };
  return object({ zarr_format: 3, node_type: '"group"', attributes: json(attrs), ...(kept && { consolidated_metadata: object(kept) }) });
}
