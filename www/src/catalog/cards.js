// The cards of a catalog's stores: links that open them.
import "../style/cards.css";
import { el } from "../dom.js";
import { extentOf } from "./extent.js";

/** A picture of a store; a pattern where there is none, or where it can't be loaded. */
function pictureOf({ thumbnail }) {
  const picture = el("span", { class: "thumb", "aria-hidden": "true" });
  if (thumbnail) picture.append(el("img", { src: thumbnail, alt: "", loading: "lazy", decoding: "async", onerror: (event) => event.target.remove() }));
  return picture;
}

const FEW = 8; // stores that need no search in a menu

/** Whether a store's texts have all the words of a search. */
export const hasWords = (store, text) => {
  const { title, description = "", url } = store;
  const own = [title, description, url, ...extentOf(store)].join(" ").toLowerCase();
  return text.toLowerCase().split(/\s+/).every((word) => own.includes(word));
};

/** Items with the cards of `stores`, that of the one that is `current` marked; `onChoose()` hears of each that is followed. Many have a search before them, or as many as there are where `isSearched`. */
export function cardsOf(stores, current, onChoose, isSearched = stores.length > FEW) {
  const cards = stores.map((store) => el("li", {}, el("a", { class: "card", href: store.hash, "aria-current": store === current ? "true" : undefined, onclick: onChoose },
    pictureOf(store), el("span", { class: "words" }, el("b", {}, store.title), store.description ? el("span", {}, store.description) : "", ...extentOf(store).map((words) => el("span", { class: "extent" }, words))))));
  if (!isSearched) return cards;
  const found = el("span", { class: "found", role: "status" });
  const box = el("input", { type: "search", class: "filter", placeholder: "Search the stores", "aria-label": "Search the stores", oninput: () => {
    for (const [i, card] of cards.entries()) card.hidden = !hasWords(stores[i], box.value);
    found.textContent = box.value.trim() ? `${cards.filter(({ hidden }) => !hidden).length} of ${stores.length} stores` : "";
  } });
  return [el("li", { class: "search" }, box, found), ...cards];
}
