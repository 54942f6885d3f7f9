// The picture: canvas, overlay, ticks and chunk lengths around it, how its chunks stand, and the value under the pointer.
import { el, svg } from "../../dom.js";
import { drawnOn } from "../../earth/degrees.js";
import { createControls } from "../../map/controls.js";
import { createTurns } from "../../earth/turns.js";
import { createPicture, roomOf } from "../../map/picture.js";
import { createChunkRects } from "./chunk-rects.js";
import { createEdges } from "./edges.js";
import { fieldOf } from "./field.js";
import { chunkLines } from "./overlay.js";
import { boxOf, makePlace } from "./place.js";
import { createProbe } from "./probe.js";

/** How a plane is shown: "map", "line", "scalar" or "list". */
export function kindOf(dataset, plane, values) {
  if (plane.isMap) return "map";
  if (dataset.kind === "words" && values.length) return "list";
  return values.length && plane.shown.length === 1 ? "line" : "scalar";
}

/**
 * `onPick(index, isSecond)` receives the cell that was clicked, or chosen with the enter key, as a position along every
 * axis, and whether shift was down; `onLook(view, projection)` another view of a map, of which `viewNow()` and `projectionNow()` are the last ones, `onResize()` hears of another size, `onList(from)` of a list from another item on, `onColumns(paths)` of the arrays beside it, and `onFollow(at)` of the cell that the keyboard's cursor is at on a line.
 */
