// A second picture, of another version of the array, which follows the first: the same place, step and colours.
import { framed, el } from "../dom.js";
import { createExplorer } from "../explorer/explorer.js";
import { clampView, linkedView } from "../map/view.js";
import { plural } from "../model/format.js";
import { clamp, positionOf, steppedOf, validAxes } from "../model/position.js";
import { createFigure } from "../view/figure/figure.js";

const sizeOf = ({ dataset, axes }) => axes.map((d) => dataset.shape[d]);
const isSame = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/**
 * `first` is the explorer of the first picture, `lookNow()` how both look, `repaint()` draws the first with another range,
 * `onPick(index)` receives a cell that was clicked.
 */
export function createBeside(root, heading, { first, lookNow, repaint, say, onPick }) {
  const note = el("p", { class: "beside-note" });
  const plot = el("figure", {});
  heading.append(note);
  root.append(plot);
  let problem = ""; // of the last step
  let spanned; // the range of values that the first picture knows of

  /** Picks the cell in the first picture. */
  function pick(cell, isSecond) {
    const { dataset, axes, index } = first.state;
    if (axes.every((d) => cell[d] < dataset.shape[d])) onPick(index.map((at, d) => (axes.includes(d) ? cell[d] : at)), isSecond);
    else say("The first picture has no such cell.");
  }

  const figure = createFigure(plot, { say, id: "plot-beside", onPick: pick, viewNow: () => second.state.view, onLook: (view) => first.look(view), onResize: () => second.refit() });
  const paintSoon = framed(() => second.state && paint());

  const second = createExplorer({
    listed() {}, kept() {}, looked() {}, charted() {},
    ended: () => second.state?.plane && showStates(),
    empty: () => refuse("This version has no such array."),
    opened: paint,
    turned: paint,
    room: () => figure.room(),
    came: (piece) => first.state && figure.prepare(piece, lookNow()),
    dropped: (piece) => figure.drop(piece),
    moved: paintSoon,
    stepping() {
      problem = "";
      root.setAttribute("aria-busy", "true");
    },
    booked: showStates,
    drawn() {
      paint();
      root.setAttribute("aria-busy", "false");
      if (isSame(second.state.found, spanned) || !first.state) return;
      spanned = second.state.found;
      repaint();
    },
    unread: () => figure.clear(),
    failed: ({ message }) => refuse(message),
  });

  /** Says why there is no picture, in its place. */
  function refuse(message) {
    problem = note.textContent = message;
    root.setAttribute("aria-busy", "false");
  }

  function showStates({ dataset, plane, ledger, step } = second.state) {
    figure.states(dataset, plane, (key) => ledger.stateOf(key, step));
  }

  function paint() {
    if (!first.state) return;
    const { dataset, plane, values, scene, index } = second.state;
    const short = steppedOf(second.state).filter((d) => first.state.index[d] >= dataset.shape[d]);
    note.textContent = problem || short.map((d) => `Here ${dataset.axes[d].name} has ${plural(dataset.shape[d], "step")}; the last, ${dataset.axes[d].say(index[d])}, is drawn. `).join("");
    plot.hidden = false;
    figure.show(dataset, plane, values, lookNow(), scene);
  }

  /** Goes where the first picture is. */
  function follow() {
    const [one, two] = [first.state, second.state];
    if (!one || !two) return;
    const axes = validAxes(two.dataset, one.axes);
    if (!isSame(axes, two.axes)) second.turn(axes);
    if (steppedOf(two).some((d) => two.index[d] !== clamp(one.index[d], two.dataset.shape[d]))) second.go(two.index.map((at, d) => one.index[d] ?? at));
    if (two.plane.isMap && one.plane.isMap && !isSame(clampView(one.view, sizeOf(two)), two.view)) second.look(one.view);
    paintSoon();
  }

  return {
    /** Opens the array of the first picture at another version. */
    async open(version) {
      const { catalog: { place }, dataset: { path }, axes, view, plane } = first.state;
      second.close();
      plot.hidden = true;
      problem = "";
      note.textContent = "Opening…";
      const at = { path, axes, index: positionOf(first.state), view: plane.isMap ? linkedView(view, sizeOf(first.state)) : undefined };
      await second.open(async () => [{ ...place, version, path }], at);
      follow();
    },
    follow,
    /** The range of the values that are drawn. */
    found: () => second.state?.found,
    close: () => second.close(),
  };
}
