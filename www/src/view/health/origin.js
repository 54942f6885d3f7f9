// The header of a dataset: what it is part of, who made it, under which licence, where it is described, and when and where it lies.
import { el } from "../../dom.js";
import { originOf } from "./attributes.js";

const NAMES = { title: "Dataset", institution: "Institution", licence: "Licence", doi: "DOI", time: "Time", area: "Area" };

/** An address of the web as a link, other texts as they are. */
function linked(name, text) {
  if (name === "doi") return el("a", { href: `https://doi.org/${encodeURI(text)}` }, text);
  return /^https?:\/\/\S+$/.test(text) ? el("a", { href: text }, text) : text;
}

/** The header in `root`: to be called with the open state, or without one where no array is open. */
export function createOrigin(root) {
  return (state) => {
    const found = state ? originOf(state) : {};
    const shown = Object.entries(found).filter(([name, text]) => text && !(name === "title" && text === state.dataset.title));
    root.hidden = !shown.length;
    root.replaceChildren(...shown.map(([name, text]) => el("div", { class: name }, el("dt", {}, NAMES[name]), el("dd", { title: text }, linked(name, text)))));
  };
}
