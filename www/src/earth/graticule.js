// Draws parallels and meridians over a picture, and says their degrees where its axes do not. Loaded with the first of them.
import "../style/graticule.css";
import { el, svg } from "../dom.js";
import { partX, partY } from "../view/figure/place.js";
import { layApart } from "./apart.js";
import { pathOf } from "./coast.js";
import { netOf, stepFor } from "./net.js";
import { capOf } from "./vectors.js";

const POINTS = 180; // of a line, between which its label is looked for
const NEAR = 0.08; // of the picture, from its side, where a line may end at the grid's last places

/** Where a line from one part of the picture to the next leaves it at a side; undefined elsewhere. `k` is 0 across (left, right), 1 down. */
function crossing([from, to], k, edge) {
  if (!from || !to) {
    const last = from ?? to;
    return last && Math.abs(last[k] - edge) < NEAR ? last.with(k, edge) : undefined;
  }
  if ((from[k] - edge) * (to[k] - edge) > 0 || from[k] === to[k] || Math.hypot(to[0] - from[0], to[1] - from[1]) > 0.5) return undefined;
  const along = (edge - from[k]) / (to[k] - from[k]);
  return from.map((at, i) => (i === k ? edge : at + along * (to[i] - at)));
}

/** Where a line leaves what is in view, as a part of that: a parallel at the left, else at the right, and a meridian below, else above. */
function endOf(parts, isParallel) {
  const k = isParallel ? 0 : 1;
  for (const edge of isParallel ? [0, 1] : [1, 0]) {
    for (let n = 1; n < parts.length; n++) {
      const at = crossing([parts[n - 1], parts[n]], k, edge);
      if (at && at[1 - k] > 0.02 && at[1 - k] < 0.98) return at;
    }
  }
  return undefined;
}

/** Labels of lines, at the sides of the picture where these leave it. */
function labelsOf(lines, place, earth) {
  return lines.flatMap(({ label, isParallel, ends }) => {
    const parts = Array.from({ length: POINTS + 1 }, (_, n) => {
      const cell = earth.toCell(ends[0].map((from, k) => from + ((ends[1][k] - from) * n) / POINTS));
      return cell && [partX(place, cell[1]), partY(place, cell[0])];
    });
    const at = endOf(parts, isParallel);
    return at ? [labelAt(label, at, isParallel)] : [];
  });
}

/** A label beside a side of the picture, within it. */
function labelAt(label, [left, top], isParallel) {
  const [dx, dy] = isParallel ? [left < 0.5 ? "0.25rem" : "calc(-100% - 0.25rem)", "-50%"] : ["-50%", top > 0.5 ? "calc(-100% - 0.25rem)" : "0.25rem"];
  return el("span", { style: `--left:${left * 100}%;--top:${top * 100}%;--dx:${dx};--dy:${dy}` }, label);
}

/** `lay(place, earth)` gives the lines in the units of a picture, and puts labels into its plot; of no earth it takes these away. */
export function createGraticule(plot) {
  const labels = el("div", { class: "degrees-at", "aria-hidden": "true" });
  plot.append(labels);
  return (place, earth) => {
    const view = earth && capOf(earth, [place.down, place.across]);
    const lines = earth ? netOf(view, stepFor(2 * Math.min(90, view?.radius ?? 90))) : [];
    layApart(labels, earth && !earth.isStraight ? labelsOf(lines, place, earth) : []); // ticks say those of straight ones
    if (!earth) return "";
    const path = pathOf(lines.map(({ ends }) => ends), place, earth, undefined, view?.radius ?? 90, () => false);
    return svg("g", { class: "graticule" }, svg("path", { d: path, class: "casing" }), svg("path", { d: path, class: "line" }));
  };
}
