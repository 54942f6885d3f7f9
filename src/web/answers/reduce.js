/** Reductions of a selection: which statistics of which cells, read once, in bounded memory. */
import { axesOf, checkOpened, reducedAxes, refusal } from "./axes.js";
import { groupsBy } from "./groups.js";
import { byPasses } from "./quantiles.js";
import { bytesOf, read } from "./read.js";
import { selected } from "./selected.js";
import { edgesOf, finished, statisticsOf } from "./statistics.js";
import { weightsBy } from "./weights.js";
import { checkOptions } from "../common/options.js";
import { broughtAlong } from "../labels/coordinates.js";

/** Options of `reduce`; `tests/types/options.test.mjs` compares them with the type. */
export const OPTIONS = "over selection sel method tolerance wrap by weights skipna ddof minCount q bins range maxBytes coordinates decode as mask scale fields signal onProgress";

/** Bytes of values and counters that quantiles may hold, by default. */
const MOST_BYTES = 256 * 2 ** 20;

/** Most bytes that the option `maxBytes` may ask for. */
const LARGEST = 2 ** 30;

/** Most values of a cell that are sorted at once, where there is another way: more would block the page. */
const MOST_SORTED = 2 ** 16;

/** Bytes that a held value takes, and a cell of such values. */
const [VALUE, CELL, COUNTER] = [8, 32, 8];

/** Most labels of a kept axis that an answer brings along. */
const MOST_BROUGHT = 2 ** 20;

/** What is asked, checked and looked up: axes, groups, weights, and the settings of the module. */
async function asked(array, how, options) {
  const { over, by, weights, skipna, ddof = 0, minCount, decode = "cf", coordinates = "all", maxBytes = MOST_BYTES, signal, onProgress, as, mask, scale, fields, q, bins, range } = options;
  if (!(maxBytes > 0 && maxBytes <= LARGEST)) throw refusal(`the option maxBytes must be from 1 to 2^30, not ${maxBytes}`);
  for (const [name, number] of Object.entries({ ddof, minCount: minCount ?? 0 })) {
    if (!(typeof number === "number" && number >= 0)) throw refusal(`the option ${name} must be a number from 0 up, not ${typeof number === "string" ? JSON.stringify(number) : number}`);
  }
  if (![undefined, true, false].includes(skipna)) throw refusal(`the option skipna must be true or false, not ${JSON.stringify(skipna)}`);
  if (onProgress !== undefined && typeof onProgress !== "function") throw new TypeError(`the option onProgress must be a function, not ${JSON.stringify(onProgress)}`);
  const statistics = statisticsOf(how, options);
  const selection = await selected(array, options);
  const axes = axesOf(array, selection);
  const places = axes.filter(({ isDropped }) => !isDropped);
  const groups = await groupsBy(array, axes, by, signal);
  const reduced = reducedAxes(axes, over, groups ? groups.axes : places);
  for (const axis of groups?.axes ?? []) {
    if (!reduced.includes(axis)) throw refusal(`the option by groups along ${axis.name}, which the option over does not reduce`);
  }
  const weighted = await weightsBy(array, axes, weights, signal);
  const empty = reduced.find(({ count }) => count === 0);
  if (empty && statistics.some(({ name }) => /^(arg)?(min|max)$/.test(name))) {
    throw refusal(`min and max need an item, and nothing is selected along ${empty.name}`);
  }
  const reading = { decode, as, mask, scale, fields, signal };
  const kept = places.filter((axis) => !reduced.includes(axis));
  const firstGrouped = groups?.axes.length ? places.indexOf(groups.axes[0]) : 0;
  return {
    array,
    statistics,
    selection,
    axes,
    places,
    kept,
    groups,
    reading,
    onProgress,
    maxBytes,
    minCount,
    signal,
    coordinates,
    bins: { q, bins, range },
    settings: {
      kept: places.map((axis) => kept.includes(axis)),
      groups: groups && { strides: groups.strides, of: bytesOf(groups.of), count: groups.labels.length },
      weights: weighted && { strides: weighted.strides, of: bytesOf(weighted.of) },
      skips: skipna !== false,
      // As in xarray, not-a-time spreads in sums and extremes, unless it is told not to.
      skipsTimes: skipna === true,
      ddof,
      axesBeforeGroups: kept.filter((axis) => places.indexOf(axis) < firstGrouped).length,
    },
  };
}

