// Says what the array is: its facts, and its attributes. Loaded after the first picture.
import { el } from "../dom.js";
import { count } from "../model/format.js";
import { plain } from "../model/plain.js";

const SHOWN_FIRST = ["source", "references", "license", "comment", "history", "institution"];

/** A license in words, as an attribute has it: text, or the fields of the convention `license`. */
const licenseText = (given) => (typeof given === "object" && given !== null ? (given.spdx ?? given.url ?? given.text ?? given.file ?? given.path ?? plain(given)) : plain(given));

/** A fill value as xarray writes those of floats, eight bytes in base64, as a number too. */
export function fillText(given) {
  if (typeof given !== "string" || !/^[\w+/]{11}=$/.test(given)) return plain(given);
  const bytes = Uint8Array.from(atob(given), (sign) => sign.charCodeAt(0));
  return `${new DataView(bytes.buffer).getFloat64(0, true)} (“${given}”)`;
}

const WRITERS = { license: licenseText, _FillValue: fillText };

export function createAbout(root) {
  return (dataset, address) => {
    const { attrs, stored: { shape } = dataset } = dataset;
    const facts = [["Address", address], ["Path", dataset.path || "the store itself"], ["Shape", shape.map(count).join(" × ") || "scalar"], ["Type", dataset.dtype],
      ["Chunks", dataset.grid.shape.map(count).join(" × ") || "1"], ["Shards", dataset.shards?.shape.map(count).join(" × ")], ["Codecs", dataset.codecs.map(({ name, here }) => (here ? name : `${name} (not here)`)).join(", ")], ["Fill value", plain(dataset.fillValue)], ["Zarr", `v${dataset.zarrFormat}`]].filter(([, v]) => v);
    const rest = [...SHOWN_FIRST.filter((name) => name in attrs), ...Object.keys(attrs).filter((name) => !SHOWN_FIRST.includes(name))];
    root.hidden = false;
    root.replaceChildren(el("details", { open: root.querySelector("details")?.open ?? matchMedia("(min-width: 60rem)").matches }, el("summary", {}, "About this array"),
      el("dl", {}, [...facts, ...rest.map((name) => [name, (WRITERS[name] ?? plain)(attrs[name])])].flatMap(([name, v]) => [el("dt", {}, name), el("dd", {}, v)]))));
  };
}
