// Draws a base map under a picture: coarsely at once while the picture moves, finely from the tiles of its view once it stands.
import { el } from "../dom.js";
import { drawnOn } from "../earth/degrees.js";
import { nextTask } from "../map/next-task.js";
import { roomOf } from "../map/picture.js";
import { drawingOf } from "./drawing.js";
import { pitchOf, placesOf } from "./places.js";
import { chosenFor, createTiles } from "./tiles.js";

const STILL = 150; // ms without a move, until tiles are asked for
const SLICE = 6; // ms of work before the page may answer
const COARSE = 0.5; // pixels for one of the style sheet's, while the picture moves

/** What a generator returns, at once. */
function atOnce(steps) {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

/** What a generator returns, in tasks between which the page may answer; undefined once it is not wanted any more. */
async function inTurns(steps, isWanted) {
  let began = performance.now();
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value;
    if (performance.now() - began < SLICE) continue;
    await nextTask();
    if (!isWanted()) return undefined;
    began = performance.now();
  }
}

const gaps = new WeakMap(); // piece -> whether cells of it have no data

function hasGaps(piece) {
  if (!gaps.has(piece)) gaps.set(piece, (piece.layers ?? [piece]).some(({ values }) => values.some(Number.isNaN)));
  return gaps.get(piece);
}

/** Whether anything of the map is seen: beneath data that let it through, where there are none, or beside a grid in a projection. */
function isSeen({ scene, place: { warp } }, opacity) {
  if (opacity < 1) return true;
  if (scene.drawn().some(hasGaps)) return true;
  const isBeside = ([u, v]) => {
    const at = warp.map.inverse([u, v]);
    return at && !warp.grid.cellOf(at);
  };
  return Boolean(warp) && Array.from({ length: 289 }, (_, n) => [((n % 17) + 0.5) / 17, (Math.floor(n / 17) + 0.5) / 17]).some(isBeside);
}

/** All that the places of a picture depend on, as a text. */
const keyOf = ({ dataset, place: { warp, window, flipX, flipY } }, size) => [dataset.path, warp?.key ?? Object.values(window), flipX, flipY, size].join(";");

/** A layer of a `basemap`; `onChange(counts)` hears how many of a view's tiles are here, and `onShow(isShown)` whether any is drawn. */
export function createLayer(basemap, { onChange, onShow }) {
  const canvas = el("canvas", { class: "basemap", "aria-hidden": "true", hidden: true });
  const tiles = createTiles(basemap, () => stand && redraw());
  let drawn; // { key, earth } of what the canvas has
  let stand; // of the view that stands: { key, earth, size, blocks, chosen }, and its `image`
  let taken; // of the last picture that was taken along: { key, earth, image }
  let timer;
  let turn = 0;
  let redrawing = false;
  let isDue = false;

  function put({ image, key, earth }) {
    Object.assign(canvas, { width: image.width, height: image.height });
    canvas.getContext("2d").putImageData(image, 0, 0);
    drawn = { key, earth };
  }

  const chosenOf = (blocks, size, dense) => {
    const pitch = pitchOf(blocks);
    return pitch ? chosenFor(blocks, pitch * dense, size, basemap) : { z: basemap.minzoom, numbers: [] };
  };

  /** A picture from the tiles that are here, at once. */
  function drawnNow(shown, earth, size, dense, key) {
    const blocks = atOnce(placesOf(shown.place, earth, size));
    return { key, earth, image: atOnce(drawingOf(blocks, chosenOf(blocks, size, dense).z, tiles, size)) };
  }

  /** Draws a view that stands, finely, and asks for its tiles. */
  async function settle(shown, earth, size, dense, key) {
    const own = ++turn;
    stand = undefined;
    const blocks = await inTurns(placesOf(shown.place, earth, size), () => own === turn);
    if (!blocks) return;
    stand = { key, earth, size, blocks, chosen: chosenOf(blocks, size, dense) };
    tiles.want(stand.chosen);
    await redraw();
  }

  /** Draws the view that stands anew, as more tiles came; what comes meanwhile is drawn after it. */
  async function redraw() {
    isDue = true;
    if (redrawing) return;
    redrawing = true;
    while (isDue && stand) {
      isDue = false;
      const mine = stand;
      const image = await inTurns(drawingOf(mine.blocks, mine.chosen.z, tiles, mine.size), () => stand === mine);
      if (!image || stand !== mine) continue;
      mine.image = image;
      put(mine);
      const counts = tiles.count(mine.chosen);
      canvas.dataset.tiles = `${counts.here}/${mine.chosen.numbers.length}`;
      onChange(counts);
      onShow(counts.isAny);
    }
    redrawing = false;
  }

  function hide() {
    clearTimeout(timer);
    turn++;
    stand = drawn = taken = undefined;
    tiles.rest();
    canvas.hidden = true;
    onShow(false);
  }

  return {
    canvas,
    /** Draws the map under what is `shown` of a map of the Earth, which covers it by `opacity`; under others nothing. */
    paint(box, shown, opacity) {
      const earth = shown && drawnOn(shown.dataset, shown.plane);
      if (!earth?.toDegrees || shown.look.isFirst || !isSeen(shown, opacity)) return canvas.hidden || hide();
      canvas.hidden = false;
      const { dense } = box;
      const size = roomOf(box);
      const key = keyOf(shown, size);
      if (drawn?.key === key && drawn.earth === earth) return undefined;
      const isOf = (one) => one?.key === key && one.earth === earth && one.image;
      if (dense) return put(isOf(taken) ? taken : (taken = drawnNow(shown, earth, size, dense, key)));
      clearTimeout(timer);
      if (isOf(stand)) return put(stand); // after such a picture
      taken = stand = undefined;
      turn++;
      put(drawnNow(shown, earth, roomOf({ ...box, dense: COARSE }), COARSE, key));
      timer = setTimeout(() => settle(shown, earth, size, size[1] / box.width, key), STILL);
      return undefined;
    },
    hide,
  };
}
