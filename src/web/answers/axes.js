/** Axes of an answer: what a selection picks along each axis of an array, and which of these axes are kept. */

/** Error of a selection, or of an option that names what an array does not have. */
export function refusal(message) {
  return Object.assign(new Error(message), { name: "SelectionError" });
}

/** Refuses what is no opened array. */
export function checkOpened(array, what) {
  if (typeof array?.openReduction !== "function") throw new TypeError(`${what} expects an opened array`);
}

const isMask = (wanted) => Array.isArray(wanted) && wanted.length > 0 && wanted.every((item) => typeof item === "boolean");

/** Indices of a slice by Python's rules. */
function sliced({ start = null, stop = null, step = null }, length) {
  const by = step ?? 1;
  const clip = (end, least, most) => Math.min(Math.max(Number(end) < 0 ? Number(end) + length : Number(end), least), most);
  const [from, to] = by > 0 ? [clip(start ?? 0, 0, length), clip(stop ?? length, 0, length)] : [start === null ? length - 1 : clip(start, -1, length - 1), stop === null ? -1 : clip(stop, -1, length - 1)];
  const count = Math.max(0, Math.ceil((to - from) / by));
  return { count, isRun: () => by === 1 || count === 1, at: (place) => from + place * by, part: (first, last) => ({ start: from + first * by, stop: edge(from + last * by, by), step: by }) };
}

/** End of a slice that may go down to the first index, below which no number stands. */
const edge = (stop, step) => (step < 0 && stop < 0 ? null : stop);

function listed(list) {
  return { count: list.length, isRun: () => list.every((index, i) => index === list[0] + i), at: (place) => list[place], part: (first, last) => list.slice(first, last) };
}

/**
 * What a selection picks along one axis: the number of indices, whether each is one more than that before it, the index at
 * each place, and the selection of a range of places. `isDropped` for an integer, which drops the axis from results.
 */
function picked(wanted, length) {
  if (wanted === null || wanted === undefined) return { isDropped: false, ...sliced({}, length) };
  if (typeof wanted === "number" || typeof wanted === "bigint") {
    const index = Number(wanted) < 0 ? Number(wanted) + length : Number(wanted);
    return { isDropped: true, ...listed([index]), part: () => index };
  }
  if (isMask(wanted)) return { isDropped: false, ...listed(wanted.flatMap((is, index) => (is ? [index] : []))) };
  if (Array.isArray(wanted) || ArrayBuffer.isView(wanted)) {
    const indices = Array.from(/** @type {any} */ (wanted), (index) => (Number(index) < 0 ? Number(index) + length : Number(index)));
    return { isDropped: false, ...listed(indices) };
  }
  return { isDropped: false, ...sliced(wanted, length) };
}

/**
 * Axes of what a selection picks, in the order of its result. The array checks the selection itself when it is read.
 *
 * @returns {{ axis: number, name: string, length: number, count: number, isRun: () => boolean, at: (place: number) => number, part: (first: number, last: number) => any, isDropped: boolean }[]}
 */
export function axesOf(array, selection) {
  const names = array.shape.map((_, axis) => array.dimensionNames?.[axis] ?? `dim_${axis}`);
  const isList = Array.isArray(selection);
  return array.shape.map((length, axis) => {
    const wanted = isList ? selection[axis] : selection?.[names[axis]];
    return { axis, name: names[axis], length, ...picked(wanted, length) };
  });
}

/** Finds an axis by its name or number; `what` names the option, for messages. */
export function axisCalled(axes, wanted, what) {
  const rank = axes.length;
  const found = typeof wanted === "number" ? axes.find(({ axis }) => axis === (wanted < 0 ? wanted + rank : wanted)) : axes.find(({ name }) => name === wanted);
  if (!found) throw refusal(`${what}: there is no axis ${JSON.stringify(wanted)}; the axes are ${axes.map(({ name }) => name).join(", ")}`);
  if (found.isDropped) throw refusal(`${what}: the selection takes one index of the axis ${found.name}, so that there is nothing to reduce; select a slice of length 1 to keep it`);
  return found;
}

/** Names of the axes that `over` names, each once. */
export function reducedAxes(axes, over, byDefault) {
  if (over === undefined || over === null) return byDefault;
  const list = Array.isArray(over) ? over : [over];
  const found = list.map((wanted) => axisCalled(axes, wanted, "the option over"));
  found.forEach(({ name }, i) => {
    if (found.findIndex((other) => other.name === name) !== i) throw refusal(`the option over names the axis ${name} twice`);
  });
  return found;
}

