// The choice of an array that is taken off the one that is drawn: one beside it, or of another store by its address. Loaded after the first picture of a map.
import "../style/less.css";
import { el } from "../dom.js";
import { isAddress, isMeasured, nameOf, othersFor } from "./against.js";

const ELSEWHERE = "://"; // the value of the choice that asks for an address

/** `group` gets the choice, `onLess(path)` receives the array to take off, or nothing. `update(state)` offers what there is. */
export function createLessChoice(group, onLess) {
  const select = el("select", { id: "less", onchange: () => choose() });
  const address = el("input", { type: "url", "aria-label": "Address of the array to take off", placeholder: "https://…/store.zarr/array", required: true });
  const form = el("form", { class: "less-address", hidden: true, onsubmit: (event) => (event.preventDefault(), onLess(address.value.trim())) }, address, el("button", { class: "quiet" }, "Take off"));
  const choice = el("div", { class: "choice" }, el("label", { for: "less", title: "Draws this array less another of the same shape" }, "Less"), select, form);
  group.prepend(choice);
  let offered; // what the choices are of

  function choose() {
    form.hidden = select.value !== ELSEWHERE;
    if (form.hidden) onLess(select.value || undefined);
    else address.focus();
  }

  return (state) => {
    const { dataset, catalog: { entries }, axes, against } = state;
    const now = [dataset, entries, axes.length, against?.path, state.composite];
    if (now.every((each, i) => each === offered?.[i])) {
      if (form.hidden) select.value = against?.path ?? ""; // one that can't be taken off was refused
      return;
    }
    offered = now;
    const paths = othersFor(state);
    const all = against && !paths.includes(against.path) ? [...paths, against.path] : paths; // of a store that lists nothing, that of the link
    choice.hidden = !all.length && (!isMeasured(state) || Boolean(state.composite)); // an image is seldom taken off another
    const nameFor = (path) => (isAddress(path) ? against.name : nameOf(path));
    select.replaceChildren(el("option", { value: "" }, "nothing"), ...all.map((path) => el("option", { value: path }, nameFor(path))), el("option", { value: ELSEWHERE }, "another store’s…"));
    select.value = against?.path ?? "";
    form.hidden = true;
  };
}
