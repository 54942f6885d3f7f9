// Writes the code that reads what is drawn: in JavaScript with this package, in Python with xarray or zarr-python.
import { versionOptions } from "../history/versions.js";
import { accessTo } from "../private/keep.js";

const text = (value) => JSON.stringify(value);

function options({ dataset: { decoder, kind } }) {
  const given = kind === "numbers" ? decoder.options : {};
  const parts = Object.entries(given).filter(([name, value]) => value !== undefined && name !== "minmax").map(([name, value]) => `${name}: ${text(value)}`);
  return parts.length ? `, { ${parts.join(", ")} }` : "";
}

/** A module that reads the drawn values into `data`. */
export function javascriptOf(state) {
  const { dataset, catalog, plane } = state;
  const isSliced = plane.selection.some((item) => item !== null && typeof item === "object");
  const selection = plane.selection.map((item) => (item !== null && typeof item === "object" ? `slice(${item.start}, ${item.stop}, ${item.step})` : item));
  const path = openOptions(state);
  const method = dataset.decoder.isTimes ? "decodeTime" : "get";
  const [base, isZip] = [text(catalog.place.base), Boolean(catalog.place.keys)];
  return `import { RectilinearArray${isSliced ? ", slice" : ""} } from "rectilinear-zarr";
${isZip ? 'import { zipStore } from "rectilinear-zarr/stores";\n' : ""}
const array = await RectilinearArray.open(${isZip ? `await zipStore(${base})` : base}${path});
const { data, shape } = await array.${method}([${selection.map(String).join(", ")}]${options(state)});
`;
}

/** Options of the opening: the member's path, the version of a repository, and headers without their values. */
function openOptions(state) {
  const { source, version } = state.catalog.place;
  const { headers = [] } = accessTo(source);
  const names = Object.entries({ path: pathOf(state) || undefined, ...versionOptions(version) }).filter(([, value]) => value !== undefined);
  const parts = names.map(([name, value]) => `${name}: ${text(value)}`);
  if (headers.length) parts.push(`headers: { ${headers.map(([name]) => `${text(name)}: "…"`).join(", ")} }`);
  return parts.length ? `, { ${parts.join(", ")} }` : "";
}

/** A level of a pyramid is an array of its own. */
const pathOf = ({ dataset, plane: { source } }) => (source.level ? source.path : dataset.path);

const pySlice = ({ start, stop, step }) => (step === 1 && !start ? `slice(${stop})` : `slice(${start || "None"}, ${stop}${step === 1 ? "" : `, ${step}`})`);

/** Whether what is open is plain Zarr, and not a file or a repository that stands for it. */
export function isPlainZarr({ catalog: { place }, ledger }) {
  if (/\.(zip|json|icechunk|cfdb)$/i.test(place.name)) return false;
  return !ledger.steps.some(({ requests }) => requests.some(({ key }) => /^\w+:\/\/|^\/?(repo$|refs\/|snapshots\/)/.test(key)));
}

/** Whether xarray opens the array's group: what is in it can be listed, every array in it names its dimensions, and these have one length each. */
function isDataset({ dataset: { path }, catalog: { complete, entries } }) {
  if (!complete || !path) return false;
  const folder = path.split("/").slice(0, -1).join("/");
  const beside = entries.filter((entry) => entry.kind === "array" && entry.path.split("/").slice(0, -1).join("/") === folder);
  const sizes = new Map();
  return beside.every(({ shape = [], dimensionNames = [] }) =>
    new Set(dimensionNames).size === shape.length && dimensionNames.every((name, d) => {
      const known = sizes.get(name) ?? shape[d];
      sizes.set(name, shape[d]);
      return name && known === shape[d];
    }));
}

/** A script that reads the drawn values into `view`; undefined where the store takes more than Zarr's own readers. */
export function pythonOf(state) {
  const { dataset, catalog: { place }, plane } = state;
  if (!isPlainZarr(state)) return undefined;
  const { names } = dataset;
  const member = pathOf(state);
  if (!isDataset(state)) {
    const items = plane.selection.map((item) => (item === null ? ":" : typeof item === "object" ? `${item.start || ""}:${item.stop}:${item.step}` : item));
    const path = member ? `, path=${text(member)}` : "";
    const turned = plane.swapped ? ".T" : "";
    return `import zarr\n\narray = zarr.open_array(${text(place.base)}, mode="r"${path})\nview = array[${items.join(", ") || "()"}]${turned}\n`;
  }
  const folders = member.split("/");
  const name = folders.pop();
  const group = folders.length ? `, group=${text(folders.join("/"))}` : "";
  const picked = plane.selection.map((item, d) => (item === null ? undefined : `${text(names[d])}: ${typeof item === "object" ? pySlice(item) : item}`)).filter(Boolean);
  const isel = picked.length ? `.isel({${picked.join(", ")}})` : "";
  const order = plane.swapped ? `.transpose(${plane.shown.map(({ axis }) => text(names[axis])).join(", ")})` : "";
  return `import xarray as xr\n\ndataset = xr.open_zarr(${text(place.base)}${group})\nview = dataset[${text(name)}]${isel}${order}\n`;
}

const ENTITIES = { "&": "&amp;", '"': "&quot;", "<": "&lt;" };

/** An iframe that shows the view of an address of the explorer in another page. */
export function embedOf(address, title) {
  const url = new URL(address);
  url.searchParams.set("embed", "1");
  const quoted = (value) => `"${value.replace(/[&"<]/g, (sign) => ENTITIES[sign])}"`;
  return `<iframe src=${quoted(url.href)} title=${quoted(title)} width="640" height="420" loading="lazy"></iframe>\n`;
}
