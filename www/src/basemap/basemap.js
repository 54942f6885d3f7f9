// The base map that a catalog names, under maps of the Earth: its switch, how much the data cover of it, and whose it is. Loaded after the first picture of a page whose catalog has one.
import "../style/basemap.css";
import { el } from "../dom.js";
import { drawnOn } from "../earth/degrees.js";
import { basemapOf } from "./document.js";
import { createLayer } from "./layer.js";

const LEAST = 5; // per cent that the data cover

/** What a text of a link means: how many per cent of the map the data cover, and 0 where it is hidden; of no text, or one that makes no sense, as the catalog says. */
function coverOf(text, { opacity, shown }) {
  const cover = /^\d{1,3}$/.test(text ?? "") ? Number(text) : NaN;
  if (cover === 0 || (cover >= LEAST && cover <= 100)) return cover;
  return shown ? Math.round(opacity * 100) : 0;
}

/** The catalog's base map, checked; its error says that the page goes on without. */
function checked(given, base) {
  try {
    return basemapOf(given, base);
  } catch (error) {
    throw Object.assign(error, { name: "The base map is left out" });
  }
}

/** Has a map drawn under the pictures of a `figure` in a `frame`; `onPaint(isOnEarth, cover)` hears of each picture, and `onTiles(counts)` of what came of its tiles. */
function lay(basemap, figure, frame, { onPaint, onTiles }) {
  const credit = el("a", { class: "attribution", href: basemap.link, target: basemap.link && "_blank", rel: basemap.link && "noopener", hidden: true }, basemap.attribution);
  const layer = createLayer(basemap, { onChange: onTiles, onShow: (isShown) => (credit.hidden = !isShown) });
  frame.querySelector(".sheet").prepend(layer.canvas);
  frame.append(credit);
  figure.under((box, shown, picture) => {
    const isOnEarth = Boolean(shown && drawnOn(shown.dataset, shown.plane)?.toDegrees);
    const cover = coverOf(shown?.look.basemap, basemap);
    const isShown = isOnEarth && cover > 0;
    if (isShown) layer.paint(box, shown, cover / 100);
    else layer.hide();
    picture?.canvas.style.setProperty("--cover", isShown ? cover / 100 : 1);
    onPaint(isOnEarth, cover);
  });
}

/**
 * `given` is the catalog's base map, read at `base`; `figure` draws it in its `frame`, `group` gets the choices, and `onCover(text)` hears of
 * them as a link says them, undefined where they are the catalog's. Gives what draws it under another figure, by that and its frame. Throws where the catalog's is none.
 */
export function createBasemap(given, base, { figure, frame, group, onCover }) {
  const basemap = checked(given, base);
  const usual = coverOf(undefined, basemap);
  const on = el("input", { id: "basemap", type: "checkbox", onchange: () => choose(on.checked ? Number(range.value) : 0) });
  const range = el("input", { type: "range", min: LEAST, max: 100, step: 5, value: basemap.opacity * 100, "aria-label": "How much the data cover of the base map, in per cent", oninput: () => choose(Number(range.value)) });
  const problem = el("span", { class: "total", role: "status" });
  const choice = el("div", { class: "choice basemap-choice", role: "group", "aria-label": "Base map", hidden: true }, el("label", { for: "basemap", class: "check" }, on, "Base map"), range, problem);
  group.append(choice);
  const choose = (cover) => onCover(cover === usual ? undefined : String(cover));

  lay(basemap, figure, frame, {
    onTiles: ({ coming, failed }) => (problem.textContent = failed && !coming ? `${failed === 1 ? "A tile" : `${failed} tiles`} of it could not be read.` : ""),
    onPaint(isOnEarth, cover) {
      choice.hidden = !isOnEarth;
      on.checked = cover > 0;
      range.hidden = !on.checked;
      if (on.checked) range.value = cover;
      else problem.textContent = "";
    },
  });
  return (other, itsFrame) => lay(basemap, other, itsFrame, { onTiles() {}, onPaint() {} });
}
