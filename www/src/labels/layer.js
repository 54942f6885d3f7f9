// The labels of an image as a layer over its picture: read like a map of their own, laid where the image has them.
import { planMap } from "../map/plan.js";
import { partOf, roomOf } from "../map/picture.js";
import { createRaster } from "../map/raster.js";
import { createScene } from "../map/scene.js";
import { windowOf } from "../map/view.js";
import { el } from "../dom.js";
import { placeIn } from "../model/levels.js";
import { aboutLabels } from "./find.js";

/** From where and how large the cells of labels are in those of the image, along the axes that are drawn. */
function placeOver(labels, image, axes, drawn) {
  const order = [axes, axes.toReversed()].findIndex((each) => String(each) === String(image.usual));
  const isPlaced = order >= 0 && labels.isPlaced && image.isPlaced; // else both cover the same
  const placed = isPlaced ? placeIn(labels.georeference.transform, image.georeference.transform) : undefined;
  if (placed) return order ? { scale: placed.scale.toReversed(), offset: placed.offset.toReversed() } : placed;
  return { scale: axes.map((d, i) => image.shape[d] / labels.shape[drawn[i]]), offset: [0, 0] };
}

/**
 * The labels as `planMap` takes them, in cells of the image along the axes that the image is drawn along, and the position
 * along all axes of an index of the image: `{ dataset, axes, indexAt(index) }`. Undefined where the labels have not these axes.
 */
export function overImage(labels, image, drawn) {
  const names = image.axes.map(({ name }) => name);
  const ofImage = labels.axes.map(({ name }) => names.indexOf(name));
  const axes = drawn.map((d) => ofImage.indexOf(d));
  if (axes.includes(-1)) return undefined;
  const { scale, offset } = placeOver(labels, image, drawn, axes);
  const sources = labels.sources.map((source) => ({
    ...source, scale: source.scale.map((n, i) => n * scale[i]), offset: source.offset.map((n, i) => offset[i] + n * scale[i]),
  }));
  const shape = labels.shape.map((size, d) => (ofImage[d] < 0 ? size : image.shape[ofImage[d]]));
  return { dataset: { ...labels, shape, sources }, axes, indexAt: (index) => ofImage.map((d) => (d < 0 ? 0 : index[d])) };
}

/** Whether any of the labels is in view. */
function isInView({ dataset: { sources: [own] }, axes }, view, size) {
  return windowOf(view, size).every(([from, to], i) => to > own.offset[i] && from < own.offset[i] + own.scale[i] * own.shape[axes[i]]);
}

/** A canvas of a piece of labels, one pixel a sample. */
function colouredBy(colourOf) {
  const known = new Map(); // label -> its colour
  return ({ values, counts: [rows, cols] }, look, canvas = new OffscreenCanvas(cols, rows)) => {
    const image = new ImageData(cols, rows);
    values.forEach((v, i) => {
      if (Number.isNaN(v)) return;
      if (!known.has(v)) known.set(v, colourOf(v));
      image.data.set(known.get(v), i * 4);
    });
    canvas.getContext("2d").putImageData(image, 0, 0);
    return canvas;
  };
}

/**
 * A layer of the labels in `dataset`, which have a `name` and `attrs`. `onChange()` hears when there is more to draw,
 * `onFault(error)` of labels that cannot be read.
 */
export function createLayer({ dataset, name, attrs }, { onChange, onFault }) {
  const canvas = el("canvas", { class: "labels", "aria-hidden": "true" });
  const { colourOf, wordsOf } = aboutLabels(attrs);
  const raster = createRaster(canvas, colouredBy(colourOf));
  const scene = createScene({ onPiece: onChange, onDrop: raster.drop, prepare() {} });
  let plan;
  const keysOf = ({ pieces }) => `${pieces.map(({ key }) => key)}`;
  const isNow = (piece) => piece.at === plan?.at;

  return {
    canvas,
    opacity: 0.5,
    /** Reads what the view of the image's `state` shows of them, and is not here yet. */
    follow(state, room) {
      const over = state.plane.isMap ? overImage(dataset, state.dataset, state.axes) : undefined;
      const size = state.axes.map((d) => state.dataset.shape[d]);
      if (!over || !isInView(over, state.view, size)) {
        plan = undefined;
        return onChange();
      }
      const next = planMap(over.dataset, over.indexAt(state.index), over.axes, state.view, room);
      const stays = plan && keysOf(plan) === keysOf(next);
      plan = next;
      if (stays) return;
      scene.load(next).then(onChange, (error) => plan === next && onFault(error));
    },
    /** Draws what is here of them over a picture. */
    paint(box, { place }) {
      const [height, width] = roomOf(box);
      canvas.hidden = !plan || Boolean(place.warp);
      if (!canvas.hidden) raster.paint(scene.drawn().filter(isNow), (piece) => partOf(place, piece.box), { isNamed: true, opacity: this.opacity }, { width, height });
    },
    /** The label at a cell `[row, column]` of the image in words, or "". */
    wordsAt(cell) {
      const words = plan && scene.drawn().some(isNow) ? wordsOf(scene.sampleAt(cell)?.value) : "";
      return words && `${name} ${words}`;
    },
    free() {
      plan = undefined;
      scene.clear();
      canvas.remove();
      dataset.free();
    },
  };
}
