/** Matrices of transformations that lie in arrays of their own: read into their places, before the transformations are used. */
import { textOf } from "./crs.js";
import { join } from "./nodes.js";

/** Types whose numbers may be a two-dimensional array of the store. */
const TYPES = ["affine", "rotation"];

/** Most rows or columns of a matrix. */
const MOST_EDGE = 17;

/** Most matrices that are read for one image. */
const MOST_MATRICES = 64;

/** Most transformations in each other, as where they are read. */
const DEEPEST = 16;

/** Why a transformation has no numbers, by the transformation: opening levels does not fail for one that nobody asks for. */
const refusals = new WeakMap();

/** Why the array of a transformation was not read; undefined where it was not asked for. @returns {Error | undefined} */
export const refusalOf = (step) => refusals.get(step);

/** Whether a transformation's numbers are an array of the store. */
const isStored = (step) => TYPES.includes(step.type) && step[step.type] === undefined && textOf(step.path) !== undefined;

/** Fields of a transformation that hold others. */
const PARTS = ["transformation", "forward", "inverse"];

/** Whether a transformation, or one within it, has its numbers in an array of the store. @returns {boolean} */
function hasStored(step, depth = 0) {
  if (typeof step !== "object" || step === null || depth > DEEPEST) return false;
  const list = Array.isArray(step.transformations) ? step.transformations : [];
  return isStored(step) || [...PARTS.map((name) => step[name]), ...list].some((part) => hasStored(part, depth + 1));
}

/** Rows of an opened array. */
async function rowsOf(array, signal) {
  const { shape } = array;
  if (shape.length !== 2 || shape.some((edge) => edge < 1 || edge > MOST_EDGE)) {
    throw Object.assign(new Error(`expected an array of up to ${MOST_EDGE} rows and columns, found one of the shape [${shape.join(", ")}]`), { name: "InvalidMetadataError" });
  }
  const { data } = await array.get(null, { signal });
  return Array.from({ length: shape[0] }, (_, row) => Array.from(data.slice(row * shape[1], (row + 1) * shape[1]), Number));
}

/** The error that a matrix has none of its numbers. */
function unread(at, type, path, cause) {
  const message = `${at}: the ${type} of the array ${JSON.stringify(path)} cannot be read: ${cause.message}`;
  const known = ["InvalidMetadataError", "NotFoundError", "StoreError", "UnsupportedError"].includes(cause.name);
  return Object.assign(new Error(message, { cause }), { name: known ? cause.name : "UnsupportedError", path: at });
}

/**
 * Transformations of a list, with the matrices in their places that arrays of the store hold.
 *
 * @param {import("./nodes.js").Nodes} nodes
 * @param {unknown} list
 * @param {string} pointer JSON pointer of the list
 * @param {string} [folder] path of the group that paths of arrays begin in
 */
export async function withMatrices(nodes, list, pointer, folder = "") {
  if (!Array.isArray(list)) return list;
  let left = MOST_MATRICES;
  const withRows = async (step, at) => {
    const { type } = step;
    const path = join(folder, textOf(step.path));
    try {
      if (left-- <= 0) throw new Error(`more than ${MOST_MATRICES} matrices of an image are in arrays`);
      const array = await nodes.group.array(path, { signal: nodes.signal });
      try {
        return { ...step, [type]: await rowsOf(array, nodes.signal) };
      } finally {
        array.free();
      }
    } catch (cause) {
      nodes.signal?.throwIfAborted();
      const refused = { ...step };
      refusals.set(refused, unread(at, type, path, cause));
      return refused;
    }
  };
  const filled = async (step, at, depth) => {
    if (typeof step !== "object" || step === null || depth > DEEPEST) return step;
    if (isStored(step)) return withRows(step, at);
    const found = { ...step };
    for (const name of PARTS) if (found[name]) found[name] = await filled(found[name], `${at}/${name}`, depth + 1);
    if (Array.isArray(found.transformations)) found.transformations = await all(found.transformations, `${at}/transformations`, depth + 1);
    return found;
  };
  const all = async (steps, at, depth) => {
    const found = [];
    for (const [nth, step] of steps.entries()) found.push(await filled(step, `${at}/${nth}`, depth));
    return found;
  };
  return list.some((step) => hasStored(step)) ? all(list, pointer, 0) : list;
}
