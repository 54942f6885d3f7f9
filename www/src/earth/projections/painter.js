// Paints the pieces of a map in a projection: on the GPU, or where there is none on a canvas of fewer pixels.
import { geoRotation } from "d3-geo";
import { el } from "../../dom.js";
import { roomOf } from "../../map/picture.js";
import { canvasOfPiece } from "../../map/raster.js";
import { createGpuPainter, texture } from "../../map/webgl.js";
import { vectorOf } from "../vectors.js";
import { FRAGMENT, NAMES } from "./shader.js";

const MOST_PIXELS = 300_000; // that the processor calculates the places of

/** The raw projection's frame of a picture, and the turn from its own angles to the Earth's, by columns. */
export function uniformsOf({ width, height, scale, shift, rotate }) {
  const { invert } = geoRotation(rotate);
  return {
    frame: [-shift[0] / scale, shift[1] / scale, width / scale, -height / scale],
    turn: [[0, 0], [90, 0], [0, 90]].flatMap((place) => vectorOf(invert(place))),
  };
}

/** Rows and columns of the grid at the pixels of a picture, NaN beside it. */
function cellsOf(map, { cellOf }, [rows, columns]) {
  const cells = new Float32Array(2 * rows * columns).fill(NaN);
  for (let n = 0; n < rows * columns; n++) {
    const place = map.inverse([((n % columns) + 0.5) / columns, (Math.floor(n / columns) + 0.5) / rows]);
    const cell = place && cellOf(place);
    if (cell) cells.set(cell, 2 * n);
  }
  return cells;
}

/** A piece of the picture's own pixels, with the values of the pieces of the grid; the last ones lie on top. */
export function resampled(pieces, cells, [rows, columns]) {
  const layersIn = (piece) => piece.layers ?? [piece];
  const count = Math.max(0, ...pieces.map((piece) => layersIn(piece).length));
  const layers = Array.from({ length: count }, (_, nth) => ({ ...layersIn(pieces[0])[nth], counts: [rows, columns], values: new Float64Array(rows * columns).fill(NaN) }));
  for (const piece of pieces) {
    const [[top, bottom], [left, right]] = piece.box;
    const [tall, wide] = piece.counts;
    const sources = layersIn(piece).map(({ values }) => values);
    for (let n = 0; n < rows * columns; n++) {
      const [row, column] = [cells[2 * n], cells[2 * n + 1]];
      if (!(row >= top && row < bottom && column >= left && column < right)) continue;
      const at = Math.min(tall - 1, Math.floor(((row - top) / (bottom - top)) * tall)) * wide + Math.min(wide - 1, Math.floor(((column - left) / (right - left)) * wide));
      for (const [nth, values] of sources.entries()) layers[nth].values[n] = values[at];
    }
  }
  return count ? { ...layers[0], layers: pieces[0].layers && layers } : undefined;
}

/** `host` is the element that the canvas fills; `onLost()` hears when the picture has to be drawn again. */
export function createMapPainter(host, onLost) {
  let canvas = el("canvas", { "aria-hidden": "true" });
  let now; // { map, grid, uniforms } of the picture that is painted
  const tables = new Map(); // grid -> textures of its tables
  let kept; // cells of the last picture that the processor calculated

  const table = (gl, { values }) => texture(gl, [1, values.length], [gl.R32F, gl.RED, gl.FLOAT], values);

  function before(gl, uniform) {
    const { map, grid, uniforms } = now;
    if (!tables.has(grid)) {
      tables.forEach((list) => list.forEach((one) => gl.deleteTexture(one)));
      tables.clear();
      tables.set(grid, [table(gl, grid.rows), table(gl, grid.columns)]);
    }
    for (const [nth, one] of tables.get(grid).entries()) {
      gl.activeTexture(gl.TEXTURE2 + nth);
      gl.bindTexture(gl.TEXTURE_2D, one);
      gl.uniform1i([uniform.rows, uniform.columns][nth], 2 + nth);
    }
    gl.activeTexture(gl.TEXTURE0); // textures that are made from here on leave the tables where they are bound
    gl.uniform1i(uniform.projection, map.number);
    gl.uniform4f(uniform.frame, ...uniforms.frame);
    gl.uniformMatrix3fv(uniform.turn, false, uniforms.turn);
    gl.uniform2f(uniform.size, grid.height, grid.width);
    gl.uniform1f(uniform.west, grid.west);
  }

  const each = (gl, uniform, { box: [rows, columns] }) => gl.uniform4f(uniform.box, ...rows, ...columns);
  let gpu = createGpuPainter(canvas, () => {
    gpu = undefined;
    canvas.remove();
    canvas = el("canvas", { "aria-hidden": "true" });
    onLost();
  }, { fragment: FRAGMENT, names: NAMES, before, each });

  /** Paints on a canvas with the pixels that a processor is quick with. */
  function paintSlowly(pieces, look, [rows, columns], key) {
    const times = Math.min(1, Math.sqrt(MOST_PIXELS / (rows * columns)));
    const size = [rows, columns].map((n) => Math.max(1, Math.round(n * times)));
    const name = `${key};${size}`;
    if (kept?.name !== name || kept.grid !== now.grid) kept = { name, grid: now.grid, cells: cellsOf(now.map, now.grid, size) };
    Object.assign(canvas, { width: size[1], height: size[0] });
    const piece = resampled(pieces, kept.cells, size);
    if (piece) canvas.getContext("2d").drawImage(canvasOfPiece(piece, look), 0, 0);
  }

  return {
    get canvas() {
      return canvas;
    },
    /** Paints the pieces that a scene draws of a grid, in a map; `key` names it. */
    paint(box, pieces, look, { map, grid, key }) {
      now = { map, grid, uniforms: uniformsOf(map) };
      const [height, width] = roomOf(box);
      canvas.dataset.painter = gpu?.kind ?? "canvas";
      host.append(canvas);
      if (gpu) gpu.paint(pieces, () => [0, 0, 1, 1], look, { width, height });
      else paintSlowly(pieces, look, [height, width], key);
    },
    drop: (piece) => gpu?.drop(piece),
  };
}
