// Draws pieces of a plane on a canvas without a GPU: each is coloured once for a range, and then laid where it belongs.
import { colouring, opaque } from "../model/colormap.js";
import { layersOf } from "../reading/layers.js";
import { scaleOf } from "../reading/scale.js";

const MOST_SPARE = 16;
const wordsByName = new WeakMap(); // by the table of a colour map

/** Colours as words of RGBA in the order of the machine. */
function wordsOf(table) {
  if (!wordsByName.has(table)) wordsByName.set(table, new Uint32Array(opaque(table).buffer));
  return wordsByName.get(table);
}

/** Colours values, of which those without data stay transparent. */
function colour(pixels, values, low, span, words) {
  for (let i = 0; i < pixels.length; i++) {
    const part = ((values[i] - low) / span) * 256;
    if (part >= 0) pixels[i] = words[part < 256 ? part | 0 : 255];
    else if (part < 0) pixels[i] = words[0];
  }
}

/** A canvas of a piece, one pixel a sample. */
function coloured({ values, counts: [rows, cols] }, look, canvas = new OffscreenCanvas(cols, rows)) {
  const context = canvas.getContext("2d");
  const image = new ImageData(cols, rows);
  const pixels = new Uint32Array(image.data.buffer);
  const { table, entry } = colouring(look);
  const { kind, low, high } = scaleOf(look);
  const words = wordsOf(table);
  if (look.isNamed || kind !== "linear") values.forEach((v, i) => Number.isNaN(v) || (pixels[i] = words[entry(v)]));
  else colour(pixels, values, low, high - low, words);
  context.putImageData(image, 0, 0);
  return canvas;
}

/** The canvas of a piece that has channels, whose colours are added up. */
function stacked({ counts: [rows, cols] }, layers, canvas = new OffscreenCanvas(cols, rows)) {
  const context = canvas.getContext("2d");
  context.clearRect(0, 0, cols, rows);
  context.globalCompositeOperation = "lighter";
  for (const layer of layers) context.drawImage(coloured(...layer), 0, 0);
  context.globalCompositeOperation = "source-over";
  return canvas;
}

/** A canvas of a piece in a look, one pixel a sample. */
export const canvasOfPiece = (piece, look, old) => (piece.layers ? stacked(piece, layersOf(piece, look), old) : coloured(piece, look, old));

/** All of a look that its colours depend on, as a text. */
const nameOf = ({ isNamed, range, scale, colourMap }) => (isNamed ? "named" : `${range};${scale};${colourMap}`);

/** A painter on a canvas; `colourPiece(piece, look, old)` gives the canvas of a piece, or makes it on an old one. */
export function createRaster(canvas, colourPiece = canvasOfPiece) {
  const context = canvas.getContext("2d");
  const made = new Map(); // piece -> { look, canvas }
  const spare = []; // canvases of pieces that went

  function canvasOf(piece, how) {
    const layers = layersOf(piece, how);
    const look = layers.map(([{ channel }, own]) => `${channel}:${nameOf(own)}`).join();
    if (made.get(piece)?.look !== look) {
      const [rows, cols] = piece.counts;
      const nth = spare.findIndex(({ width, height }) => width === cols && height === rows);
      const old = made.get(piece)?.canvas ?? (nth < 0 ? undefined : spare.splice(nth, 1)[0]);
      made.set(piece, { look, canvas: colourPiece(piece, how, old) });
    }
    return made.get(piece).canvas;
  }

  /** Lays pieces so that neighbours meet at whole pixels. */
  function lay(pieces, placeOf, look, width, height) {
    Object.assign(canvas, { width, height });
    context.imageSmoothingEnabled = false;
    context.globalAlpha = look.opacity ?? 1;
    for (const piece of pieces) {
      const [left, top, right, bottom] = placeOf(piece).map((part, i) => Math.round(part * (i % 2 ? height : width)));
      if (Math.max(left, right) <= 0 || Math.min(left, right) >= width || Math.max(top, bottom) <= 0 || Math.min(top, bottom) >= height) continue; // it is coloured once it comes into view
      context.setTransform(right < left ? -1 : 1, 0, 0, bottom < top ? -1 : 1, left, top);
      context.drawImage(canvasOf(piece, look), 0, 0, Math.abs(right - left), Math.abs(bottom - top));
    }
    context.resetTransform();
  }

  return {
    kind: "canvas",
    /** As the painter on the GPU; `samples` is `[rows, columns]` of the whole plane where it is in view, else undefined. */
    paint(pieces, placeOf, look, { width, height, samples, overhang }) {
      if (!samples) {
        Object.assign(canvas.style, { width: "100%", height: "100%", left: "0", top: "0" });
        return lay(pieces, placeOf, look, width, height);
      }
      // One pixel a sample, which the browser enlarges: whole samples may reach past the last cell, outside of the plot.
      const { left, top, right, bottom } = overhang;
      Object.assign(canvas.style, { left: `${left * 100}%`, top: `${top * 100}%`, width: `${(right - left) * 100}%`, height: `${(bottom - top) * 100}%` });
      const inside = (piece) => {
        const [x1, y1, x2, y2] = placeOf(piece);
        return [(x1 - left) / (right - left), (y1 - top) / (bottom - top), (x2 - left) / (right - left), (y2 - top) / (bottom - top)];
      };
      lay(pieces, inside, look, samples[1], samples[0]);
    },
    prepare: canvasOf,
    drop(piece) {
      if (made.has(piece) && spare.push(made.get(piece).canvas) > MOST_SPARE) spare.shift();
      made.delete(piece);
    },
  };
}
