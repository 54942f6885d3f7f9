// The wells of an OME-Zarr plate as a table of rows and columns, each a button that opens its first image. Loaded with the first plate.
import { el } from "../dom.js";
import { isObject } from "../model/image.js";

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

/** `onChoose(path)` opens an array; `show(catalog, current)` lists the wells, of which that of the open array is marked. */
export function createPlate(root, onChoose) {
  return (catalog, current) => {
    const plate = plateIn(catalog.attrs);
    root.hidden = !plate;
    if (!plate) return root.replaceChildren();
    const arrays = catalog.entries.filter(({ kind, error }) => kind === "array" && !error).map(({ path }) => path);
    const cell = (name, path) => {
      if (path === undefined) return el("td");
      const first = arrays.find((each) => each.startsWith(`${path}/`)) ?? `${path}/0/0`; // the first level of its first field
      return el("td", {}, el("button", { type: "button", class: "well", title: name, "aria-label": `Well ${name}`, "aria-pressed": String(Boolean(current?.startsWith(`${path}/`))), onclick: () => onChoose(first) }));
    };
    root.replaceChildren(el("table", { class: "plate" }, el("caption", { class: "visually-hidden" }, "Wells of the plate"),
      el("thead", {}, el("tr", {}, el("td"), plate.columns.map((name) => el("th", { scope: "col" }, name)))),
      el("tbody", {}, plate.rows.map((name, r) => el("tr", {}, el("th", { scope: "row" }, name), plate.columns.map((column, c) => cell(`${name}${column}`, plate.wells.get(`${r}/${c}`))))))));
  };
}
