/**
 * Transformations between coordinate systems of an image as matrices, as OME-Zarr 0.6 and its drafts write them. A matrix
 * has a row for each axis of the result, with a factor for each axis of a point and what is added at the end.
 *
 * Spec: https://ngff.openmicroscopy.org/specifications/dev/index.html#coordinatetransformations-metadata
 */
import { textOf } from "./crs.js";
import { isNumber, numbersIn } from "./grid.js";
import { refusalOf } from "./matrices.js";

const MOST_AXES = 16;
const MOST_TRANSFORMATIONS = 256;
const MOST_SYSTEMS = 64;
const DEEPEST = 16;

/** Types whose numbers are a field: a shift or a place for each point. */
const FIELDS = ["displacements", "coordinates"];

/** Pivots below this, in rows whose largest factor is 1, count as 0. */
const SMALLEST_PIVOT = 1e-14;

/** @typedef {number[][]} Matrix */
/**
 * @typedef {object} Reading what a reading of transformations shares
 * @property {(isRight: boolean, pointer: string, reason: string) => void} check throws an InvalidMetadataError
 * @property {number} left transformations that may still be read
 */

/** Error for what a transformation cannot do. @returns {Error} */
function unsupported(at, feature, reason) {
  return Object.assign(new Error(`${at}: ${reason}; read the arrays by their paths`), { name: "UnsupportedError", feature });
}

/** Name of one side of a transformation: version 0.6 has objects, and its drafts texts. */
export const nameOf = (side) => textOf(side?.name) ?? textOf(side);

const range = (count) => Array.from({ length: count }, (_, nth) => nth);

/** Matrix whose factors are given; nothing is added. @returns {Matrix} */
const made = (rows, count, of) => range(rows).map((row) => [...range(count).map((column) => of(row, column)), 0]);

/** @returns {Matrix} */
const diagonal = (factors) => made(factors.length, factors.length, (row, column) => (row === column ? factors[row] : 0));

/** The matrix of one and then another. @param {Matrix} first @param {Matrix} second @returns {Matrix} */
export function joined(first, second) {
  const width = first[0].length;
  return second.map((row) => range(width).map((column) => {
    const sum = first.reduce((total, { [column]: factor }, nth) => total + row[nth] * factor, 0);
    return column === width - 1 ? sum + row[first.length] : sum;
  }));
}

/** Points by a matrix. @param {Matrix} matrix @param {number[][]} points */
export const moved = (matrix, points) => points.map((point) => matrix.map((row) => point.reduce((sum, value, axis) => sum + value * row[axis], row[point.length])));

/** The inverse of a matrix; undefined where it has none. @param {Matrix} matrix @returns {Matrix | undefined} */
function inverted(matrix) {
  const count = matrix.length;
  if (matrix[0].length !== count + 1) return undefined;
  // Factors, then those of the inverse; each row by its own size, because axes may be of nanometres and of seconds.
  const rows = matrix.map((row, nth) => {
    const size = Math.max(...row.slice(0, count).map(Math.abs)) || 1;
    return [...row.slice(0, count), ...range(count).map((column) => Number(column === nth))].map((value) => value / size);
  });
  for (const column of range(count)) {
    const best = range(count).slice(column).reduce((found, nth) => (Math.abs(rows[nth][column]) > Math.abs(rows[found][column]) ? nth : found), column);
    [rows[column], rows[best]] = [rows[best], rows[column]];
    const pivot = rows[column][column];
    if (!(Math.abs(pivot) > SMALLEST_PIVOT)) return undefined;
    rows[column] = rows[column].map((value) => value / pivot);
    rows.forEach((row, nth) => {
      if (nth !== column) rows[nth] = row.map((value, at) => value - row[column] * rows[column][at]);
    });
  }
  const factors = rows.map((row) => row.slice(count));
  return factors.map((row) => [...row, -row.reduce((sum, factor, nth) => sum + factor * matrix[nth][count], 0)]);
}

