// Begins the page: puts the catalog on it, its title, its logo and its stores, and opens what the address, the catalog or the page says.
import { el } from "../dom.js";
import { isEmbedded } from "../embed/mode.js";
import { say } from "../page/elements.js";
import { EMBEDDED, hasten, home } from "../page/embedded.js";
import { addressOf, isAddressed, readHash } from "../page/hash.js";
import { readCatalog } from "./read.js";

function dress({ title, logo, first }) {
  const brand = document.querySelector(".brand");
  brand.href = location.pathname + location.search;
  brand.title = first === "list" ? "Back to the list of the stores" : "Back to the first store";
  if (title) {
    document.documentElement.dataset.site = title;
    brand.lastChild.replaceWith(title);
  }
  if (logo) brand.firstElementChild.replaceWith(el("img", { class: "logo", src: logo, alt: "" }));
}

/** Reads the catalog and shows it, its stores in the list `stores`. Resolves with it, or the `problem` of one that can't be used. */
async function useCatalog(stores) {
  try {
    const catalog = await readCatalog();
    if (!catalog) return {};
    const { theme, base, first } = catalog;
    const wearLogo = theme && (await import("./theme.js").then(({ wear }) => wear(theme, base)));
    dress(catalog);
    wearLogo?.();
    stores.show(catalog.stores);
    const [{ url, hash }] = catalog.stores;
    if (first === "list" && !isEmbedded) Object.assign(home, { url: "", list: await import("./landing.js").then(({ createLanding }) => createLanding(catalog, say)) });
    else if (hash !== addressOf({ url: EMBEDDED })) Object.assign(home, { url, hash });
    return catalog;
  } catch (problem) {
    document.adoptedStyleSheets = []; // the colours that the page's head took from it
    return { problem };
  }
}

/** Says what is being opened while the code that reads it is on its way. */
function announce(stores) {
  const title = document.getElementById("title");
  const known = stores.titleAt(readHash().url ?? home.url);
  if (known && title.textContent === "Opening…") title.textContent = known;
}

/** Begins with the page's `parts`, of which `underlay(basemap, base)` draws the catalog's base map; `restore()` opens what the address says, and `isOpen()` tells when its data are asked for. An address with a store does not wait for the catalog. */
export async function begin({ stores, banner, underlay }, restore, isOpen) {
  // The page's head has done so, where it may hold a script and knows the catalog by now.
  for (const link of document.querySelectorAll('link[rel="later"]')) link.replaceWith(Object.assign(link.cloneNode(), { rel: "preload" }));
  const catalogued = useCatalog(stores).then((result) => (announce(stores), result));
  if (!isAddressed()) {
    await catalogued;
    if (home.url === EMBEDDED && !readHash().index) hasten(isOpen);
  }
  await restore();
  const { problem, basemap, base } = await catalogued;
  const fault = problem ?? (basemap && (await underlay(basemap, base).catch((error) => error))); // after the first picture
  if (fault) banner.show(fault, false);
}
