// Composes the pictures that are saved: a title, the picture with its axes, and the legend, each as it is on the page.
import { createCanvasPen } from "./canvas-pen.js";
import { createSheet } from "./sheet.js";
import { createSvgPen } from "./svg-pen.js";

const MARGIN = 20;
const GAP = 10;

const find = (selector) => document.querySelector(selector);
const words = (selector) => [...document.querySelectorAll(selector)].map(({ textContent }) => textContent).filter(Boolean).join(", ");

const MOST_PIXELS = 6e7; // that a browser makes a picture of

/** Stacks texts and elements of the page, `[text, size, weight]` or an element; gives the pen of a PNG, `wide` pixels wide or as dense as the screen, or of an SVG whose pictures are. */
async function stack(items, wide, isVector) {
  const shown = items.filter((item) => (Array.isArray(item) ? item[0] : item?.checkVisibility()));
  const width = Math.max(320, ...shown.map((item) => (Array.isArray(item) ? 0 : item.getBoundingClientRect().width)));
  const scale = wide ? wide / (width + 2 * MARGIN) : Math.max(1, devicePixelRatio || 1);
  const pen = isVector ? createSvgPen() : createCanvasPen(scale);
  const sheet = createSheet(width + 2 * MARGIN, pen, scale);
  let y = MARGIN;
  const laid = shown.map((item) => {
    const at = y;
    y += GAP + (Array.isArray(item) ? sheet.measure(item, width) : item.getBoundingClientRect().height);
    return { item, at };
  });
  if ((width + 2 * MARGIN) * (y - GAP + MARGIN) * scale ** 2 > MOST_PIXELS) throw new RangeError(`it would have more than ${MOST_PIXELS / 1e6} million pixels; ask for a smaller width`);
  sheet.begin(y - GAP + MARGIN);
  await sheet.draw(laid.filter(({ item }) => !Array.isArray(item)).map(({ item, at }) => ({ element: item, x: MARGIN, y: at })));
  for (const { item, at } of laid.filter((one) => Array.isArray(one.item))) sheet.write(item, MARGIN, at, width);
  return pen;
}

/** The picture, that beside it too, and the legend. */
const ofPicture = () => [
  [find("#title").textContent, 20, 600], [words("#axes .axis:not([hidden]) .now"), 14, 400],
  [words(".version-here"), 13, 600], find("#figure .frame"),
  [words("#beside h2"), 13, 600], find("#beside .frame"),
  find("#legend .flags"), find("#legend .no-data"),
];

const file = (pen) => pen.file();

export const pngOfPicture = (wide) => stack(ofPicture(), wide).then(file);
export const svgOfPicture = (wide) => stack(ofPicture(), wide, true).then(file);
/** The same picture on a canvas, for a frame of a film. */
export const canvasOfPicture = (wide) => stack(ofPicture(), wide).then(({ canvas }) => canvas);

/** The line through a cell. */
const ofLine = () => [
  [find("#title").textContent, 20, 600], [words("#series h2"), 14, 400], [words("#series .total"), 13, 400], find("#series .frame"),
];

export const pngOfLine = (wide) => stack(ofLine(), wide).then(file);
export const svgOfLine = (wide) => stack(ofLine(), wide, true).then(file);
