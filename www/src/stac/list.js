// The list of a catalog of STAC: its entries with their data as links, a search, and more of it.
import "../style/stac.css";
import { stac } from "rectilinear-zarr/stac";
import { el } from "../dom.js";
import { count } from "../model/format.js";
import { addressOf } from "../page/hash.js";
import { accessTo } from "../private/keep.js";
import { sharedAddress } from "../private/shared.js";
import { addressOfAsset, entriesOf, isFound, versionOfAsset } from "./entries.js";

const FEW = 100; // entries that are asked for first
const MOST = 1600; // and at most

const entriesIn = (n) => `${count(n)} ${n === 1 ? "entry" : "entries"}`;

/** The list below `before`; `open(address, { version, stac })` opens data, or another catalog. */
export function createList(before, { open, say }) {
  const name = el("span", { class: "mono" });
  const search = el("input", { type: "search", class: "filter", placeholder: "Search this catalog", "aria-label": "Search the catalog by text", oninput: () => narrow() });
  const list = el("ul", { class: "entries" });
  const note = el("p", { class: "tree-note", "aria-live": "polite" });
  const more = el("button", { type: "button", class: "quiet", hidden: true, onclick: () => fill(Math.min(4 * limit, MOST)) }, "Look further");
  const details = el("details", {}, el("summary", {}, el("h2", {}, "Catalog ", name)), search, list, note, more);
  const root = el("section", { id: "catalog", class: "listed", "aria-label": "Catalog of STAC", hidden: true }, details);
  before.append(root);
  let shown; // address of the catalog that is listed
  let limit;
  let current; // address of what is open
  let entries = [];
  let filling = new AbortController();
  let isFilling = false;

  /** A link to data or to another catalog; what it opens may have a signature that the link leaves out. */
  function linkOf(address, text, { version, stac: from } = {}) {
    const href = addressOf({ url: sharedAddress(address), version, stac: from && sharedAddress(from) });
    const follow = (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      open(address, { version, stac: from });
    };
    return el("a", { href, onclick: follow, "data-address": address }, text);
  }

  function rowOf(entry) {
    const { title, facts, below, data, others } = entry;
    const heading = below ? linkOf(below, title) : el("b", {}, title);
    const links = data.map((asset) => el("li", {}, linkOf(addressOfAsset(asset), asset.title ?? asset.key, { version: versionOfAsset(asset), stac: shown }), el("small", {}, ` ${asset.kind}`)));
    const none = !below && !data.length ? `no data that this page opens${others.length ? ` (${others.join(", ")})` : ""}` : undefined;
    return el("li", { class: "entry" }, heading, [...facts, none].filter(Boolean).map((text) => el("small", {}, text)), links.length ? el("ul", {}, links) : undefined);
  }

  function narrow() {
    const wanted = search.value.trim();
    const found = wanted ? entries.filter((entry) => isFound(entry, wanted)) : entries;
    entries.forEach((entry) => (entry.row.hidden = !found.includes(entry)));
    note.textContent = [wanted ? `${count(found.length)} of ${entriesIn(entries.length)}.` : "", more.hidden ? "" : `The first ${count(entries.length)} are listed.`].filter(Boolean).join(" ");
  }

  function mark() {
    for (const link of list.querySelectorAll("a")) {
      const { address } = link.dataset;
      const isOpen = current === address || current?.startsWith(`${address.replace(/\/+$/, "")}/`);
      if (isOpen) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
  }

  async function fill(most) {
    filling.abort();
    const { signal } = (filling = new AbortController());
    limit = most;
    isFilling = true;
    more.hidden = true;
    details.setAttribute("aria-busy", "true");
    note.textContent = "Reading the catalog.";
    try {
      const { headers, access } = await accessTo(shown);
      const document = await stac(shown, { headers, access, signal });
      const found = await entriesOf(document, { limit, signal });
      name.textContent = found.title;
      entries = found.entries.map((entry) => ({ ...entry, row: rowOf(entry) }));
      list.replaceChildren(...entries.map(({ row }) => row));
      search.hidden = entries.length < 2;
      more.hidden = found.isWhole || limit >= MOST;
      narrow();
      mark();
      say(`Catalog with ${entriesIn(entries.length)}.`);
    } catch (error) {
      if (signal.aborted) return;
      note.textContent = `The catalog could not be listed: ${error.message}`;
      shown = undefined; // it is asked for again
    }
    isFilling = false;
    details.removeAttribute("aria-busy");
  }

  return {
    /** Lists the catalog at an address, none where there is none, and marks what is open. */
    show(address, opened) {
      current = opened;
      root.hidden = !address;
      if (!address) {
        filling.abort();
        if (isFilling) shown = undefined; // it is asked for again
        return;
      }
      if (address === shown) return mark();
      shown = address;
      entries = [];
      list.replaceChildren();
      search.value = "";
      name.textContent = "";
      details.open = true;
      fill(FEW);
    },
  };
}
