// The wells of an OME-Zarr plate as a table of rows and columns, each a button that opens its first image. Loaded with the first plate.
import { el } from "../dom.js";
import { isObject } from "../model/image.js";

const textsOf = (list, name) => (Array.isArray(list) ? list.filter(isObject).map((one) => one[name]).filter((text) => typeof text === "string" && text) : []);

/** The attributes of a group below the one that is open; none where it has none. */
async function attrsAt(catalog, path) {
  const known = catalog.entries.find((entry) => entry.path === path && entry.kind === "group")?.attrs;
  if (known) return known;
  const group = await catalog.group?.group(path).catch(() => undefined);
  const attrs = group?.attrs ?? {};
  group?.free();
  return attrs;
}

/** The paths of a well's fields, by its metadata; the one that most writers have where these say none. */
export async function fieldsOf(catalog, well) {
  const attrs = await attrsAt(catalog, well);
  const fields = textsOf((attrs.ome?.well ?? attrs.well)?.images, "path");
  return (fields.length ? fields : ["0"]).map((field) => `${well}/${field}`);
}

/** The path of the array that is an image's finest level. */
export async function finestOf(catalog, image) {
  const attrs = await attrsAt(catalog, image);
  const [first] = [attrs.ome?.multiscales ?? attrs.multiscales].flat().filter(isObject);
  return `${image}/${textsOf(first?.datasets, "path")[0] ?? "0"}`;
}

/**
 * The plate that a group's attributes describe, `{ rows, columns, wells }`: names of rows and columns, and the path of a well
 * by their numbers, `wells.get("0/2")`; undefined where they describe none.
 */
export function plateIn(attrs) {
  const plate = attrs.ome?.plate ?? attrs.plate;
  const named = (list) => Array.isArray(list) && list.length > 0 && list.every((one) => isObject(one) && one.name !== undefined);
  if (!isObject(plate) || !named(plate.rows) || !named(plate.columns) || !Array.isArray(plate.wells)) return undefined;
  const [rows, columns] = [plate.rows, plate.columns].map((list) => list.map(({ name }) => String(name)));
  const wells = new Map();
  for (const { path, rowIndex, columnIndex } of plate.wells.filter(isObject)) {
    if (typeof path !== "string") continue;
    const [row, column] = path.split("/"); // which version 0.1 has alone
    wells.set(`${rowIndex ?? rows.indexOf(row)}/${columnIndex ?? columns.indexOf(column)}`, path);
  }
  return { rows, columns, wells };
}

/** `onChoose(path)` opens an array; `show(catalog, current)` lists the wells, and the fields of the one that the open array is of, which are marked. */
export function createPlate(root, onChoose) {
  const fields = el("div", { class: "fields", role: "group", "aria-label": "Fields of the well", hidden: true });
  let well; // whose fields are listed

  /** Lists the fields of a well that has several. */
  async function list(catalog, path, current) {
    const paths = await fieldsOf(catalog, path);
    if (well !== path) return;
    fields.hidden = paths.length < 2;
    fields.replaceChildren("Field ", ...paths.map((field, nth) => el("button", { type: "button", class: "quiet", "aria-label": `Field ${nth + 1}`, title: field, "aria-pressed": String(current.startsWith(`${field}/`)), onclick: async () => onChoose(await finestOf(catalog, field)) }, String(nth + 1))));
  }

  return (catalog, current) => {
    const plate = plateIn(catalog.attrs);
    root.hidden = !plate;
    if (!plate) return root.replaceChildren();
    const isOpen = (path) => Boolean(current?.startsWith(`${path}/`));
    const cell = (name, path) => {
      if (path === undefined) return el("td");
      const choose = async () => onChoose(await finestOf(catalog, (await fieldsOf(catalog, path))[0]));
      return el("td", {}, el("button", { type: "button", class: "well", title: name, "aria-label": `Well ${name}`, "aria-pressed": String(isOpen(path)), onclick: choose }));
    };
    well = [...plate.wells.values()].find(isOpen);
    if (well) list(catalog, well, current);
    else fields.hidden = true;
    root.replaceChildren(el("table", { class: "plate" }, el("caption", { class: "visually-hidden" }, "Wells of the plate"),
      el("thead", {}, el("tr", {}, el("td"), plate.columns.map((name) => el("th", { scope: "col" }, name)))),
      el("tbody", {}, plate.rows.map((name, r) => el("tr", {}, el("th", { scope: "row" }, name), plate.columns.map((column, c) => cell(`${name}${column}`, plate.wells.get(`${r}/${c}`))))))), fields);
  };
}
