// The stores of a catalog as a menu of cards.
import { el } from "../dom.js";
import { plural } from "../model/format.js";

/** The menu in `root`: `show(stores)` fills it, `mark(address)` says which array is open. */
export function createStores(root) {
  const list = el("ul", { class: "cards" });
  const summary = el("summary");
  const details = el("details", { ontoggle: () => fill() }, summary, list);
  root.append(details);
  let stores = [];
  let open; // address of the array that is open
  let filled; // stores, and the one that is open, of the cards that are there

  /** The store that an address lies in: the one of the longest address. */
  const storeAt = (address) => stores.filter(({ url }) => address === url || address?.startsWith(`${url}/`)).sort((a, b) => b.url.length - a.url.length)[0];

  /** Builds the cards where the menu is open, as thumbnails are requests, and anew only for other stores: one of them may have the focus. */
  async function fill() {
    if (!details.open) return;
    const { cardsOf } = await import("./cards.js");
    const current = storeAt(open);
    if (filled?.stores === stores && filled.current === current) return;
    filled = { stores, current };
    list.replaceChildren(...cardsOf(stores, current, close));
  }

  function close() {
    summary.focus();
    details.open = false;
  }

  root.addEventListener("keydown", ({ key }) => key === "Escape" && details.open && close());
  addEventListener("pointerdown", ({ target }) => root.contains(target) || (details.open = false));

  return {
    /** The title of the store that an address lies in, if the catalog has it. */
    titleAt: (address) => storeAt(address)?.title,
    show(next) {
      stores = next;
      summary.textContent = plural(stores.length, "store");
      root.hidden = stores.length < 2 && !stores[0].description && !stores[0].thumbnail;
    },
    mark(address) {
      open = address;
      fill();
    },
  };
}
