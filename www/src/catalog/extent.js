// Says in words what a store of a catalog spans: its time and its area.
import { degreeSpan } from "../view/health/spans.js";

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** "1 Jan 1940" of "1940-01-01", "Jan 1940" and "1940" of less. */
function dateOf(text) {
  const [, year, month, day] = /^([+-]?\d+)(?:-(\d\d))?(?:-(\d\d))?$/.exec(text);
  return [day && String(Number(day)), month && (MONTHS[Number(month) - 1] ?? month), year].filter(Boolean).join(" ");
}

function timeOf([from, to]) {
  if (!from) return `until ${dateOf(to)}`;
  if (!to) return `since ${dateOf(from)}`;
  return from === to ? dateOf(from) : `${dateOf(from)} to ${dateOf(to)}`;
}

/** Time and area of a store, as far as its catalog says them: "2020 to 2024", "35° N to 60° N, 10° W to 20° E". */
export function extentOf({ bbox, time }) {
  const area = bbox && [degreeSpan([bbox[1], bbox[3]], "N", "S"), degreeSpan([bbox[0], bbox[2]], "E", "W")];
  return [time && timeOf(time), area?.join(", ")].filter(Boolean);
}