const product = (numbers) => numbers.reduce((all, number) => all * number, 1);

/** Lengths and names of the axes of an answer. */
function layoutOf({ kept, groups, settings }) {
  const axes = kept.map(({ name, count }) => ({ name, count }));
  if (groups) axes.splice(settings.axesBeforeGroups, 0, { name: groups.name, count: groups.labels.length });
  return { shape: axes.map(({ count }) => count), dimensions: axes.map(({ name }) => name) };
}

/** How quantiles are found: of values that are held, by passes over the chunks, or part by part of the answer. */
function wayOf({ places, kept, groups, maxBytes }, quantiles) {
  const cells = product(kept.map(({ count }) => count)) * (groups?.labels.length ?? 1);
  const items = product(places.map(({ count }) => count));
  const fits = items * VALUE + cells * CELL <= maxBytes;
  // Two ranks for each quantile, whose leading bits may differ.
  const canPass = cells * quantiles * 2 * 2 ** 16 * COUNTER <= maxBytes;
  const way = fits && !(canPass && items / cells > MOST_SORTED) ? "held" : canPass ? "passes" : fits ? "held" : "parts";
  return { way, cells, items };
}

/** Quantiles of each cell, in the order of the answer, by a way that needs reads of its own. */
async function quantilesOf(work, quantiles, numbers, report) {
  const { array, selection, reading, settings, maxBytes } = work;
  const { way, cells, items } = wayOf(work, quantiles.length);
  const all = { ...settings, weights: undefined };
  if (way === "held") return (await read(array, selection, reading, { ...all, names: [], quantiles }, report())).columns[0];
  if (way === "parts") return byParts(work, quantiles, numbers, report, items, cells);
  // Cells are numbered with the groups last while they are counted.
  const names = all.skips ? ["counters", "count"] : ["counters", "count", "missing"];
  const counting = { ...all, names, axesBeforeGroups: work.kept.length };
  const pass = async (leading) => {
    const { columns } = await read(array, selection, reading, { ...counting, counting: leading }, report());
    return { counters: columns[0], counts: columns[1], missing: columns[2] ?? new Float64Array(cells) };
  };
  const bitsOf = (left, targets) => (left > 32 && targets * 2 ** 22 * COUNTER <= maxBytes ? 22 : 16);
  const found = await byPasses({ cells, quantiles, numbers, skips: all.skips, pass, bitsOf });
  return placed(found, work, quantiles.length);
}

/** Numbers of cells whose groups come last, in the order of the answer. */
function placed(numbers, { kept, groups, settings }, width) {
  if (!groups) return numbers;
  const inner = product(kept.slice(settings.axesBeforeGroups).map(({ count }) => count));
  const { length: count } = groups.labels;
  // The answer has, for each outer place, the groups and within each of these the inner places.
  return numbers.map((_, i) => {
    const [cell, own] = [Math.floor(i / width), i % width];
    const [outer, group, place] = [Math.floor(cell / (count * inner)), Math.floor(cell / inner) % count, cell % inner];
    return numbers[((outer * inner + place) * count + group) * width + own];
  });
}

