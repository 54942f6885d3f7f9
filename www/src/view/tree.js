// The tree of groups and arrays: one stop of the tab key, arrow keys within, as the ARIA practice has it; and a box for a name.
import { el } from "../dom.js";
import { count, plural, unitsIn } from "../model/format.js";
import { asImages } from "../model/image.js";

const MOST_OPEN = 60; // entries that are shown with every group open
const MOST_CHILDREN = 500; // of one group
const FEW = 25; // entries that need no filter

/** Entries by folder: "" -> those at the top. Arrays come before groups. */
function foldersOf(entries) {
  const folders = new Map([["", []]]);
  for (const { path, kind } of entries) if (kind === "group") folders.set(path, []);
  for (const entry of entries) {
    const parent = entry.path.split("/").slice(0, -1).join("/");
    (folders.get(parent) ?? folders.get("")).push(entry);
  }
  for (const children of folders.values()) children.sort((a, b) => (a.kind === "group") - (b.kind === "group"));
  return folders;
}

/** Type, shape and unit of an array in words, and how many levels an image has. */
function facts({ kind, shape, dtype, attrs, error, levels }) {
  if (kind === "group") return [];
  if (error) return ["cannot be read"];
  return [dtype, shape?.length ? shape.map(count).join(" × ") : "single value", unitsIn(attrs), levels > 1 && plural(levels, "level")].filter(Boolean);
}

