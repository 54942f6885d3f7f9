// A second picture, of another version of the array, which follows the first: the same place, step, difference or channels, and colours.
import { framed, el } from "../dom.js";
import { degreesOf } from "../earth/degrees.js";
import { createExplorer } from "../explorer/explorer.js";
import { clampView, linkedView } from "../map/view.js";
import { clamp, positionOf, steppedOf, validAxes } from "../model/position.js";
import { channelsLink } from "../reading/channels.js";
import { spanOf, spanOfChannel } from "../reading/span.js";
import { createFigure } from "../view/figure/figure.js";
import { isJoined, joinFor, shortOf } from "./join.js";

const BETWEEN_STATES = 100; // ms
const sizeOf = ({ dataset, axes }) => axes.map((d) => dataset.shape[d]);
const isSame = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/**
 * `first` is the explorer of the first picture, `lookNow()` how both look, `repaint()` draws the first with another range,
 * `onPick(index)` receives a cell that was clicked.
 */
export function createBeside(root, heading, { first, lookNow, lookAt, repaint, say, onPick }) {
  const note = el("p", { class: "beside-note" });
  const plot = el("figure", {});
  heading.append(note);
  root.append(plot);
  let problem = ""; // of the last step
  let refused = ""; // why this version has no such picture as the first
  let spanned; // the ranges of values that the first picture knows of
  let under; // what has laid a base map under this picture
  let drawn; // what the values that are drawn are of: "difference", "channels" or undefined

  /** Picks the cell in the first picture. */
  function pick(cell, isSecond) {
    const { dataset, axes, index } = first.state;
    if (axes.every((d) => cell[d] < dataset.shape[d])) onPick(index.map((at, d) => (axes.includes(d) ? cell[d] : at)), isSecond);
    else say("The first picture has no such cell.");
  }

  const figure = createFigure(plot, { say, id: "plot-beside", onPick: pick, viewNow: () => second.state.view, onLook: lookAt, projectionNow: () => lookNow().projection, onResize: () => second.refit() });
  const paintSoon = framed(() => second.state && paint());

  const second = createExplorer({
    listed() {}, kept() {}, charted() {},
    fitting: () => root.setAttribute("aria-busy", "true"),
    looked: ({ step }) => step.state === "reading" || root.setAttribute("aria-busy", "false"),
    ended: () => second.state?.plane && showStates(),
    empty: () => refuse("This version has no such array."),
    opened({ dataset }) {
      dataset.earth ??= degreesOf(dataset);
      paint();
    },
    turned: paint,
    room: () => figure.room(),
    came: (piece) => first.state && figure.prepare(piece, lookNow()),
    dropped: (piece) => figure.drop(piece),
    moved: paintSoon,
    stepping() {
      problem = "";
      root.setAttribute("aria-busy", "true");
    },
    booked: framed(() => second.state && showStates(), BETWEEN_STATES),
    drawn() {
      paint();
      root.setAttribute("aria-busy", "false");
      const { plane, found, composite } = second.state;
      drawn = plane.join;
      const spans = [drawn, found, composite?.shown().map(rangeOf)];
      if (isSame(spans, spanned) || !first.state) return;
      spanned = spans;
      repaint();
    },
    unread: () => figure.clear(),
    failed: ({ message }) => refuse(message),
  });

  /** Range of a channel of the picture. */
  function rangeOf(channel) {
    return second.state?.scene.rangeOf(channel);
  }

  /** Says why there is no picture, in its place. */
  function refuse(message) {
    problem = note.textContent = message;
    root.setAttribute("aria-busy", "false");
  }

  function showStates({ dataset, plane, ledger, step } = second.state) {
    figure.states(dataset, plane, (key) => ledger.stateOf(key, step));
  }

  /** Another version of a grid lies where the first one does, which may be found later. */
  function locate(dataset) {
    const { earth, shape } = first.state.dataset;
    if (!dataset.earth && earth?.axes.every((d) => dataset.shape[d] === shape[d])) dataset.earth = earth;
  }

  function paint() {
    if (!first.state) return;
    locate(second.state.dataset);
    const { dataset, plane, values, scene } = second.state;
    note.textContent = refused || problem || shortOf(first.state, second.state);
    plot.hidden = Boolean(refused);
    const look = lookNow();
    if (look.under !== under) (under = look.under)(figure, plot.querySelector(".frame"));
    figure.show(dataset, plane, values, look, scene);
  }

  /** Goes where the first picture is. */
  function follow() {
    const [one, two] = [first.state, second.state];
    if (!one || !two) return;
    const axes = validAxes(two.dataset, one.axes);
    if (!isSame(axes, two.axes)) second.turn(axes);
    const less = one.against?.path;
    const isOther = less !== two.against?.path;
    if (lessening) return;
    if (isOther && asked !== less) return lessen(less);
    const join = isOther ? { refused: "This version has no such array to take off." } : joinFor(one, two);
    refused = join.refused ?? "";
    if (!refused && !isJoined(two, join)) second.recast(join);
    if (steppedOf(two).some((d) => two.index[d] !== clamp(one.index[d], two.dataset.shape[d]))) second.go(two.index.map((at, d) => one.index[d] ?? at));
    if (two.plane.isMap && one.plane.isMap && !isSame(clampView(one.view, sizeOf(two)), two.view)) second.look(one.view);
    if ((one.depth ?? 0) !== (two.depth ?? 0)) second.deepen(one.depth);
    paintSoon();
  }

  let asked; // path of the array that is to be taken off here too: one that this version lacks is asked for once
  let lessening = false;

  /** Has the same array taken off as in the first picture. */
  async function lessen(path) {
    asked = path;
    lessening = true;
    await second.lessen(path);
    lessening = false;
    follow();
  }

  return {
    /** Opens the array of the first picture at another version. */
    async open(version) {
      const { catalog: { place }, dataset: { path }, axes, view, plane, reference, against } = first.state;
      second.close();
      plot.hidden = true;
      problem = refused = "";
      spanned = drawn = undefined;
      asked = against?.path;
      note.textContent = "Opening…";
      const at = {
        path, axes, index: positionOf(first.state), view: plane.isMap ? linkedView(view, sizeOf(first.state)) : undefined,
        reference: reference && steppedOf(first.state).map((d) => reference[d]), channels: channelsLink(first.state), less: against?.path,
      };
      await second.open(async () => [{ ...place, version, path }], at);
      follow();
    },
    follow,
    /** The range of the values that are drawn, and of the steps that were unless each has its own. */
    found(isEach) {
      const { state } = second;
      if (!state || drawn !== first.state.plane.join) return undefined;
      return isEach ? state.found : spanOf(state);
    },
    /** That of a channel. */
    rangeOf: (channel, isEach) => (isEach || !second.state ? rangeOf(channel) : spanOfChannel(second.state, channel)),
    close: () => second.close(),
  };
}