/** Numbers of a field, of which there must be so many. @returns {number[]} */
function numbersOf(step, name, count, at, { check }) {
  if (step[name] === undefined && textOf(step.path)) throw unsupported(at, `${name} in an array of its own`, `a ${name} in an array of its own is not supported`);
  const found = numbersIn(step[name]);
  check(found?.length === count, `${at}/${name}`, `expected ${count} numbers, one for each axis`);
  return found;
}

/** Rows of numbers of a field. @returns {Matrix} */
function rowsOf(step, name, at, { check }) {
  if (step[name] === undefined && textOf(step.path)) throw refusalOf(step) ?? unsupported(at, `${name} in an array of its own`, `a ${name} in an array of its own is not supported`);
  const list = step[name];
  const rows = Array.isArray(list) && list.length <= MOST_AXES ? list.map(numbersIn) : [];
  const [first] = rows;
  check(Boolean(first) && rows.every((row) => row?.length === first.length && row.length <= MOST_AXES + 1), `${at}/${name}`, `expected up to ${MOST_AXES} rows of numbers, as long as each other`);
  return rows;
}

/** Axes that a field lists by their index, each once. @returns {number[]} */
function axesOf(step, names, most, at, { check }) {
  const name = names.find((one) => step[one] !== undefined) ?? names[0];
  const found = step[name];
  const isList = Array.isArray(found) && found.length <= MOST_AXES && found.every((axis) => Number.isInteger(axis) && axis >= 0 && axis < most);
  check(isList && new Set(found).size === found.length, `${at}/${name}`, `expected indices of axes below ${most}, each once`);
  return found;
}

/** What each type is as a matrix, for points of `count` axes. */
const FORWARD = {
  identity: (step, count) => diagonal(range(count).fill(1)),
  scale: (step, count, at, reading) => diagonal(numbersOf(step, "scale", count, at, reading)),
  translation: (step, count, at, reading) => {
    const shifts = numbersOf(step, "translation", count, at, reading);
    return diagonal(range(count).fill(1)).map((row, axis) => [...row.slice(0, -1), shifts[axis]]);
  },
  rotation: (step, count, at, reading) => {
    const rows = rowsOf(step, "rotation", at, reading);
    reading.check(rows.length === count && rows[0].length === count, `${at}/rotation`, `expected ${count} rows of ${count} numbers`);
    return rows.map((row) => [...row, 0]);
  },
  affine: (step, count, at, reading) => {
    const rows = rowsOf(step, "affine", at, reading);
    reading.check(rows[0].length === count + 1, `${at}/affine`, `expected rows of ${count + 1} numbers`);
    return rows;
  },
  mapAxis: (step, count, at, reading) => {
    const axes = axesOf(step, ["mapAxis"], count, at, reading);
    reading.check(axes.length === count, `${at}/mapAxis`, `expected each of ${count} axes once`);
    return made(count, count, (row, column) => Number(axes[row] === column));
  },
  projectAxis: (step, count, at, reading) => {
    const dropped = step.droppedInputs === undefined ? [] : axesOf(step, ["droppedInputs"], count, at, reading);
    const kept = range(count).filter((axis) => !dropped.includes(axis));
    const most = kept.length + (step.createdOutputs?.length ?? 0);
    const created = step.createdOutputs === undefined ? [] : axesOf(step, ["createdOutputs"], most, at, reading);
    const rest = kept.values();
    const from = range(most).map((row) => (created.includes(row) ? -1 : rest.next().value));
    return made(most, count, (row, column) => Number(from[row] === column));
  },
  sequence: (step, count, at, reading, depth) => {
    const each = partsOf(step, at, reading);
    return each.reduce((all, [part, place]) => joined(all, matrixOf(part, all.length, false, place, reading, depth)), diagonal(range(count).fill(1)));
  },
  byDimension: (step, count, at, reading, depth) => byDimension(step, count, false, at, reading, depth),
  bijection: (step, count, at, reading, depth) => matrixOf(step.forward, count, false, `${at}/forward`, reading, depth),
};

