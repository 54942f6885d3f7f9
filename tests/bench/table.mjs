/** How the benchmarks write rows of a table. */

/** Values one after the other, each right in its column. */
export const columns = (values, width) => values.map((value) => value.padStart(width)).join("");
