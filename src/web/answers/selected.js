/** What an answer is made of, by index or by label. */
import { refusal } from "./axes.js";
import { given, hasFields } from "../common/options.js";

/** Options of `reduce` and `zonal` that select by label. */
const LOOKING = ["method", "tolerance", "wrap"];

/**
 * Looks labels up: the selection by index, and the labels of the dimensions that are named.
 *
 * @param {any} array
 * @param {any} query labels by dimension
 * @param {{ method?: any, tolerance?: any, wrap?: any, isPlace?: boolean }} looking
 * @param {AbortSignal} [signal]
 */
export async function byLabel(array, query, looking, signal) {
  const { lookedUp } = await import("../labels/sel.js");
  return lookedUp(array, query, looking, signal, { given, hasFields });
}

/** The selection by index that the options `selection` or `sel` stand for. */
export async function selected(array, options) {
  const { selection, sel, signal } = options;
  const odd = LOOKING.find((name) => options[name] !== undefined);
  if (sel === undefined) {
    if (odd) throw refusal(`the option ${odd} is for labels; name these with the option sel`);
    return selection;
  }
  if (selection !== undefined) throw refusal("the options selection and sel select both; pass one of them: indices as selection, or labels as sel");
  if (!hasFields(sel)) throw refusal('the option sel is an object of labels by dimension, such as { time: "2024-02" }');
  const { method, tolerance, wrap } = options;
  return (await byLabel(array, sel, { method, tolerance, wrap }, signal)).selection;
}
