// The choices of how a field is read: a logarithm, the histogram, the difference to a step, channels over each other.
import { el } from "../dom.js";
import { isEmbedded } from "../embed/mode.js";
import { labelOf } from "../model/position.js";
import { channelAxisOf, createComposite } from "./channels.js";
import { areComparable } from "./range.js";
import { scaleOf } from "./scale.js";

/**
 * `groups` are the legend's, which get the choices. `onLook(change)` receives `{ scale }`, `{ histogram }` or
 * `{ range }`, `onRecast({ reference, composite })` what the picture is to be made of, `onLess(path)` the array that is to be taken off, and `onRepaint()` hears of a
 * channel's other colour or window. `current()` gives the explorer's state.
 */
export function createPanel(root, { groups, onLook, onRecast, onLess, onRepaint, current, failed }) {
  const scale = el("select", { id: "scale", onchange: () => onLook({ scale: scale.value || undefined }) }, el("option", { value: "" }, "Linear"), el("option", { value: "log" }, "Logarithmic"));
  const scaleChoice = el("div", { class: "choice" }, el("label", { for: "scale" }, "Scale"), scale);
  const check = (id, text, title, onchange) => {
    const box = el("input", { id, type: "checkbox", onchange: () => onchange(box.checked) });
    return { box, label: el("label", { for: id, class: "check", title }, box, text) };
  };
  const histogram = check("histogram", "Histogram", "How many cells have which value; its ends set the range", (on) => onLook({ histogram: on }));
  const together = check("together", "Channels together", "Draws the channels over each other, each in its colour", (on) => onRecast({ composite: on ? createComposite(current()) : undefined }));
  const compare = el("button", { type: "button", class: "quiet", title: "Draws other steps less this one", onclick: () => onRecast({ reference: current().index }) }, "Compare with this step");
  const stop = el("button", { type: "button", class: "quiet", onclick: () => onRecast({}) }, "Stop comparing");
  const note = el("p", { class: "total", id: "reading-note" });
  const list = el("div", { class: "channel-list" });
  const chart = el("div", { class: "histogram" });
  groups.colours.append(scaleChoice);
  groups.range.append(histogram.label);
  groups.picture.prepend(compare, stop, together.label);
  root.append(el("div", { class: "panel" }, chart, list, note));
  let others; // offers the arrays that can be taken off
  const views = {}; // by name: what is loaded once it is needed

  /** Shows a part of the page whose code is fetched when it is first shown. */
  async function withView(name, element, load, isShown, update) {
    element.hidden = !isShown;
    if (!isShown) return;
    try {
      views[name] ??= load();
      update(await views[name]);
    } catch (error) {
      views[name] = undefined;
      failed(error);
    }
  }

  function noteOf(state, look, isRamp) {
    if (state.against) return state.against.note;
    if (state.lessProblem) return `${state.lessProblem}.`;
    if (state.reference) return `Each cell less its value at ${labelOf({ ...state, index: state.reference })}.${String(state.reference) === String(state.index) ? " Go to another step to see how it differs." : ""}`;
    return isRamp ? (scaleOf(look).refused ?? "") : "";
  }

  return {
    /** `kind` is how the plane is shown; what has no place there is hidden. */
    update(state, look, kind) {
      const isRamp = kind === "map" && !look.isNamed && !look.channels && !look.isEmpty;
      scaleChoice.hidden = histogram.label.hidden = kind !== "map" || look.isNamed || Boolean(look.channels);
      scale.value = look.scale ?? "";
      histogram.box.checked = Boolean(look.histogram);
      compare.hidden = !areComparable(state) || Boolean(state.reference ?? state.against ?? state.composite);
      stop.hidden = !state.reference;
      const axis = channelAxisOf(state.dataset);
      together.label.hidden = axis === undefined || state.axes.includes(axis) || Boolean(state.reference ?? state.against);
      together.box.checked = Boolean(state.composite);
      note.textContent = noteOf(state, look, isRamp);
      const isRead = state.step?.state === "done";
      if (kind === "map" && isRead && !isEmbedded) others ??= import("./less-choice.js").then(({ createLessChoice }) => createLessChoice(groups.picture, onLess));
      others?.then((offer) => current() && offer(current()), () => (others = undefined));
      withView("histogram", chart, () => import("./histogram.js").then(({ createHistogram }) => createHistogram(chart, (range) => onLook({ range }))),
        isRamp && look.histogram, (view) => isRead && view.update(state, look));
      withView("channels", list, () => import("./channel-list.js").then(({ createChannelList }) => createChannelList(list, { onToggle: () => onRecast({ composite: current().composite }), onRepaint })),
        Boolean(state.composite), (view) => view.update(state.composite, look));
    },
  };
}