/** Halves the longest kept axis until the values of a part fit. */
async function byParts(work, quantiles, numbers, report, items, cells) {
  const { kept, axes, groups, settings, maxBytes } = work;
  const longest = kept.reduce((most, axis) => (axis.count > most.count ? axis : most), { count: 1, name: "" });
  if (longest.count < 2) {
    throw refusal(`the values of one cell take ${items * VALUE} bytes, and the option maxBytes is ${maxBytes}: raise it, or reduce fewer axes at once`);
  }
  const middle = Math.ceil(longest.count / 2);
  const { shape, dimensions } = layoutOf(work);
  const answer = new Float64Array(cells * quantiles.length);
  const at = dimensions.indexOf(longest.name);
  // Items of one place along the axis, and of all places.
  const inner = product(shape.slice(at + 1)) * quantiles.length;
  for (const [first, last] of [[0, middle], [middle, longest.count]]) {
    const part = { ...longest, count: last - first, at: (place) => /** @type {any} */ (longest).at(first + place), part: (from, to) => /** @type {any} */ (longest).part(first + from, first + to) };
    const replaced = (list) => list.map((axis) => (axis.name === longest.name ? part : axis));
    const selection = axes.map((axis) => (axis.name === longest.name ? /** @type {any} */ (longest).part(first, last) : axis.part(0, axis.count)));
    const found = await quantilesOf({ ...work, selection, axes: replaced(axes), places: replaced(work.places), kept: replaced(kept), groups, settings }, quantiles, numbers, report);
    const rows = found.length / ((last - first) * inner);
    for (let row = 0; row < rows; row++) {
      const own = found.subarray(row * (last - first) * inner, (row + 1) * (last - first) * inner);
      answer.set(own, row * longest.count * inner + first * inner);
    }
  }
  return answer;
}

/** Edges of a histogram: those that are given, or from the least to the greatest item, which a pass of its own finds. */
async function binsOf(work, report) {
  const edges = edgesOf(work.bins);
  if (edges) return edges;
  const { array, selection, reading, settings, places } = work;
  const one = { kept: places.map(() => false), skips: settings.skips, skipsTimes: settings.skipsTimes, names: ["min", "max"] };
  const { columns } = await read(array, selection, reading, { ...one, ddof: settings.ddof, axesBeforeGroups: 0 }, report());
  const [low, high] = columns.map(([value]) => Number(value));
  const isEmpty = places.some(({ count }) => count === 0);
  if (!isEmpty && !(Number.isFinite(low) && Number.isFinite(high))) {
    throw refusal("a histogram without the option range needs finite items, and some are missing or infinite; pass range: [lowest, highest]");
  }
  return edgesOf({ ...work.bins, range: isEmpty ? [0, 1] : [low, high] });
}

/** Labels along the axes of an answer. */
async function coordinatesOf({ array, kept, groups, coordinates }) {
  const found = {};
  if (groups) found[groups.name] = groups.labels;
  if (coordinates === "none") return found;
  for (const axis of kept) {
    const labels = array.shape[axis.axis] <= MOST_BROUGHT ? await broughtAlong(array, axis.axis) : undefined;
    if (labels) found[axis.name] = Array.from({ length: axis.count }, (_, place) => labels[axis.at(place)]);
  }
  return found;
}

/**
 * Reduces the items of a selection to statistics of cells. See the type for what it takes and gives.
 *
 * @type {typeof import("../../types/answers.js").reduce}
 */
