// The picture of a map: a canvas that draws what a scene has of the view, on the GPU where there is one.
import { el } from "../dom.js";
import { createRaster } from "./raster.js";
import { createGpuPainter } from "./webgl.js";

const MOST_DENSE = 2; // pixels of the canvas for one of the style sheet's

/** Pixels of an element that are worth drawing: rows and columns. `dense` is how many of them one of the style sheet's has. */
export function roomOf({ width, height, dense = Math.min(MOST_DENSE, devicePixelRatio || 1) }) {
  return [height || 300, width || 600].map((n) => Math.max(1, Math.round(n * dense)));
}

/** Edges of a rectangle of cells in the picture, as parts of it: left, top, right, bottom. */
export const partOf = (place, [rows, cols]) => {
  const { x, y, width, height } = place.window;
  return [[place.x(cols[0]) - x, width], [place.y(rows[0]) - y, height], [place.x(cols[1]) - x, width], [place.y(rows[1]) - y, height]].map(([at, whole]) => at / whole);
};

/** `host` is the element that the canvas fills; `onLost()` hears when the picture has to be drawn again. */
export function createPicture(host, onLost) {
  let canvas;
  let painter;

  function begin(byGpu) {
    canvas?.remove();
    canvas = el("canvas", { "aria-hidden": "true" });
    painter = byGpu && createGpuPainter(canvas, () => {
      begin(false);
      onLost();
    });
    if (byGpu && !painter) return begin(false);
    painter ||= createRaster(canvas);
    canvas.dataset.painter = painter.kind;
    host.append(canvas);
  }
  begin(true);

  return {
    get canvas() {
      return canvas;
    },
    paint(box, { plane, place, look, scene }) {
      const [height, width] = roomOf(box);
      const size = { width, height };
      if (plane.view.zoom === 1 && plane.fits !== false) { // tiles are finer than samples that lie apart
        size.samples = plane.shown.map(({ count }) => count);
        const ends = plane.shown.map(({ count, step }, i) => [plane.source.offset[i], plane.source.offset[i] + count * step]);
        const [left, top, right, bottom] = partOf(place, ends);
        size.overhang = { left: Math.min(left, right), right: Math.max(left, right), top: Math.min(top, bottom), bottom: Math.max(top, bottom) };
      }
      painter.paint(scene.drawn(), (piece) => partOf(place, piece.box), look, size);
    },
    /** Makes a piece ready to be drawn with a look. */
    prepare: (piece, look) => painter.prepare(piece, look),
    drop: (piece) => painter.drop(piece),
  };
}
