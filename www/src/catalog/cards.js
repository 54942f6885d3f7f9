// The cards of a catalog's stores: links that open them.
import { el } from "../dom.js";

/** A picture of a store; a pattern where there is none, or where it can't be loaded. */
function pictureOf({ thumbnail }) {
  const picture = el("span", { class: "thumb", "aria-hidden": "true" });
  if (thumbnail) picture.append(el("img", { src: thumbnail, alt: "", loading: "lazy", decoding: "async", onerror: (event) => event.target.remove() }));
  return picture;
}

/** Items with the cards of `stores`, that of the one that is `current` marked; `onChoose()` hears of each that is followed. */
export function cardsOf(stores, current, onChoose) {
  return stores.map((store) => el("li", {}, el("a", { class: "card", href: store.hash, "aria-current": store === current ? "true" : undefined, onclick: onChoose },
    pictureOf(store), el("b", {}, store.title), store.description ? el("span", {}, store.description) : "")));
}
