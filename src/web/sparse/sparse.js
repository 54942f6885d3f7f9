/** Entry `rectilinear-zarr/sparse`: rows of sparse matrices, ragged arrays, and tables. Each is loaded with its first call. */

/** Opens a sparse matrix: the group at a path of a group. */
export async function sparse(group, path, options) {
  return (await import("./matrix.js")).openMatrix(group, path, options);
}

/** Makes a ragged array of its contents, end to end, and of what says which elements belong to which feature. */
export async function ragged(contents, options) {
  return (await import("./ragged.js")).openRagged(contents, options);
}

/** Opens a table: the group at a path of a group. */
export async function table(group, path, options) {
  return (await import("./table.js")).openTable(group, path, options);
}
