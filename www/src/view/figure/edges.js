// Around the picture: ticks along its axes, and the lengths of its chunks.
import { el } from "../../dom.js";
import { value } from "../../model/format.js";
import { ticks } from "../../model/ticks.js";
import { chunkLengths } from "./overlay.js";
import { LETTER, axisTicks, partX, partY } from "./place.js";

/** Pixels between two ticks of an axis, at least. */
const SPACING = { across: 110, down: 52 };

const BESIDE = 8; // pixels beside the picture that labels below it may take, before the buttons

const tick = (part, label, by = 0) => el("span", { style: `--at:${part * 100}%${by > 0 ? `;--by:${by}px` : ""}` }, label);

/** How far a label is moved so that it does not lie under the buttons, in pixels. */
const moved = (part, label, width) => part * width + (label.length * LETTER) / 2 - width - BESIDE;

/** Ticks of the values of a line, which may be times. */
const valueTicks = ([low, high], wanted, times) => (times?.([low, high], wanted) ?? ticks(low, high, wanted).map((v) => ({ v, label: value(v) }))).map(({ v, label }) => tick((high - v) / (high - low || 1), label));

/** The unit of the values of a line, above their ticks. */
const unitOf = ({ decoder: { units } }) => (units ? el("span", { class: "unit-y" }, units) : "");

/** `elements` are the four edges, `[above, left, right, below]`; `paint(frame, shown, size)` fills them beside a plot of that many pixels. */
export function createEdges() {
  const [xEdges, yTicks, yEdges, xTicks] = ["edges-x", "ticks-y", "edges-y", "ticks-x"].map((name) => el("div", { class: name, "aria-hidden": "true" }));
  return {
    elements: [xEdges, yTicks, yEdges, xTicks],
    paint(frame, { dataset, place, look, plane }, { width, height }) {
      const { kind } = frame.dataset;
      const down = Math.max(2, height / SPACING.down);
      const along = (axis, span, wanted, part, room) => axisTicks(axis, span, wanted, room).map(({ at, label }) => tick(part(place, at), label, room && moved(part(place, at), label, room)));
      xTicks.replaceChildren(...(place.xAxis && kind !== "scalar" ? along(place.xAxis, place.across, Math.max(2, width / SPACING.across), partX, width) : []));
      if (kind === "map") yTicks.replaceChildren(...along(place.yAxis, place.down, down, partY));
      else yTicks.replaceChildren(...(kind === "line" && !look.isEmpty ? [...valueTicks(look.range, down, dataset.decoder.ticks), unitOf(dataset)] : []));
      const longest = Math.max(...[...yTicks.querySelectorAll("span:not(.unit-y)")].map(({ textContent }) => textContent.length), 0);
      frame.style.setProperty("--ticks", longest > 6 ? `${longest * 0.45 + 0.75}rem` : null);
      const hasLengths = look.chunks && kind !== "scalar" && !plane.strip;
      // Room that came and went with a level's lengths would change which level fits.
      yEdges.classList.toggle("reserved", hasLengths && kind === "map");
      const lengths = (one, span, part, pixels) => (hasLengths ? chunkLengths(plane, one, span, (at) => part(place, at), pixels) : []);
      for (const [edge, list] of [[xEdges, lengths(place.cols, place.across, partX, width)], [yEdges, lengths(place.rows, place.down, partY, height)]]) {
        edge.replaceChildren(...(list.length > 1 ? list : []));
      }
    },
  };
}
