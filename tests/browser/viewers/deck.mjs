/** deck.gl as npm has it, with a bitmap for each part of a map, and what a test of it looks at. */
import { Deck, OrthographicView } from "@deck.gl/core";
import { BitmapLayer } from "@deck.gl/layers";

/** Pixels to a cell of the map. */
const CELL = 4;

/** A part as a picture: whole numbers below 65536 in red and green, and blue over everything that came. */
function bitmapOf({ data, start, stop }) {
  const [[top, left], [bottom, right]] = [start, stop];
  const pixels = new Uint8ClampedArray(4 * data.length);
  data.forEach((value, nth) => pixels.set([value & 255, value >> 8, 255, 255], 4 * nth));
  return new BitmapLayer({
    id: `${top}-${left}`,
    image: new ImageData(pixels, right - left, bottom - top),
    bounds: [left, bottom, right, top],
    textureParameters: { minFilter: "nearest", magFilter: "nearest" },
  });
}

/** Draws parts of a map of so many rows and columns as they come; `values` gives what is seen at cells, null where nothing is. */
export async function drawn(parts, [rows, columns]) {
  const canvas = document.body.appendChild(document.createElement("canvas"));
  Object.assign(canvas, { width: columns * CELL, height: rows * CELL });
  Object.assign(canvas.style, { width: `${columns * CELL}px`, height: `${rows * CELL}px` });
  const seen = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
  let frames = 0;
  const deck = new Deck({
    canvas,
    width: canvas.width,
    height: canvas.height,
    useDevicePixels: false,
    views: new OrthographicView(),
    initialViewState: { target: [columns / 2, rows / 2], zoom: Math.log2(CELL) },
    onAfterRender() {
      seen.clearRect(0, 0, canvas.width, canvas.height);
      seen.drawImage(canvas, 0, 0);
      frames += 1;
    },
  });
  const layers = [];
  let error = null;
  try {
    for await (const part of parts) {
      layers.push(bitmapOf(part));
      deck.setProps({ layers: [...layers] });
    }
  } catch (thrown) {
    error = String(thrown);
  }
  const valueAt = ([row, column]) => {
    const [red, green, blue] = seen.getImageData((column + 0.5) * CELL, (row + 0.5) * CELL, 1, 1).data;
    return blue === 255 ? red + 256 * green : null;
  };
  /** Waits until all is drawn that came, at most fifty seconds. */
  const end = Date.now() + 50_000;
  const isDrawn = () => layers.every(({ props: { bounds: [left, , , top] } }) => valueAt([top, left]) !== null);
  while (Date.now() < end && (frames === 0 || !isDrawn())) {
    deck.redraw("looked at");
    await new Promise((done) => setTimeout(done, 50));
  }
  const close = () => {
    deck.finalize();
    canvas.remove();
  };
  return { error, parts: layers.length, values: (cells) => cells.map(valueAt), close };
}
