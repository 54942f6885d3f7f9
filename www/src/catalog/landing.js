// The stores of a catalog as the first screen of the page: cards with pictures, words, time and area, and a search over them. Loaded where the page begins with it.
import { el } from "../dom.js";
import { plural } from "../model/format.js";
import { cardsOf } from "./cards.js";
import "../style/landing.css"; // after that of the cards

/** `list` is the catalog's `{ title, stores }`. `show(isShown)` puts the list in the place of the array that is open, or takes it away; it tells which. */
export function createLanding({ title, stores }, say) {
  const view = document.getElementById("view");
  const skip = document.querySelector(".skip");
  const heading = el("h1", { tabindex: "-1" }, title ?? "Stores");
  const cards = el("ul", { class: "cards" }, cardsOf(stores, undefined, () => {}, true));
  const root = el("main", { class: "landing", hidden: true }, heading, cards);
  view.before(root);

  return (isShown) => {
    const isOther = root.hidden === isShown;
    root.hidden = !isShown;
    view.hidden = isShown;
    document.documentElement.classList.toggle("listing", isShown);
    skip.hidden = isShown;
    if (isShown && isOther) {
      document.title = title ?? "Stores";
      say(`${title ?? "Stores"}: ${plural(stores.length, "store")}.`);
      scrollTo(0, 0);
    }
    return isShown;
  };
}
