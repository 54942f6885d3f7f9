/** Finds the transform of one level: rules in turn, because few writers write what their convention asks for. */
import { apart, moved } from "./grid.js";
import { onDemand } from "./on-demand.js";
import { boxOf, derived, fillingBox, isByCentres } from "./statements.js";

/**
 * Transform of a level, and the rule that gave it.
 *
 * @param {import("./nodes.js").Nodes} nodes
 * @param {{ stated: any[], shape?: any, source?: any, scale?: any, translation?: number[], node?: any, names: string[] }} level
 */
export async function transformOf(nodes, level) {
  const { stated, shape, source } = level;
  const declared = stated.find(({ transform, where }) => transform && !(where === "group" && source));
  if (!declared) return (await onDemand.fallbacks()).located(nodes, level);
  const transform = isByCentres(stated) ? moved(declared.transform, -0.5, -0.5) : declared.transform;
  const from = `spatial:transform of the ${declared.where}`;
  const around = boxOf(level);
  const byBox = fillingBox(level, around?.bbox, transform);
  const far = byBox ? apart(transform, byBox, shape) : 0;
  // Cutting off rows that fill no pixel costs less than one, and agrees with the scales; rounded numbers do not.
  const scaledSource = derived(level);
  const isExplained = scaledSource && apart(transform, scaledSource, shape ?? [1, 1]) < 0.01;
  // A box that is far off is of something else, or in another system, unless the scales contradict the transform too.
  const isNear = (scaledSource && !isExplained) || !(far > 0.05 * Math.max(1, ...(shape ?? [])));
  const isOff = far > (isExplained ? 1 : 0.49) && (isNear || far < 1);
  return isOff ? { transform: byBox, from: `spatial:bbox of the ${around.where} and shape (${from} is ${far.toPrecision(3)} pixels off)` } : { transform, from };
}