/** Steps of places along axes in C order, for those in `along`; 0 along all others. */
export function stridesAlong(axes, along, lengthOf = ({ count }) => count) {
  const strides = axes.map(() => 0);
  let step = 1;
  for (let i = axes.length - 1; i >= 0; i--) {
    if (!along.includes(axes[i])) continue;
    strides[i] = step;
    step *= lengthOf(axes[i]);
  }
  return { strides, size: step };
}

/**
 * Reads labels, weights or bounds that are given as an array of this package, as what a read returns, or as a list:
 * values, and names of their dimensions.
 *
 * @returns {Promise<{ data: ArrayLike<unknown>, shape: number[], dimensions: string[] }>}
 */
export async function given(value, what, byDefault, options) {
  if (typeof value?.get === "function" && Array.isArray(value.shape)) {
    const { data, shape } = await value.get(null, { decode: "cf", ...options });
    const dimensions = shape.map((_, axis) => value.dimensionNames?.[axis] ?? `dim_${axis}`);
    return { data, shape, dimensions };
  }
  const isRegion = value?.data?.length !== undefined;
  const data = isRegion ? value.data : value;
  if (typeof data?.length !== "number" || typeof data === "string") throw refusal(`${what} must be an array of this package, a list, or { data, shape, dimensions }`);
  const shape = isRegion ? (value.shape ?? [data.length]) : [data.length];
  const dimensions = (isRegion ? value.dimensions : undefined) ?? byDefault;
  if (!dimensions || dimensions.length !== shape.length) throw refusal(`${what} need dimensions: the names of their ${shape.length} axes`);
  if (shape.reduce((size, length) => size * length, 1) !== data.length) throw refusal(`${what} have ${data.length} items, and their shape ${JSON.stringify(shape)} needs ${shape.reduce((size, length) => size * length, 1)}`);
  return { data, shape, dimensions };
}

/**
 * Values of a given array at each place of the axes that it has, in C order. Its axes are as long as those of the array,
 * or as what is selected of them.
 */
export function along(axes, { data, shape, dimensions }, what, put) {
  const own = dimensions.map((name) => axes.find((axis) => axis.name === name) ?? missing(axes, name, what));
  const twice = dimensions.find((name, i) => dimensions.indexOf(name) !== i);
  if (twice !== undefined) throw refusal(`${what} have the dimension ${twice} twice`);
  shape.forEach((length, i) => {
    if (length !== own[i].count && length !== own[i].length) {
      throw refusal(`${what} have ${length} items along ${dimensions[i]}, and the selection has ${own[i].count} of the array's ${own[i].length}`);
    }
  });
  const kept = axes.filter((axis) => own.includes(axis) && !axis.isDropped);
  const { strides, size } = stridesAlong(
    axes.filter(({ isDropped }) => !isDropped),
    kept,
  );
  // Steps in the given data, whose axes may be in another order.
  const steps = new Map();
  let step = 1;
  for (let i = shape.length - 1; i >= 0; i--) {
    // What is as long as the array's axis belongs to the array; else it belongs to what is selected.
    steps.set(own[i], { step, isWhole: shape[i] === own[i].length });
    step *= shape[i];
  }
  const dropped = own.filter((axis) => axis.isDropped && steps.get(axis).isWhole);
  const base = dropped.reduce((sum, axis) => sum + axis.at(0) * steps.get(axis).step, 0);
  const places = kept.map(() => 0);
  for (let nth = 0; nth < size; nth++) {
    let at = base;
    kept.forEach((axis, i) => {
      const { step, isWhole } = steps.get(axis);
      at += (isWhole ? axis.at(places[i]) : places[i]) * step;
    });
    put(nth, data[at]);
    for (let i = kept.length - 1; i >= 0 && ++places[i] === kept[i].count; i--) places[i] = 0;
  }
  return { strides, size, axes: kept };
}

/** Number of places that `along` goes through. */
export const sizeAlong = (axes, dimensions) => axes.filter(({ name, isDropped }) => dimensions.includes(name) && !isDropped).reduce((size, { count }) => size * count, 1);

function missing(axes, name, what) {
  throw refusal(`${what} have the dimension ${JSON.stringify(name)}, which the array does not have; its dimensions are ${axes.map((axis) => axis.name).join(", ")}`);
}