export const reduce = async (/** @type {any} */ array, /** @type {any} */ how, /** @type {any} */ options) => {
  checkOpened(array, "reduce");
  checkOptions("reduce", options, OPTIONS);
  const given = Object.fromEntries(Object.entries(options ?? {}).filter(([, value]) => value !== undefined && value !== null));
  given.signal?.throwIfAborted();
  const work = await asked(array, how, given);
  const { statistics, settings, selection, reading, onProgress } = work;
  const layout = layoutOf(work);
  const needed = ["count", ...new Set(statistics.flatMap(({ needs }) => needs ?? []))].filter((name, i, all) => all.indexOf(name) === i);
  const quantiles = [...new Set(statistics.flatMap((statistic) => statistic.quantiles ?? []))];
  const hasBins = needed.includes("histogram");
  // Passes over the chunks, of which progress tells the share.
  const passes = { done: 0 };
  // An answer so far must cost no copy of all values.
  const isHeld = !onProgress && quantiles.length > 0 && wayOf(work, quantiles.length).way === "held";
  const finish = ({ columns, numbers }, edges, held) => answersOf(work, layout, needed, columns, numbers, { edges, quantiles, held });
  const report = (answer) => () => {
    const pass = ++passes.done;
    return onProgress && (({ chunks, totalChunks, bytes }, found) => {
      onProgress({ chunks, totalChunks, bytes, pass, share: totalChunks ? chunks / totalChunks : 1, answer: () => answer?.(found()) });
    });
  };
  const edges = hasBins ? await binsOf(work, report()) : [];
  const onPart = report((found) => finish(found, edges, undefined))();
  const main = await read(work.array, selection, reading, { ...settings, names: needed, edges, quantiles: isHeld ? quantiles : [] }, onPart);
  const held = isHeld ? main.columns.at(-1) : quantiles.length ? await quantilesOf(work, quantiles, main.numbers, report()) : undefined;
  const answers = finish(main, edges, held);
  const coordinates = await coordinatesOf(work);
  const whole = ([name, answer]) => [name, { ...answer, coordinates: { ...coordinates, ...answer.coordinates } }];
  const all = Object.fromEntries(Object.entries(answers).map(whole));
  return Array.isArray(how) ? all : all[how];
};

/** Answers of the statistics by their names. */
function answersOf(work, { shape, dimensions }, needed, columns, numbers, { edges, quantiles, held }) {
  const { statistics, minCount } = work;
  const isComplex = columns[needed.indexOf("count")].length > product(shape);
  const parts = isComplex ? { shape: [...shape, 2], dimensions: [...dimensions, "part"] } : { shape, dimensions };
  const counts = columns[needed.indexOf("count")];
  const answers = {};
  for (const statistic of statistics) {
    const { name, needs, isList } = statistic;
    const more = { coordinates: {} };
    let layout = parts;
    let values = needs && columns[needed.indexOf(needs)];
    if (statistic.quantiles) {
      // Without all values there is no quantile yet.
      if (!held) continue;
      const own = statistic.quantiles.map((q) => quantiles.indexOf(q));
      const cells = held.length / quantiles.length;
      // As in xarray, several quantiles are the first axis, and the last one of groups.
      const isLast = work.groups !== undefined;
      const at = (i) => (isLast ? [Math.floor(i / own.length), i % own.length] : [i % cells, Math.floor(i / cells)]);
      values = Float64Array.from({ length: cells * own.length }, (_, i) => held[at(i)[0] * quantiles.length + own[at(i)[1]]]);
      if (isList) {
        layout = isLast ? { shape: [...shape, own.length], dimensions: [...dimensions, "quantile"] } : { shape: [own.length, ...shape], dimensions: ["quantile", ...dimensions] };
        more.coordinates = { quantile: statistic.quantiles };
      }
    }
    if (name === "histogram") {
      layout = { shape: [...parts.shape, edges.length - 1], dimensions: [...parts.dimensions, "bin"] };
      Object.assign(more, { edges: Float64Array.from(edges) });
    }
    if (isComplex && name === "mean") {
      // As in numpy, the mean of complex numbers has no part without the other.
      values = values.map((value, i) => (Number.isNaN(values[i ^ 1]) ? NaN : value));
    }
    if (isComplex && (name === "var" || name === "std" || name === "count")) {
      // The variance of complex numbers is that of both parts together, a real number; both parts have one count.
      const [sum, of] = [name === "count" ? (a) => a : (a, b) => a + b, values];
      values = Float64Array.from({ length: of.length / 2 }, (_, i) => sum(of[2 * i], of[2 * i + 1]));
      layout = { shape, dimensions };
    }
    const counted = isComplex ? counts.filter((_, i) => i % 2 === 0) : counts;
    answers[name] = { data: finished(statistic, values, { numbers, counts: counted, minCount }), shape: layout.shape, dimensions: layout.dimensions, counts: counted, ...more };
  }
  return answers;
}