/** `onChoose(path)` for an array, `onAdd(name)` for a name that is not listed. */
export function createTree(root, { onChoose, onAdd }) {
  const name = el("span", { class: "mono" });
  const list = el("ul", { role: "tree", class: "tree" });
  const note = el("p", { class: "tree-note" });
  const filter = el("input", { type: "search", class: "filter", placeholder: "Filter by name", "aria-label": "Filter the contents by name", hidden: true, oninput: () => narrow() });
  const member = el("input", { id: "member", type: "text", spellcheck: "false", autocomplete: "off", autocapitalize: "off", placeholder: "group/array" });
  const box = el("form", { class: "add-member", hidden: true }, el("label", { for: "member" }, "Name of a member"), member, el("button", { type: "submit", class: "quiet" }, "Add"));
  box.addEventListener("submit", (event) => {
    event.preventDefault();
    const wanted = member.value.trim();
    if (wanted) onAdd(wanted);
  });
  const plate = el("div", { hidden: true });
  const details = el("details", { open: matchMedia("(min-width: 60rem)").matches }, el("summary", {}, el("h2", {}, "Contents of ", name)), plate, filter, list, note, box);
  root.append(details);
  let folders;
  let open = new Set();
  let current; // the chosen array's path
  let focused; // the item that the tab key comes to
  let made = new Map(); // path -> { look, element }: an item that looks as before stays the element that it was, under a finger too

  const levelOf = (item) => Number(item.getAttribute("aria-level"));
  /** The group that an item is in. */
  const above = (all, at) => all.slice(0, at).findLast((item) => levelOf(item) < levelOf(all[at]));
  const items = () => [...list.querySelectorAll('[role="treeitem"]')];
  const itemAt = (path) => items().find((item) => item.dataset.path === path);

  /** The item of an entry: the one that is there, if nothing of it changed. */
  function kept(entry, level) {
    const look = [level, entry.path === current, open.has(entry.path), entry.kind, entry.error, entry.label, entry.attrs.long_name, entry.attrs.title, catalog.place.name, ...facts(entry)].join("\n");
    const before = made.get(entry.path);
    return before?.look === look ? before : { look, element: item(entry, level, catalog) };
  }

  function item(entry, level, catalog) {
    const { path, kind, attrs } = entry;
    const label = entry.label ?? (path.split("/").at(-1) || catalog.place.name);
    const isGroup = kind === "group";
    const what = facts(entry);

    const long = typeof attrs.long_name === "string" ? attrs.long_name : typeof attrs.title === "string" ? attrs.title : "";
    const line = el("div", { class: "leaf", style: `--level:${level}`, title: entry.error ?? long },
      el("b", {}, label), what.length ? el("span", { "aria-hidden": "true" }, what.map((text) => el("i", {}, text))) : undefined);
    return el("li", {
      role: "treeitem", "aria-level": level + 1, "aria-expanded": isGroup ? String(open.has(path)) : undefined, "aria-selected": isGroup ? undefined : String(path === current),
      "aria-label": [label, ...what, isGroup ? "group" : "array", long].filter(Boolean).join(", "), tabindex: "-1", "data-path": path, class: kind,
    }, line);
  }

  /** Items of a group and of the open groups in it, one after the other: their levels say how they nest; `put(path, kept)` notes each. */
  function branch(path, level, put) {
    const children = folders.get(path) ?? [];
    const more = children.length - MOST_CHILDREN;
    return [
      ...children.slice(0, MOST_CHILDREN).flatMap((entry) => {
        const one = kept(entry, level);
        put(entry.path, one);
        return [one.element, ...(entry.kind === "group" && open.has(entry.path) ? branch(entry.path, level + 1, put) : [])];
      }),
      ...(more > 0 ? [el("li", { class: "tree-note", role: "none" }, `… and ${count(more)} more; add a name to the address`)] : []),
    ];
  }

  let showPlate; // loaded with the first one

  /** Shows the wells of a plate above the tree. */
  function showWells() {
    if (catalog.attrs.plate ?? catalog.attrs.ome?.plate) showPlate ??= import("./plate.js").then(({ createPlate }) => createPlate(plate, onChoose));
    showPlate?.then((show) => show(catalog, current), () => (showPlate = undefined));
  }

  let catalog;
  let listed; // the entries of the catalog
  let entries; // those that are shown: of an image one
  let others = new Map(); // path of a level that is not shown -> that of its image's entry

  const named = ({ path, label, attrs }) => [path, label, attrs.long_name, attrs.standard_name].some((text) => typeof text === "string" && text.toLowerCase().includes(filter.value.trim().toLowerCase()));

  /** Shows the entries that the filter names, with the groups they are in; all groups are open meanwhile. */
  function narrow() {
    const arrays = filter.value.trim() ? entries.filter((entry) => entry.kind === "array" && named(entry)) : entries;
    const shown = new Set(arrays.flatMap(({ path }) => path.split("/").map((_, i, all) => all.slice(0, i + 1).join("/"))));
    folders = foldersOf(entries.filter(({ path }) => shown.has(path)));
    if (filter.value.trim()) for (const path of folders.keys()) open.add(path);
    draw();
  }

  function draw() {
    const next = new Map();
    list.replaceChildren(...branch("", 0, (path, one) => next.set(path, one)));
    made = next;
    const stop = itemAt(focused) ?? itemAt(current) ?? items()[0];
    for (const each of items()) each.setAttribute("tabindex", each === stop ? "0" : "-1");
  }

  function focus(item) {
    if (!item) return;
    for (const other of items()) other.setAttribute("tabindex", other === item ? "0" : "-1");
    focused = item.dataset.path;
    item.focus();
  }

  function toggle(path, to = !open.has(path)) {
    open[to ? "add" : "delete"](path);
    focused = path;
    draw();
    itemAt(path).focus();
  }

  const activate = (item) => (item.classList.contains("group") ? toggle(item.dataset.path) : onChoose(item.dataset.path));

  list.addEventListener("click", (event) => {
    const item = event.target.closest('[role="treeitem"]');
    if (!item) return;
    focus(item);
    activate(item);
  });
  list.addEventListener("keydown", (event) => {
    const item = event.target.closest('[role="treeitem"]');
    if (!item || event.ctrlKey || event.metaKey || event.altKey) return;
    const all = items();
    const at = all.indexOf(item);
    const expanded = item.getAttribute("aria-expanded");
    const keys = {
      ArrowDown: () => focus(all[at + 1]),
      ArrowUp: () => focus(all[at - 1]),
      Home: () => focus(all[0]),
      End: () => focus(all.at(-1)),
      ArrowRight: () => (expanded === "false" ? toggle(item.dataset.path, true) : expanded === "true" && focus(all[at + 1])),
      ArrowLeft: () => (expanded === "true" ? toggle(item.dataset.path, false) : focus(above(all, at))),
      Enter: () => activate(item),
      " ": () => activate(item),
    };
    if (!keys[event.key]) return;
    event.preventDefault();
    event.stopPropagation();
    keys[event.key]();
  });

  return {
    /** Lists a catalog; the same again where it has other entries. */
    show(next) {
      if (next.entries === listed) return;
      if (next !== catalog) {
        focused = current = undefined;
        member.value = filter.value = "";
        open = new Set();
        entries = undefined;
      }
      const isKnown = new Set(entries?.map(({ path }) => path));
      [catalog, listed] = [next, next.entries];
      ({ entries, others } = asImages(next));
      current = others.get(current) ?? current;
      root.hidden = false;
      folders = foldersOf(entries);
      filter.hidden = entries.length <= FEW;
      if (entries.length <= MOST_OPEN) for (const path of folders.keys()) if (!isKnown.has(path)) open.add(path);
      name.textContent = next.place.name;
      list.setAttribute("aria-label", `Contents of ${next.place.name}`);
      list.hidden = !entries.length;
      note.textContent = [next.note, next.place.base ? "" : "Read from this device; a link cannot restore it."].filter(Boolean).join(" ");
      if (!entries.length) details.open = true; // the box is all there is to go on with
      showWells();
      box.hidden = next.complete || next.place.alone;
      const hadFocus = list.contains(document.activeElement);
      draw();
      if (hadFocus) (itemAt(focused) ?? items()[0])?.focus();
      if (filter.value) narrow();
    },
    /** Marks the array that is open. */
    select(chosen) {
      const path = others.get(chosen) ?? chosen;
      current = path;
      showWells();
      for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) open.add(path.slice(0, at));
      const hadFocus = list.contains(document.activeElement);
      draw();
      if (hadFocus) itemAt(focused ?? path)?.focus();
    },
  };
}