/** Types whose inverse is that of their parts. */
const BACKWARD = {
  sequence: (step, count, at, reading, depth) => {
    const each = partsOf(step, at, reading).reverse();
    return each.reduce((all, [part, place]) => joined(all, matrixOf(part, all.length, true, place, reading, depth)), diagonal(range(count).fill(1)));
  },
  byDimension: (step, count, at, reading, depth) => byDimension(step, count, true, at, reading, depth),
  bijection: (step, count, at, reading, depth) => matrixOf(step.inverse, count, false, `${at}/inverse`, reading, depth),
};

/** Transformations in a transformation, each with its place. @returns {[any, string][]} */
function partsOf({ transformations: list }, at, { check }) {
  check(Array.isArray(list), `${at}/transformations`, "expected a list of transformations");
  return list.map((part, nth) => [part, `${at}/transformations/${nth}`]);
}

/** Transformations of some axes each: every axis of the result is given by one of them. @returns {Matrix} */
function byDimension(step, count, isInverse, at, reading, depth) {
  const rows = [];
  for (const [part, place] of partsOf(step, at, reading)) {
    const ends = [["inputAxes", "input_axes"], ["outputAxes", "output_axes"]];
    const [from, to] = (isInverse ? ends.reverse() : ends).map((names, nth) => axesOf(part ?? {}, names, nth === 0 ? count : MOST_AXES, place, reading));
    // The drafts have the fields of the transformation beside the axes.
    const [inner, where] = part.transformation === undefined ? [part, place] : [part.transformation, `${place}/transformation`];
    const matrix = matrixOf(inner, from.length, isInverse, where, reading, depth);
    reading.check(matrix.length === to.length, place, `the transformation has ${matrix.length} axes, and not those that are listed`);
    matrix.forEach((row, nth) => {
      reading.check(rows[to[nth]] === undefined, place, `axis ${to[nth]} is given twice`);
      rows[to[nth]] = made(1, count, (_, column) => (from.includes(column) ? row[from.indexOf(column)] : 0))[0];
      rows[to[nth]][count] = row[from.length];
    });
  }
  const isWhole = rows.length > 0 && !rows.includes(undefined);
  if (!isWhole && isInverse) throw unsupported(at, "inverse of byDimension", "the transformation has no inverse, because it leaves axes out");
  reading.check(isWhole, `${at}/transformations`, "expected each axis of the result once");
  return rows;
}

/**
 * The matrix of a transformation, or of its inverse, for points of `count` axes.
 *
 * @param {any} step @param {number} count @param {boolean} isInverse @param {string} at its JSON pointer @param {Reading} reading @param {number} [depth]
 * @returns {Matrix}
 */
export function matrixOf(step, count, isInverse, at, reading, depth = 0) {
  reading.check(depth < DEEPEST && reading.left-- > 0, at, `more than ${DEEPEST} transformations in each other, or ${MOST_TRANSFORMATIONS} in all`);
  reading.check(textOf(step?.type) !== undefined, `${at}/type`, "expected the type of a transformation");
  const { type } = step;
  if (!Object.hasOwn(FORWARD, type)) throw unsupported(at, type, `transformations of the type ${type} are not supported${FIELDS.includes(type) ? ", as they are fields of arrays and no matrices" : ""}`);
  if (!isInverse) return FORWARD[type](step, count, at, reading, depth + 1);
  if (Object.hasOwn(BACKWARD, type)) return BACKWARD[type](step, count, at, reading, depth + 1);
  const matrix = FORWARD[type](step, inputsOf(step, count), at, reading, depth + 1);
  reading.check(matrix.length === count, at, `the transformation leads to ${matrix.length} axes, and the system has ${count}`);
  const found = type === "projectAxis" ? unprojected(step, matrix) : inverted(matrix);
  if (!found) throw unsupported(at, `inverse of ${type}`, `the ${type} has no inverse`);
  return found;
}

/** Axes of the points that a transformation takes, where those of its result are known. */
function inputsOf(step, outputs) {
  if (step.type === "affine" && Array.isArray(step.affine?.[0])) return step.affine[0].length - 1;
  const [dropped, created] = [step.droppedInputs, step.createdOutputs].map((list) => list?.length ?? 0);
  return step.type === "projectAxis" ? outputs + dropped - created : outputs;
}

