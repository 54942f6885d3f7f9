// Says which part of a plane is in view: its centre in cells of the array, and how many times it is enlarged.

const LEAST_CELLS = 8; // of the longer axis, in view at the greatest zoom

/** The whole plane of `[rows, columns]`. */
export const wholeOf = (size) => ({ centre: size.map((n) => n / 2), zoom: 1 });

/** The nearest view that shows nothing outside of the plane. */
export function clampView({ centre, zoom }, size) {
  const times = Math.min(Math.max(1, zoom), Math.max(1, Math.max(...size) / LEAST_CELLS));
  return { zoom: times, centre: centre.map((at, i) => Math.min(size[i] * (1 - 0.5 / times), Math.max((size[i] * 0.5) / times, at))) };
}

/** From where to where the view reaches along each axis, in cells. */
export const windowOf = ({ centre, zoom }, size) => centre.map((at, i) => [at - (size[i] * 0.5) / zoom, at + (size[i] * 0.5) / zoom]);

/** The view enlarged by a factor, with a place of the plane staying where it is in the picture. */
export function zoomed(view, size, factor, fixed = view.centre) {
  const { zoom } = clampView({ ...view, zoom: view.zoom * factor }, size);
  const part = view.zoom / zoom;
  return clampView({ zoom, centre: view.centre.map((at, i) => fixed[i] + (at - fixed[i]) * part) }, size);
}

/** The view moved by numbers of cells. */
export const moved = (view, size, by) => clampView({ ...view, centre: view.centre.map((at, i) => at + by[i]) }, size);

/** The view moved as little as brings a place inside it, with room around. */
export function following(view, size, at) {
  const within = 0.4 / view.zoom;
  const centre = view.centre.map((middle, i) => Math.min(at[i] + within * size[i], Math.max(at[i] - within * size[i], middle)));
  return clampView({ ...view, centre }, size);
}

/** `[row, column, zoom]` in no more figures than a picture shows. */
function numbersOf({ centre, zoom }, size) {
  const places = Math.max(0, Math.ceil(Math.log10((zoom * 2000) / Math.max(...size))));
  return [...centre.map((at) => Number(at.toFixed(places))), Number(zoom.toPrecision(4))];
}

/** `[row, column, zoom]` for a link; undefined for the view that the map opens with, `start`, which is the whole unless another is given. */
export function linkedView(view, size, start = wholeOf(size)) {
  const numbers = numbersOf(view, size);
  return String(numbers) === String(numbersOf(clampView(start, size), size)) ? undefined : numbers;
}

/** The view that a link's numbers mean; that which the map opens with where they make no sense. */
export function viewOf(numbers, size, start = wholeOf(size)) {
  if (numbers?.length !== 3 || !numbers.every(Number.isFinite) || numbers[2] < 1) return clampView(start, size);
  return clampView({ centre: numbers.slice(0, 2), zoom: numbers[2] }, size);
}
