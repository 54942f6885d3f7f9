// What a film is to show: along which axis, from which step to which, and how fast.
import "../style/film.css";
import { el } from "../dom.js";
import { bytes } from "../model/format.js";
import { steppedOf } from "../model/position.js";
import { filmOf, whyNone } from "./film.js";
import { canvasOfPicture } from "./pictures.js";
import { save } from "./save.js";

/** `current()` gives the explorer's state, `seek(axis, at)` goes to a position of an axis, `look` has the choices of how pictures look, `width()` is that of pictures, or undefined where it is no good. */
export function createFilmChoices({ current, seek, look, width, ownName, say }) {
  const axis = el("select", { id: "film-axis", onchange: () => lay(true) });
  const numbered = (id, more) => el("input", { type: "number", id, step: 1, required: true, ...more });
  const from = numbered("film-from", { min: 0 });
  const to = numbered("film-to", { min: 0 });
  const rate = numbered("film-rate", { min: 1, max: 60, value: 10 });
  const make = el("button", { type: "button", class: "quiet", onclick: () => film() }, "Make the film");
  const stop = el("button", { type: "button", class: "quiet", hidden: true, onclick: () => making.abort() }, "Stop");
  const said = el("span", { class: "total", role: "status" });
  const along = el("label", { for: "film-axis" }, "Along ", axis);
  const element = el("div", { class: "choices film" }, along, el("label", {}, "from step ", from), el("label", {}, "to ", to), el("label", {}, rate, " a second"), make, stop, said);
  let making = new AbortController();
  let laid; // the dataset that the choices are of

  const axesOf = (state) => steppedOf(state).filter((d) => state.dataset.shape[d] > 1 && d !== state.composite?.axis);

  function lay(isAxis) {
    const state = current();
    const axes = axesOf(state);
    const names = axes.map((d) => state.dataset.axes[d].name);
    if (laid !== state.dataset || String(names) !== String([...axis.options].map(({ text }) => text))) {
      const usual = axes.find((d) => state.dataset.axes[d].kind === "time") ?? axes[0];
      axis.replaceChildren(...axes.map((d, i) => el("option", { value: d, selected: d === usual }, names[i])));
    } else if (!isAxis) return;
    laid = state.dataset;
    along.hidden = axes.length < 2;
    const last = state.dataset.shape[Number(axis.value)] - 1;
    for (const input of [from, to]) input.max = last;
    [from.value, to.value] = [0, last];
  }

  /** Draws a step, and waits until all that stands around it says so too. */
  const stepTo = (state, d) => async (at) => {
    const drawn = await seek(d, at);
    if (current() !== state || drawn === undefined) throw new Error("something else was drawn meanwhile");
    if (drawn === false) throw new Error(`step ${at} could not be read`);
    const view = document.getElementById("view");
    while (view.getAttribute("aria-busy") === "true") await new Promise((resolve) => setTimeout(resolve, 5));
  };

  async function film() {
    const why = whyNone();
    if (why) {
      said.textContent = why;
      return;
    }
    const pixels = width();
    const wrong = [from, to, rate].find((input) => !input.reportValidity());
    if (wrong || pixels === null) return;
    const state = current();
    const { index, dataset } = state;
    const d = Number(axis.value);
    making = new AbortController();
    const { signal } = making;
    make.hidden = true;
    stop.hidden = false;
    try {
      const { parts, count, width: wide, height } = await filmOf({
        from: Number(from.value), to: Number(to.value), rate: Number(rate.value), title: dataset.title, isSpanned: !state.userRange && !look.each, signal,
        go: stepTo(state, d), picture: () => canvasOfPicture(pixels), onProgress: (words) => (said.textContent = words),
      });
      const file = new Blob(parts, { type: "video/webm" });
      save(ownName(".webm"), file, "video/webm");
      said.textContent = `${count} frames of ${wide} × ${height} pixels, ${bytes(file.size)}.`;
      say("Film saved.");
    } catch ({ message }) {
      said.textContent = signal.aborted ? "Stopped." : `The film could not be made: ${message}.`;
    }
    make.hidden = false;
    stop.hidden = true;
    if (current() === state) seek(d, index[d]);
  }

  return {
    element,
    /** After anything that is drawn: of an array without steps there is no film. */
    update() {
      const isFilm = axesOf(current()).length > 0;
      if (isFilm) lay();
      return isFilm;
    },
  };
}
