/** Coordinates of time as text: ISO 8601 labels, for clients that list the values of a dimension. */

const SINCE = /^\s*\w+\s+since\s/i;

/** Estimated bytes of a label, to choose the chunk shape. */
const LABEL_BYTES = 32;

/** Attributes that describe times as numbers. */
const OF_NUMBERS = ["units", "calendar", "_FillValue", "missing_value", "scale_factor", "add_offset"];

/**
 * Whether an array is the coordinate of a dimension, or a single value, and holds times. An array that is shown alone,
 * whose path is empty, has no name to compare: it was chosen.
 */
export function isTimeCoordinate({ shape, dimensionNames, attrs, dtype }, path) {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const isNamed = name === "" || [undefined, null, name].includes(dimensionNames?.[0]);
  const isCoordinate = shape.length === 0 || (shape.length === 1 && isNamed);
  return isCoordinate && (dtype === "numpy.datetime64" || SINCE.test(attrs.units));
}

/** @returns {import("./types.js").Shown} */
export function shownAsLabels(array) {
  return {
    name: "string",
    each: 1,
    itemBytes: LABEL_BYTES,
    fill: [""],
    dataOf: (data) => data,
    read: async (box, signal) => {
      const { labels, shape } = await array.decodeTime(box, { signal });
      return { data: labels.map((label) => label ?? ""), shape };
    },
    attrsOf: (attrs) => Object.fromEntries(Object.entries(attrs).filter(([name]) => !OF_NUMBERS.includes(name))),
  };
}
