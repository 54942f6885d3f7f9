// The labels over the image that is open: the switch, which of them, and how much of the image they cover.
import "../style/labels.css";
import { el } from "../dom.js";
import { openDataset } from "../model/dataset.js";
import { labelsOf } from "./find.js";
import { createLayer } from "./layer.js";
import { USUAL_OPACITY, labelsIn, labelsText } from "./linked.js";

/** The choices in `group`: `onOver(text)` hears of them as a link says them, and of undefined where no labels are to be drawn. */
function createChoices(group, onOver) {
  const on = el("input", { id: "labels", type: "checkbox", onchange: () => choose() });
  const name = el("select", { "aria-label": "Which labels", onchange: () => choose() });
  const opacity = el("input", { type: "range", min: 5, max: 100, step: 5, "aria-label": "Opacity of the labels in per cent", oninput: () => choose() });
  const choose = () => onOver(on.checked ? labelsText({ name: name.value, opacity: Number(opacity.value) }) : undefined);
  const element = el("div", { class: "choice labels-choice", role: "group", "aria-label": "Labels" }, el("label", { for: "labels", class: "check" }, on, "Labels"), name, opacity);
  group.append(element);
  return (list, chosen) => {
    element.hidden = !list.length;
    if (!list.length) return;
    const isOn = list.some((one) => one.name === chosen?.name);
    if (String([...name.options].map(({ value }) => value)) !== String(list.map((one) => one.name))) name.replaceChildren(...list.map((one) => el("option", { value: one.name }, one.name)));
    on.checked = isOn;
    if (isOn) name.value = chosen.name;
    name.hidden = list.length < 2;
    opacity.hidden = !isOn;
    opacity.value = chosen?.opacity ?? USUAL_OPACITY;
  };
}

/**
 * A function that has the labels follow the explorer's state. `look.over` are the labels that are chosen, as a link says them, `onOver(text)` hears of others,
 * `figure` draws them, `remember()` keeps them in the link, and `failed(error)` hears of labels that cannot be read.
 */
export function createOver({ explorer, figure, group, look, onOver, remember, failed }) {
  const showChoices = createChoices(group, onOver);
  let opened; // { state, name, layer, controller }
  let found = {}; // labels of an array: { entries, dataset, list }

  /** The label images of what is open. */
  function listOf({ catalog: { entries }, catalog, dataset }) {
    if (found.entries !== entries || found.dataset !== dataset) found = { entries, dataset, list: labelsOf(catalog, dataset.path) };
    return found.list;
  }

  function close() {
    if (!opened) return;
    opened.controller.abort();
    opened.state.over = undefined;
    figure.over(undefined);
    opened.layer?.free();
    opened = undefined;
  }

  /** Opens the labels that are chosen, unless they are. */
  async function open(state, one) {
    const controller = new AbortController();
    const mine = (opened = { state, name: one.name, controller });
    try {
      const dataset = await openDataset(state.catalog, one.path, { signal: controller.signal });
      if (opened !== mine) return dataset.free();
      mine.layer = createLayer({ dataset, ...one }, { onChange: () => opened === mine && figure.over(mine.layer), onFault: failed });
      state.over = true;
      follow();
      remember();
    } catch (error) {
      if (!controller.signal.aborted) failed(error);
    }
  }

  function follow() {
    const { state } = explorer;
    const list = state?.plane.isMap ? listOf(state) : [];
    const chosen = labelsIn(look.over);
    showChoices(list, chosen);
    const wanted = list.find(({ name }) => name === chosen?.name);
    if (opened && (opened.state !== state || opened.name !== wanted?.name)) close();
    if (!wanted) return;
    if (!opened) return void open(state, wanted);
    if (!opened.layer) return;
    opened.layer.opacity = chosen.opacity / 100;
    opened.layer.follow(state, figure.room());
    figure.over(opened.layer);
  }

  return follow;
}
