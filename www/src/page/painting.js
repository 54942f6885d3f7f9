// Shows the explorer's state: the picture, its legend, the controls of the axes, and how the chunks stand.
import { framed } from "../dom.js";
import { drawnOn } from "../earth/degrees.js";
import { isCentredBy, isDiverging, loadColours, robustRange, usualColours } from "../model/colormap.js";
import { positionOf } from "../model/position.js";
import { aroundZero } from "../reading/range.js";
import { merged, valuesOf } from "../map/scene.js";
import { spanOf, spanOfChannel } from "../reading/span.js";
import { createStrip, stateKey } from "../view/axes/strip.js";
import { kindOf } from "../view/figure/figure.js";
import { $, view } from "./elements.js";

const BETWEEN_STATES = 100; // ms: of hundreds of chunks, one comes with each frame

/** `look` holds the choices of how pictures look, and `under`, once a base map is here, what draws it under another figure; `seek(axis, index)` goes to a position of an axis. */
export function createPainting({ explorer, parts, player, look, seek }) {
  let strips = new Map(); // axis -> strip
  const key = stateKey(); // to the colours of chunks, in the first strip
  const shownStrips = () => [...strips].filter(([, { element }]) => !element.hidden);
  let isDrawn = false; // the step that the state is at
  let isFirst = true; // until a picture was drawn: what can come after it is not loaded yet

  /** The range of the values of all pictures that are drawn, and of all steps that were unless each has its own; with another one for the first where one was found. */
  const rangeNow = (found = explorer.state.found) => explorer.range(merged(look.each ? found : spanOf(explorer.state, found), parts.history.found()), isCentredBy(explorer.state, look));

  let coming; // colours that are loaded

  /** The colours that are chosen, once they are here; undefined where none are. */
  function coloursNow() {
    const loading = look.colourMap === coming ? true : look.colourMap && loadColours(look.colourMap);
    if (!loading) return look.colourMap;
    if (loading !== true) {
      coming = look.colourMap;
      const come = () => ((coming = undefined), explorer.state && paint());
      loading.then(come, () => (look.colourMap = undefined, come())); // a page that is offline by then has the usual ones
    }
    return undefined;
  }

  /** How the picture looks, with the range of its values or another one that was found. */
  function lookNow(found) {
    const { dataset, plane, composite, against, scene, isCentred } = explorer.state;
    const { flags, flagColours } = dataset.decoder;
    const range = rangeNow(found);
    const channelRange = (channel) => merged(look.each ? scene.rangeOf(channel) : spanOfChannel(explorer.state, channel), parts.history.rangeOf(channel));
    const difference = plane.join === "difference";
    const chosen = coloursNow();
    const colourMap = difference && !isDiverging(chosen) ? usualColours(true) : (chosen ?? usualColours(isCentred));
    return { ...look, isFirst, colourMap, labels: dataset.decoder.labels, isNamed: Boolean(flags || dataset.isLabels), range: range ?? [0, 1], isEmpty: !range, flags, flagColours, difference, words: against?.words, channels: composite?.looks(channelRange) };
  }

  /** Something else was opened: the controls of the axes that stand there do nothing any more. */
  function leave() {
    strips = new Map();
    isDrawn = false;
    $("axes").inert = true;
  }

  /** The controls of the axes that are stepped along. */
  function layAxes() {
    isDrawn = false;
    const { dataset } = explorer.state;
    const isLong = (d) => Number(dataset.shape[d] > 1);
    const axes = dataset.shape.includes(0) ? [] : explorer.stepped().toSorted((a, b) => isLong(b) - isLong(a)); // what can be stepped before what only says where it stands
    strips = new Map(axes.map((d) => [d, createStrip(dataset, d, { index: explorer.state.index[d], onSeek: (at) => seek(d, at), onPlay: () => player.toggle(d) })]));
    $("axes").inert = false;
    $("axes").replaceChildren(...[...strips.values()].map(({ element }) => element));
    parts.series.hide();
    parts.figure.mark(undefined);
  }

  /** The picture without values; what explains it follows. */
  function layPicture() {
    paintFigure();
    sayPosition();
    paintRestSoon();
  }

  /** The picture alone. */
  function paintFigure() {
    const { dataset, plane, values, scene } = explorer.state;
    parts.figure.show(dataset, plane, values, lookNow(), scene);
    parts.history.follow();
  }

  /** Legend, panel and states of the chunks: all that explains the picture. */
  function paintRest() {
    view.classList.toggle("storage", look.chunks);
    const { dataset, plane, values } = explorer.state;
    const kind = kindOf(dataset, plane, values);
    showStates();
    parts.legend.update(explorer.state, lookNow(), kind, kind === "map" ? drawnOn(dataset, plane) : undefined);
    parts.panel.update(explorer.state, lookNow(), kind);
    parts.labels();
  }

  function sayPosition() {
    view.dataset.at = positionOf(explorer.state).join(",");
  }

  function paint() {
    paintFigure();
    paintRest();
    sayPosition();
  }

  /** Marks where the user stands, and how the chunks do. */
  function showStates() {
    const { state } = explorer;
    if (!state) return;
    strips.forEach((strip, d) => strip.show(d !== state.composite?.axis)); // channels together are those of every position
    shownStrips()[0]?.[1].hold(key);
    strips.forEach((strip, d) => strip.update({ index: state.index[d], stateOf: (chunk) => explorer.stateOf(d, chunk), playing: player.axis === d }));
    parts.figure.states(state.dataset, state.plane, (key) => state.ledger.stateOf(key, state.step));
    parts.storage.update(state, look.chunks);
  }

  /** Changes how pictures look, if only by what is beside them; `range`, `fit`, `robust` and `lock` change the range of the colours. */
  function changeLook({ range, fit, robust, lock, ...change }) {
    Object.assign(look, change);
    const { state } = explorer;
    if (!state) return;
    if (range) explorer.setRange(range);
    if (change.each) explorer.setRange(undefined);
    const centred = (found) => (state.plane.join === "difference" || isCentredBy(state, look) ? aroundZero(found) : found);
    if (fit) explorer.setRange(centred(state.found));
    if (robust) explorer.setRange(centred(robustRange(valuesOf(state)) ?? state.found));
    if (lock !== undefined) explorer.setRange(lock ? rangeNow() : undefined);
    paint();
  }

  // Labels that fitted the letters of the system may not fit those of the page, which come later, and the reverse.
  const trim = () => strips.forEach((strip) => strip.trim());
  document.fonts.addEventListener("loadingdone", trim);

  const ifOpen = (work) => () => explorer.state && work();
  const paintSoon = framed(ifOpen(paintFigure));

  /** Paints the rest after the picture, in a task of its own, and says that the step stands. */
  const paintRestSoon = framed(ifOpen(() => {
    paintRest();
    if (!isDrawn) return;
    view.setAttribute("aria-busy", "false");
    strips.forEach((strip) => strip.complete()); // with what the picture did not wait for
    if (!isFirst) return;
    isFirst = false;
    setTimeout(paintSoon);
  }));

  const restSoon = framed(ifOpen(() => {
    const { step } = explorer.state; // none where another array was opened meanwhile
    if (step && step.state !== "reading") view.setAttribute("aria-busy", "false");
  }));

  return {
    leave, trim, layAxes, layPicture, paint, paintRest, lookNow, rangeNow, showStates, changeLook,
    shownStrips,
    showStatesSoon: framed(ifOpen(showStates), BETWEEN_STATES),
    paintSoon,

    /** The view moves: what it lacks is read a little later. */
    fitting: () => view.setAttribute("aria-busy", "true"),
    /** The view lacks nothing. */
    rested: restSoon,

    /** A step begins: the picture dims if it shows another one. */
    stepping() {
      isDrawn = false;
      view.setAttribute("aria-busy", "true");
      const { scene, plane } = explorer.state;
      $("stage").classList.toggle("coming", !plane.isMap || !scene.isShowing(plane));
      parts.history.follow();
      showStates();
    },

    /** A step is read. */
    drawn() {
      $("stage").classList.remove("coming");
      paintFigure();
      isDrawn = true;
      paintRestSoon();
      sayPosition();
    },
  };
}