export function createFigure(root, { say, id = "plot", onPick, onFollow, viewNow, projectionNow, onLook, onResize, onList, onColumns }) {
  const lines = el("canvas", { "aria-hidden": "true" });
  const sheet = el("div", { class: "sheet" });
  const overlay = svg("svg", { class: "overlay", preserveAspectRatio: "none", "aria-hidden": "true" });
  const scalar = el("output", { class: "scalar", hidden: true });
  const plot = el("div", { id, class: "plot", tabindex: "0", role: "application" }, sheet, overlay, scalar);
  const edges = createEdges();
  const list = el("div", { class: "list", tabindex: "0", role: "region", "aria-label": "Values", hidden: true });
  const note = el("figcaption", { class: "note" });
  const rects = createChunkRects();
  const pins = [svg("rect", { class: "pin" }), svg("rect", { class: "pin second" })];
  let shown; // what is drawn now: { dataset, plane, values, scene, place, look, sampleAt }
  let picture; // of a map
  let size = { width: 600, height: 300 }; // of the plot
  let pinned = []; // cells with a mark
  const probe = createProbe(plot, overlay, { say, current: () => shown, wordsOver: (cell) => over?.wordsAt(cell) ?? "", onPick, onFollow, viewNow, onLook });
  const turns = projectionNow && createTurns({ current: () => shown, projectionNow, onLook });
  const controls = createControls(plot, { current: () => shown, viewNow, projection: turns, cursor: () => probe.cell, onLook });
  const [above, left, right, below] = edges.elements;
  const frame = el("div", { class: "frame" }, above, left, plot, controls.element, right, below);
  root.append(frame, list, note);

  /** The part that the values and the view fill; for a picture that is saved, in more or fewer pixels. */
  function paintSheet(dense) {
    const { kind } = frame.dataset;
    const warp = shown.place.warp && turns.drawing(plot, sheet, () => shown && (layOver(), placePins(), paintSheet()));
    if (!warp) turns?.hide();
    if (kind === "map" && !warp) picture ??= createPicture(sheet, () => shown && paintSheet());
    if (picture) picture.canvas.hidden = kind !== "map" || Boolean(warp);
    if (kind === "line") sheet.append(lines);
    else lines.remove();
    if (kind === "map") (warp ?? picture).paint({ ...size, dense }, shown);
    under?.({ ...size, dense }, kind === "map" ? shown : undefined, warp ?? picture);
    if (over && kind === "map") {
      if (sheet.lastElementChild !== over.canvas) sheet.append(over.canvas);
      over.paint({ ...size, dense }, shown);
    }
    if (kind === "line") paintLine(dense);
  }

  let painter; // of lines, loaded with the first

  function paintLine(dense) {
    const { values, look, place, plane: { shown: [one] } } = shown;
    if (painter) return painter(lines, look.second ? [values, look.second] : [values], look.range, { ...one, across: place.across }, dense);
    return import("./lineplot.js").then(({ paintLines }) => ((painter = paintLines), shown && paintSheet()), () => undefined);
  }

  let over; // what is laid over the picture of an image
  let under; // draws the base map

  let ruler; // loaded with the first image

  /** What lies around the picture, and of an image a scale bar. */
  function paintEdges() {
    edges.paint(frame, shown, size);
    const [across, down] = [shown.place.xAxis, shown.place.yAxis].map((axis) => axis?.coordinate?.isCalculated && axis.step && axis.coordinate.attrs.units);
    const isImage = Boolean(across && down && shown.plane.isMap);
    if (isImage) ruler ??= import("./ruler.js").then(({ createRuler }) => createRuler(plot));
    ruler?.then((paint) => shown && paint(shown, isImage), () => (ruler = undefined));
  }

  let chunks = "";
  let coast; // draws the coast, and `net` the graticule, once they are loaded
  let net;

  /** Lays coast, net and marks anew, as something of them has come. */
  function layAnew() {
    if (!shown) return;
    layOver();
    placePins();
    probe.refresh();
  }

  /** The coast of an earth, after the first picture. */
  function coastOf(earth) {
    if (coast?.lines) return coast.lines(shown.place, earth, size);
    coast ??= import("../../earth/coast.js").then(({ createCoast }) => ((coast = createCoast(layAnew)), layAnew()), () => (coast = undefined));
    return "";
  }

  /** The graticule of an earth, or of none. */
  function netOf(earth) {
    if (typeof net === "function") return net(shown.place, earth);
    if (earth) net ??= import("../../earth/graticule.js").then(({ createGraticule }) => ((net = createGraticule(plot)), layAnew()), () => (net = undefined));
    return "";
  }

  /** Lays coast and chunks over the picture, in its own units. */
  function layOver() {
    const { dataset, place, look, plane } = shown;
    const isDrawn = frame.dataset.kind === "map" || frame.dataset.kind === "line";
    const { x, y, width, height } = place.window;
    overlay.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
    frame.classList.toggle("warped", Boolean(place.warp));
    if (place.warp) {
      netOf(undefined);
      return overlay.replaceChildren(...turns.drawing(plot, sheet, () => shown && (layOver(), placePins(), paintSheet())).lines(shown, size));
    }
    const earth = drawnOn(dataset, plane);
    chunks = look.chunks && isDrawn && !plane.strip ? chunkLines(plane, place, size) : "";
    overlay.replaceChildren(earth && look.coast && !look.isFirst ? coastOf(earth) : "", netOf(look.graticule ? earth : undefined), plane.strip ? "" : rects.group, chunks);
  }

  function lay() {
    const { dataset, place, plane, values } = shown;
    frame.dataset.kind = kindOf(dataset, plane, values);
    frame.hidden = frame.dataset.kind === "list";
    list.hidden = !frame.hidden;
    frame.style.setProperty("--aspect", frame.dataset.kind === "scalar" ? 4 : place.aspect);
    scalar.hidden = frame.dataset.kind !== "scalar";
    const cursor = plane.shown.length ? ` Arrow keys move a cursor over the cells, with shift by ten.${onPick ? " Enter picks one." : ""}` : "";
    const zoom = plane.isMap && onLook ? " Plus and minus zoom, zero shows all of it." : "";
    plot.setAttribute("aria-label", `${["Value", "Line plot", "Heat map"][plane.shown.length]} of ${dataset.title}.${cursor}${zoom}`);
  }

  /** Puts the marks on the cells of indices along every axis. */
  function placePins() {
    for (const [nth, pin] of pins.entries()) {
      pin.remove();
      if (!pinned[nth] || !["map", "line"].includes(frame.dataset.kind)) continue;
      const { place } = shown;
      const { cells } = shown.sampleAt([place.rows, place.cols].map((one) => one && pinned[nth][one.axis]));
      for (const [name, n] of Object.entries(boxOf(place, cells))) pin.setAttribute(name, n);
      overlay.append(pin);
    }
    plot.dispatchEvent(new Event("laid")); // for what is laid over it by others
  }

  /** Measures the plot where its size may have changed, as that costs a layout; tells whether it has. */
  function measure() {
    const { width, height } = size;
    const { clientWidth, clientHeight } = plot;
    if (clientWidth && clientHeight) size = { width: clientWidth, height: clientHeight };
    return size.width !== width || size.height !== height;
  }

  new ResizeObserver(() => {
    if (!measure() || !shown) return; // the first notice tells a size that was measured before
    layOver(); // how close chunk boundaries lie is a matter of pixels
    placePins();
    probe.refresh();
    paintSheet();
    paintEdges();
    onResize?.();
  }).observe(plot);

  // Asks for the picture to be drawn at once: a canvas of the GPU can only be read in the same task.
  plot.addEventListener("repaint", ({ detail }) => shown && paintSheet(detail?.dense));

  const sameParts = (a, b) => String(a) === String(b);
  let again; // shows what was shown last, once what it takes is loaded

  return {
    /** What is drawn, with the cell that the cursor is at. */
    get drawn() {
      return shown && { ...shown, cursor: probe.cell };
    },
    /** Draws a plane of values, or what a `scene` has of a map; `look` is what `createPainting` makes of the choices; of a line, `second` is another one's values. */
    show(dataset, plane, values, look, scene) {
      again = () => shown && this.show(dataset, plane, values, look, scene);
      const placed = turns ? turns.placed(makePlace(dataset, plane), dataset, plane, look, () => again()) : makePlace(dataset, plane);
      const axesOf = (one) => [...one.plane.shown.map(({ axis, stop }) => [axis, stop]), one.place.warp?.map.kind].join(";");
      const alike = shown?.dataset === dataset && axesOf(shown) === axesOf({ plane, place: placed }) && Boolean(shown.values.length) === Boolean(values.length);
      const place = placed;
      const partsOf = (one) => [one.place.warp?.key, Object.values(one.place.window), one.look.chunks, one.look.coast, one.look.graticule, one.plane.source.level, one.earth !== undefined];
      const before = shown;
      if (!alike) probe.leave();
      if (shown?.dataset !== dataset) pinned = []; // cells of another array may lie outside of this one
      shown = { dataset, plane, values, place, look, scene, earth: dataset.earth };
      shown.sampleAt = fieldOf(shown);
      if (!alike && place.warp) turns.begin(viewNow());
      const stays = alike && sameParts(partsOf(before), partsOf(shown));
      rects.lay(plane, place);
      if (!alike) lay();
      if (!alike) measure();
      if (note.textContent !== plane.note) note.textContent = plane.note;
      if (frame.dataset.kind === "list") import("./listing.js").then(({ listing }) => shown.values === values && list.replaceChildren(...listing(dataset, plane, values, { onList, onColumns, columns: look.columns })), () => undefined);
      else scalar.textContent = dataset.kind === "none" ? (dataset.refusal ?? `Items of type ${dataset.dtype} are not drawn`) : values.length ? dataset.decoder.words(values.exact?.[0] ?? values[0]) : "This array has no cells";
      frame.classList.remove("unread");
      if (!stays || before.look.isFirst !== look.isFirst) layOver(); // coast lines come after the first picture
      paintSheet();
      if (!stays || (!plane.isMap && !sameParts(before.look.range, look.range))) paintEdges(); // of a map, ticks say places and no values
      controls.update();
      placePins();
      probe.refresh();
    },
    /** Marks how the picture's chunks stand; `plane` may be one that is not drawn yet. */
    states(dataset, plane, stateOf) {
      rects.lay(plane, makePlace(dataset, plane));
      rects.update(stateOf);
    },
    /** Rows and columns of pixels that a map is drawn on. */
    room: () => roomOf(size),
    /** Makes a piece ready to be drawn with a look. */
    prepare: (piece, look) => picture?.prepare(piece, look),
    /** Lets go of what was made of a piece. */
    drop(piece) {
      picture?.drop(piece);
      turns?.drop(piece);
    },
    /** Puts marks on a cell and a second one, or takes them away. */
    mark(...cells) {
      pinned = cells;
      placePins();
    },
    /** Lays what is in a layer `{ canvas, paint(box, shown), wordsAt(cell) }` over the picture, or undefined for nothing. */
    over(layer) {
      if (over !== layer) over?.canvas.remove();
      over = layer;
      if (!shown) return;
      paintSheet();
      probe.refresh();
    },
    /** Has a base map drawn under the pictures, by `paint(box, shown, picture)`, in which nothing is shown but maps. */
    under(paint) {
      under = paint;
      if (shown) paintSheet();
    },
    /** The step could not be read: nothing is left standing under its name. */
    clear() {
      frame.classList.add("unread");
      probe.leave();
      if (!shown) return;
      shown.scene?.clear();
      shown.values = shown.values.map(() => NaN);
      if (frame.dataset.kind !== "line") return paintSheet();
      lines.getContext("2d").clearRect(0, 0, lines.width, lines.height);
    },
  };
}
