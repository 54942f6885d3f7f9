/** The `zarr.json` of regular, uncompressed arrays and of the groups that they are in, as text. */

/** What JSON lacks, as Zarr v3 spells it. */
const spelled = (value) => (typeof value === "number" && !Number.isFinite(value) ? String(value) : value);

/** JSON of anything that attributes hold; NaN and the infinities, which zarr-python writes bare, as text. */
const json = (value) => JSON.stringify(value, (_, inner) => spelled(inner));

/** An element as JSON: every digit of 64-bit integers, and the sign of zero. */
function element(value) {
  if (typeof value === "bigint") return String(value);
  return Object.is(value, -0) ? "-0.0" : json(value);
}

function fillOf({ name, fill }) {
  if (name === "bool") return String(fill[0] !== 0);
  return fill.length === 1 && !name.startsWith("r") ? element(fill[0]) : `[${fill.map(element)}]`;
}

/** Fields, whose values are JSON already, as an object. */
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
 * @param {Map<string, string>} [members] their documents by path, where they are to be consolidated
 */
export function groupDocument({ attrs }, members) {
  const kept = members && { kind: '"inline"', must_understand: false, metadata: object(Object.fromEntries(members)) };
  return object({ zarr_format: 3, node_type: '"group"', attributes: json(attrs), ...(kept && { consolidated_metadata: object(kept) }) });
}
