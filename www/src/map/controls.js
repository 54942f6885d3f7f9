// The ways to move a map's view: gestures, keys, and buttons in the picture's corner.
import { el, icon } from "../dom.js";
import { isEmbedded } from "../embed/mode.js";
import { cellAt, makePlace } from "../view/figure/place.js";
import { createGestures } from "./gestures.js";
import { clampView, moved, wholeOf, zoomed } from "./view.js";

/**
 * `current()` gives what is drawn, `viewNow()` the view that may not be drawn yet, `cursor()` the cell that the keyboard
 * is at, `projection` moves the map where it is drawn in one, `onLook(view)` hears of each move. `element` holds the buttons.
 */
export function createControls(plot, { current, viewNow, projection, cursor, onLook }) {
  const sizeOf = ({ place }) => [place.height, place.width];
  const isOn = () => Boolean(onLook && current()?.plane.isMap);
  const placeNow = () => makePlace(current().dataset, { ...current().plane, view: viewNow() });

  /** Enlarges around a part of the picture, or around the keyboard's cursor. */
  function zoom(factor, at) {
    if (projection?.isOn()) return projection.zoom(factor, at);
    const place = placeNow();
    onLook(zoomed(viewNow(), sizeOf({ place }), factor, at ? cellAt(place, at) : cursor()));
  }

  /** Follows a pointer that went by parts of the picture. */
  function move([u, v]) {
    if (projection?.isOn()) return projection.move([u, v]);
    const place = placeNow();
    const [from, to] = [cellAt(place, [0, 0]), cellAt(place, [u, v])];
    onLook(moved(viewNow(), sizeOf({ place }), from.map((at, i) => at - to[i])));
  }

  const timesNow = () => (projection?.isOn() ? projection.zoomNow() : viewNow().zoom);
  const whole = () => (projection?.isOn() ? projection.whole() : onLook(wholeOf(sizeOf(current()))));
  createGestures(plot, { isOn, isFrame: isEmbedded, isWhole: () => timesNow() === 1, isStill: () => timesNow() === 1 && !projection?.isOn(), zoom, move, whole });

  const button = (name, label, action) => el("button", { type: "button", class: "tool", title: label, "aria-label": label, onclick: action }, icon(name));
  const [nearer, farther, all] = [button("zoomIn", "Zoom in", () => zoom(2)), button("zoomOut", "Zoom out", () => zoom(1 / 2)), button("whole", "Show all of it", whole)];
  const stage = () => plot.closest(".stage");
  const full = document.fullscreenEnabled ? button("full", "Full screen", () => (document.fullscreenElement ? document.exitFullscreen() : stage()?.requestFullscreen())) : undefined;
  const element = el("div", { class: "zoom", role: "group", "aria-label": "Zoom", hidden: true }, nearer, farther, all, full);

  return {
    element,
    /** Shows which moves there are. */
    update() {
      element.hidden = !isOn();
      if (element.hidden) return;
      const view = viewNow();
      const times = timesNow();
      farther.disabled = all.disabled = times === 1;
      nearer.disabled = !projection?.isOn() && clampView({ ...view, zoom: times * 1.01 }, sizeOf(current())).zoom === times;
      plot.classList.toggle("zoomed", times > 1);
    },
  };
}