/** The inverse of a projection that drops no axis; undefined of one that does. @param {any} step @param {Matrix} matrix */
function unprojected({ droppedInputs }, matrix) {
  if (droppedInputs?.length) return undefined;
  const kept = range(matrix.length).filter((row) => matrix[row].includes(1));
  return made(kept.length, matrix.length, (row, column) => Number(kept[row] === column));
}

/**
 * Transformations of a list as ways between systems: each with the names of both ends, its place, and what checks it.
 *
 * @param {unknown} list transformations that name their two ends
 * @param {string} pointer JSON pointer of the list
 * @param {Reading["check"]} check
 * @param {(side: any) => string | undefined} endOf name of a system by the end of a transformation
 */
export function waysIn(list, pointer, check, endOf) {
  const all = Array.isArray(list) ? list : [];
  check(all.length <= MOST_TRANSFORMATIONS, pointer, `more than ${MOST_TRANSFORMATIONS} transformations`);
  return all.map((step, nth) => ({ step, input: endOf(step?.input), output: endOf(step?.output), at: `${pointer}/${nth}`, check }));
}

/**
 * Coordinate systems with the ways between them.
 *
 * @param {any[]} systems with `name` and `axes`
 * @param {ReturnType<typeof waysIn>} ways those of other systems are passed over
 * @param {string} pointer JSON pointer for what concerns all
 * @param {Reading["check"]} check
 */
export function related(systems, ways, pointer, check) {
  check(new Set(systems.map(({ name }) => name)).size === systems.length, pointer, "two coordinate systems have one name");
  check(systems.length <= MOST_SYSTEMS && systems.every(({ axes }) => axes.length <= MOST_AXES), pointer, `more than ${MOST_SYSTEMS} coordinate systems, or than ${MOST_AXES} axes`);
  check(ways.length <= MOST_TRANSFORMATIONS, pointer, `more than ${MOST_TRANSFORMATIONS} transformations`);
  const axesIn = new Map(systems.map(({ name, axes }) => [name, axes.length]));
  const edges = ways.filter(({ input, output }) => axesIn.has(input) && axesIn.has(output));
  const known = (name) => {
    const found = axesIn.get(name);
    if (found === undefined) throw new RangeError(`there is no coordinate system ${JSON.stringify(name)}; there are: ${[...axesIn.keys()].join(", ") || "none"}`);
    return found;
  };
  return {
    /**
     * The matrix from one system to another by the fewest transformations, and these in words. One without an inverse is no
     * way back.
     *
     * @param {string} from @param {string} to
     * @returns {{ matrix: Matrix, words: string[] }}
     */
    between(from, to) {
      known(to);
      const reached = new Map([[from, { matrix: diagonal(range(known(from)).fill(1)), words: /** @type {string[]} */ ([]) }]]);
      const reading = { check, left: 2 * MOST_TRANSFORMATIONS };
      let refusal;
      for (const [name, { matrix, words }] of reached) {
        if (name === to) break;
        for (const edge of edges) {
          const { step, input, output, at } = edge;
          const isInverse = output === name && input !== name;
          const next = /** @type {string} */ (isInverse ? input : output);
          if ((input !== name && output !== name) || reached.has(next)) continue;
          reading.check = edge.check;
          try {
            const found = matrixOf(step, matrix.length, isInverse, at, reading);
            edge.check(found.length === axesIn.get(next), at, `the transformation leads to ${found.length} axes, and ${next} has ${axesIn.get(next)}`);
            const whole = joined(matrix, found);
            edge.check(whole.every((row) => row.every(isNumber)), at, "the transformations together give no numbers");
            reached.set(next, { matrix: whole, words: [...words, isInverse ? `inverse of ${step.type}` : `${step.type} to ${next}`] });
          } catch (error) {
            refusal ??= error;
          }
        }
      }
      const found = reached.get(to);
      if (found) return found;
      throw refusal ?? unsupported(pointer, "unrelated coordinate systems", `no transformation leads from ${from} to ${to}`);
    },
  };
}
