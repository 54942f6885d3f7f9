// The choice of an array that is taken off the one that is drawn. Loaded after the first picture of one that has others beside it.
import { el } from "../dom.js";
import { nameOf, othersFor } from "./against.js";

/** `group` gets the choice, `onLess(path)` receives the array to take off, or nothing. `update(state)` offers what there is. */
export function createLessChoice(group, onLess) {
  const select = el("select", { id: "less", onchange: () => onLess(select.value || undefined) });
  const choice = el("div", { class: "choice" }, el("label", { for: "less", title: "Draws this array less another of the same shape" }, "Less"), select);
  group.prepend(choice);
  let offered; // what the choices are of

  return (state) => {
    const { dataset, catalog: { entries }, axes, against } = state;
    const now = [dataset, entries, axes.length, against?.path];
    if (now.some((each, i) => each !== offered?.[i])) {
      offered = now;
      const paths = othersFor(state);
      const all = against && !paths.includes(against.path) ? [...paths, against.path] : paths; // of a store that lists nothing, that of the link
      choice.hidden = !all.length;
      select.replaceChildren(el("option", { value: "" }, "nothing"), ...all.map((path) => el("option", { value: path }, nameOf(path))));
    }
    select.value = against?.path ?? "";
  };
}
