// The outline of an area over the map, and how one is drawn there by clicks, taps or keys.
import "../style/area.css";
import { el, svg } from "../dom.js";
import { drawnOn, turned } from "../earth/degrees.js";
import { cellAt, partX, partY } from "../view/figure/place.js";
import { areaIn, bent, linesOf } from "./area.js";

const PARTS = 16; // of an edge, along which its longitudes are followed
const TORN = 0.5; // of the picture: a longer piece of an edge joins both sides of a projection's seam

/** The place on the Earth at a part of the picture; undefined beside the Earth. */
function placeAt({ place, dataset: { earth } }, part) {
  const cell = cellAt(place, part);
  return cell && earth.toDegrees(cell);
}

/** Where a place is in the picture, by parts of it, with a turn added to its longitude; undefined where it is not. */
function partAt({ place, dataset: { earth } }, [lon, lat], turn = 0) {
  const cell = earth.toCell([lon + turn, lat]);
  if (!cell) return undefined;
  return place.warp ? place.warp.partAt(cell) : [partX(place, cell[1]), partY(place, cell[0])];
}

/** Where a place is in the picture, if it is in view. */
const inView = (shown, place) => shown.dataset.earth.turns.map((turn) => partAt(shown, place, turn)).find((at) => at?.every((n) => n > -1e-6 && n < 1 + 1e-6));

/** `drawn()` gives what the figure shows; `onArea(area)` hears of a new one, and `onEnd()` that drawing has ended. */
export function createOutline(plot, { drawn, say, onArea, onEnd }) {
  const paths = ["casing", "line", "corners"].map((name) => svg("path", { class: name }));
  const layer = svg("svg", { class: "overlay area", viewBox: "0 0 1 1", preserveAspectRatio: "none", "aria-hidden": "true" }, paths);
  const button = (label, onclick) => el("button", { type: "button", class: "quiet", onclick }, label);
  const count = el("span", { class: "total" });
  const bar = el("div", { class: "area-bar", role: "group", "aria-label": "Area", hidden: true },
    count, button("Close the area", () => close()), button("Undo", () => undo()), button("Leave", () => end()));
  plot.querySelector(".overlay").after(layer);
  plot.closest("figure").append(bar);
  let area;
  let corners; // `[lon, lat]` of those that are set, while one is drawn
  let pointed; // the part of the picture that the pointer is at

  /** What is drawn, if it lies on the Earth. */
  const onEarth = () => {
    const shown = drawn();
    return shown?.plane.isMap && drawnOn(shown.dataset, shown.plane) ? shown : undefined;
  };

  /** The path of a line in parts of the picture. */
  function pathOf(shown, line) {
    const { place, dataset: { earth } } = shown;
    return (place.warp ? [0] : earth.turns).map((turn) => {
      let last;
      return bent(line).map((point) => {
        const at = partAt(shown, point, turn);
        const joins = at && last && Math.hypot(at[0] - last[0], at[1] - last[1]) < (place.warp ? TORN : Infinity);
        last = at;
        return at ? `${joins ? "L" : "M"}${at[0].toFixed(5)},${at[1].toFixed(5)}` : "";
      }).join("");
    }).join("");
  }

  function paint() {
    const shown = onEarth();
    if (corners && !shown) return end();
    const ends = shown && corners?.length && pointed ? [followed(shown, corners.at(-1), pointed) ?? corners.at(-1)] : [];
    const lines = corners ? [[...corners, ...ends]] : area ? linesOf(area) : [];
    const path = shown ? lines.map((line) => pathOf(shown, line)).join("") : "";
    const dots = shown && corners ? corners.flatMap((corner) => shown.dataset.earth.turns.map((turn) => partAt(shown, corner, shown.place.warp ? 0 : turn))).filter(Boolean).map(([x, y]) => `M${x.toFixed(5)},${y.toFixed(5)}h0`).join("") : "";
    for (const [i, d] of [path, path, dots].entries()) paths[i].setAttribute("d", d);
    bar.hidden = !corners;
    if (corners) count.textContent = corners.length ? `${corners.length} ${corners.length > 1 ? "corners" : "corner"}. Enter or a double click closes the area.` : "Click the corners of the area, or go by arrow keys and press space. Escape leaves.";
  }

  /** The place at a part of the picture, its longitude going on from that of another along the straight line between. */
  function followed(shown, from, part) {
    const to = placeAt(shown, part);
    if (!to || !from) return to;
    const begin = inView(shown, from);
    const short = [from[0] + turned(to[0] - from[0]), to[1]];
    let lon = from[0];
    for (let n = 1; n <= PARTS; n++) {
      const between = begin && placeAt(shown, begin.map((at, k) => at + ((part[k] - at) * n) / PARTS));
      if (!between) return short;
      lon += turned(between[0] - lon);
    }
    return [lon, to[1]];
  }

  function add(part) {
    const shown = onEarth();
    const place = shown && followed(shown, corners.at(-1), part);
    if (!place) return say("There is no place on the Earth here.");
    corners.push(place);
    paint();
    say(`Corner ${corners.length}.`);
  }

  function undo() {
    corners.pop();
    paint();
    say(`${corners.length} corners.`);
  }

  function close() {
    const set = corners;
    if (new Set(set.map(String)).size < 3) return say("An area has three corners at least.");
    const shown = onEarth();
    const first = inView(shown, set[0]);
    const back = first && followed(shown, set.at(-1), first);
    end();
    onArea(areaIn(set, Boolean(back) && Math.abs(back[0] - set[0][0]) > 180));
  }

  function end() {
    corners = pointed = undefined;
    plot.classList.remove("drawing");
    document.removeEventListener("keydown", press, true);
    paint();
    onEnd();
  }

  const partOf = ({ clientX, clientY }) => {
    const box = plot.getBoundingClientRect();
    return [(clientX - box.left) / box.width, (clientY - box.top) / box.height];
  };

  /** While an area is drawn its keys and clicks are no others'. */
  const taken = (event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
  };

  function press(event) {
    const isThere = plot.contains(event.target);
    if (event.key !== "Escape" && !isThere) return;
    const deeds = { Escape: end, Enter: close, Backspace: undo, " ": () => atCursor() };
    if (!deeds[event.key]) return;
    taken(event);
    deeds[event.key]();
  }

  function atCursor() {
    const { cursor, place } = drawn();
    if (!cursor) return say("Go to a cell by the arrow keys first.");
    const cell = cursor.map((at) => Math.floor(at) + 0.5);
    add(place.warp ? place.warp.partAt(cell) ?? [-1, -1] : [partX(place, cell[1]), partY(place, cell[0])]);
  }

  plot.addEventListener("click", (event) => {
    if (!corners) return;
    taken(event);
    if (event.detail < 2) add(partOf(event)); // the second of a double click closes
  }, { capture: true });
  plot.addEventListener("dblclick", (event) => {
    if (!corners) return;
    taken(event);
    close();
  }, { capture: true });
  plot.addEventListener("pointermove", (event) => {
    if (!corners || event.pointerType !== "mouse") return;
    pointed = partOf(event);
    paint();
  });
  plot.addEventListener("laid", paint);

  return {
    /** Shows an area, or none. */
    show(next) {
      area = next;
      paint();
    },
    /** Begins to draw one, or ends that; tells whether one is drawn now. */
    draw() {
      if (corners) return end();
      if (!onEarth()) return undefined;
      corners = [];
      plot.classList.add("drawing");
      document.addEventListener("keydown", press, true);
      plot.scrollIntoView({ block: "center" });
      plot.focus({ preventScroll: true });
      paint();
      say(count.textContent);
      return true;
    },
  };
}
