/** Statistics by name: what each needs of the module, and what its numbers become. */
import { refusal } from "./axes.js";

/** What the module gives for each statistic. */
const NEEDED = { count: "count", sum: "sum", mean: "mean", var: "var", std: "var", min: "min", max: "max", argmin: "argmin", argmax: "argmax", histogram: "histogram" };

const NAMES = [...Object.keys(NEEDED), "median", "quantile", "q0.5 and the like"];

/** Number types of less precision than float64, and the class of the results that keep their type. */
const CLASSES = { float32: Float32Array, float16: Float32Array, int8: Int8Array, uint8: Uint8Array, int16: Int16Array, uint16: Uint16Array, int32: Int32Array, uint32: Uint32Array, bool: Uint8Array };

/** Values in the class that a statistic has for items of this number type. */
function typed(name, values, numbers) {
  if (values instanceof BigInt64Array || values instanceof BigUint64Array) return values;
  const isFloat = /^float(16|32)$/.test(numbers);
  if (["sum", "mean", "std", "var"].includes(name) || name === "median") return isFloat ? Float32Array.from(values) : values;
  if (name === "min" || name === "max") return CLASSES[numbers] ? CLASSES[numbers].from(values) : values;
  return values;
}

/**
 * Parses the names of statistics and the quantiles that they mean.
 *
 * @returns {{ name: string, needs?: string, quantiles?: number[], isList?: boolean }[]}
 */
export function statisticsOf(how, { q }) {
  const list = Array.isArray(how) ? how : [how];
  if (list.length === 0) throw refusal("the list of statistics is empty");
  return list.map((name) => {
    if (Object.hasOwn(NEEDED, name)) return { name, needs: NEEDED[name] };
    if (name === "median") return { name, quantiles: [0.5] };
    if (name === "quantile" || name === "quantiles") {
      const quantiles = q === undefined || q === null ? undefined : Array.isArray(q) || ArrayBuffer.isView(q) ? Array.from(/** @type {any} */ (q), Number) : [Number(q)];
      if (!quantiles?.length || !quantiles.every((part) => part >= 0 && part <= 1)) throw refusal(`the statistic ${name} needs the option q: a number from 0 to 1, or a list of them`);
      return { name, quantiles, isList: Array.isArray(q) || ArrayBuffer.isView(q) };
    }
    const part = /^q(\d*\.?\d+)$/.exec(name)?.[1];
    if (part === undefined || Number(part) > 1) throw refusal(`there is no statistic ${JSON.stringify(name)}; there are ${NAMES.join(", ")}`);
    return { name, quantiles: [Number(part)] };
  });
}

/** Edges of the bins of a histogram by numpy's rules, from the options `bins` and `range`. */
export function edgesOf({ bins = 10, range }) {
  if (typeof bins !== "number") {
    const edges = Array.from(bins ?? [], Number);
    if (edges.length < 2) throw refusal(`the option bins must be a number of bins, or at least two edges, not ${edges.length}`);
    const at = edges.findIndex((edge, i) => !Number.isFinite(edge) || edge < edges[i - 1]);
    if (at >= 0) throw refusal(`the edges of the option bins must be finite and never fall, but edge ${at} is ${edges[at]}${at > 0 ? ` after ${edges[at - 1]}` : ""}`);
    return edges;
  }
  if (!Number.isInteger(bins) || bins < 1 || bins > 2 ** 20) throw refusal(`the option bins must be from 1 to 2^20, not ${bins}`);
  if (range === undefined || range === null) return undefined;
  let [low, high] = Array.from(range, Number);
  if (!Number.isFinite(low) || !Number.isFinite(high) || low > high) throw refusal(`the option range must be two numbers, the lower one first, not ${JSON.stringify(range)}`);
  if (low === high) [low, high] = [low - 0.5, high + 0.5];
  const step = (high - low) / bins;
  return Array.from({ length: bins + 1 }, (_, i) => (i === bins ? high : i * step + low));
}

/** Sets values of cells with fewer items than `minCount` to NaN; integers, which have no NaN, stay. */
function masked(values, counts, minCount) {
  if (!minCount || !(values instanceof Float64Array || values instanceof Float32Array)) return values;
  const width = values.length / counts.length;
  return values.map((value, i) => (counts[Math.floor(i / width)] < minCount ? NaN : value));
}

/** Finishes a statistic of what the module gave: its type, and cells with too few items. */
export function finished({ name, quantiles }, values, { numbers, counts, minCount }) {
  const taken = name === "std" ? values.map(Math.sqrt) : values;
  const made = typed(name, taken, numbers);
  return name === "count" || name === "histogram" || quantiles ? made : masked(made, counts, minCount);
}
