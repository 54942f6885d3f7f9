// Writes the script that reads what is drawn: with xarray, with zarr-python where xarray would refuse the group, and of a repository with icechunk.
import { keptOf } from "../private/keep.js";
import { channelsOf, isExact, isSlice, otherPathOf, pathOf, selectionsOf } from "./reads.js";

const text = (value) => JSON.stringify(value);
const pySlice = ({ start, stop, step }) => (step === 1 && !start ? `slice(${stop})` : `slice(${start || "None"}, ${stop}${step === 1 ? "" : `, ${step}`})`);

/** Whether what is open is plain Zarr, and not a file or a repository that stands for it. */
export function isPlainZarr({ catalog: { place }, ledger }) {
  if (/\.(zip|ozx|json|icechunk|cfdb)$/i.test(place.name)) return false;
  return !ledger.steps.some(({ requests }) => requests.some(({ key }) => /^\w+:\/\/|^\/?(repo$|refs\/|snapshots\/)/.test(key)));
}

/** Whether chunks were read of files outside of the repository, which icechunk reads where it is told so alone. */
const isVirtual = ({ catalog: { place }, ledger }) => ledger.steps.some(({ requests }) => requests.some(({ key }) => /^\w+:\/\//.test(key) && !key.startsWith(place.base)));

const folderOf = (path) => path.split("/").slice(0, -1).join("/");

/** The arrays in the folder of the one that is drawn. */
const besideOf = ({ dataset: { path }, catalog: { entries } }) => entries.filter((entry) => entry.kind === "array" && folderOf(entry.path) === folderOf(path));

/** Whether xarray opens the array's group: what is in it can be listed, every array in it names its dimensions, and these have one length each. */
function isDataset(state) {
  const { dataset: { path }, catalog: { complete } } = state;
  if (!complete || !path) return false;
  const sizes = new Map();
  return besideOf(state).every(({ shape = [], dimensionNames = [] }) =>
    new Set(dimensionNames).size === shape.length && dimensionNames.every((name, d) => {
      const known = sizes.get(name) ?? shape[d];
      sizes.set(name, shape[d]);
      return name && known === shape[d];
    }));
}

/** Whether zarr-python has to be told that it may read chunks of unequal lengths. */
function isUneven(state, byXarray) {
  const { source, less } = state.plane;
  const isCut = ({ grid, shards = grid }) => !shards.isRegular;
  return isCut(source) || Boolean(less && isCut(less.source)) || (byXarray && besideOf(state).some(({ chunkRuns = [] }) => chunkRuns.some((runs) => runs.length > 1)));
}

/** The store in Python, and the lines that open it, whose names end in `mark`. */
function storeOf(state, mark = "") {
  const { place, isRepository } = state.catalog;
  if (!isRepository) return { store: text(place.base), lines: [], imports: [] };
  const { headers = [] } = keptOf(place.source) ?? {};
  const sent = headers.length ? `, headers={${headers.map(([name]) => `${text(name)}: "…"`).join(", ")}}` : "";
  const { branch = "main", tag, snapshot } = place.version ?? {};
  const version = snapshot ? `snapshot_id=${text(snapshot)}` : tag ? `tag=${text(tag)}` : `branch=${text(branch)}`;
  const trust = isVirtual(state) ? [`containers${mark} = icechunk.Repository.fetch_config(storage${mark}).virtual_chunk_containers  # of the files that chunks lie in`] : [];
  const trusted = trust.length ? `, authorize_virtual_chunk_access=dict.fromkeys(containers${mark})` : "";
  return {
    store: `session${mark}.store`, imports: ["import icechunk"],
    lines: [`storage${mark} = icechunk.http_storage(${text(place.base)}${sent})`, ...trust, `session${mark} = icechunk.Repository.open(storage${mark}${trusted}).readonly_session(${version})`],
  };
}

/** The line that opens the array at a path, under a name, and `at(selection)`, the expression of a plane of it as it is drawn. */
function arrayOf(state, byXarray, store, array = "array", member = pathOf(state)) {
  const { dataset: { names }, plane, catalog: { isRepository } } = state;
  if (!byXarray) {
    const items = (selection) => selection.map((item) => (item === null ? ":" : isSlice(item) ? `${item.start || ""}:${item.stop}:${item.step}` : item)).join(", ");
    const path = member ? `, path=${text(member)}` : "";
    return { line: `${array} = zarr.open_array(${store}, mode="r"${path})`, at: (selection) => `${array}[${items(selection) || "()"}]${plane.swapped ? ".T" : ""}` };
  }
  const group = folderOf(member) ? `, group=${text(folderOf(member))}` : "";
  const order = plane.swapped ? `.transpose(${plane.shown.map(({ axis }) => text(names[axis])).join(", ")})` : "";
  const isel = (selection) => {
    const picked = selection.flatMap((item, d) => (item === null ? [] : [`${text(names[d])}: ${isSlice(item) ? pySlice(item) : item}`]));
    return picked.length ? `.isel({${picked.join(", ")}})` : "";
  };
  return {
    line: `${array} = xr.open_zarr(${store}${isRepository ? ", consolidated=False" : ""}${group})[${text(member.split("/").at(-1))}]`,
    at: (selection) => `${array}${isel(selection)}${order}`,
  };
}

/** Lines that make the view of the planes. */
function viewOf(state, at, atOther = at) {
  const { join } = state.plane;
  const [now, then] = selectionsOf(state).map((selection, nth) => (nth ? atOther : at)(selection));
  if (join === "difference") return [isExact(state) ? `view = (${now}.astype(object) - ${then}.astype(object)).astype("float64")` : `view = ${now}.astype("float64") - ${then}.astype("float64")`];
  if (join !== "channels") return [`view = ${now}`];
  const list = channelsOf(state).map(({ label, colour, range, selection }) => `    (${text(label)}, ${at(selection)}, (${colour.join(", ")}), (${range.join(", ")})),`);
  return [
    "channels = [  # name, values, colour, and the values of black and of the full colour", ...list, "]",
    "parts = [np.clip((np.asarray(plane, dtype=\"float64\") - black) / (full - black), 0, 1) for _, plane, _, (black, full) in channels]",
    "view = sum(np.nan_to_num(part)[..., np.newaxis] * colour for part, (_, _, colour, _) in zip(parts, channels))",
    "view = view.clip(0, 255).round().astype(\"uint8\")  # red, green and blue of each cell",
  ];
}

/** A script that reads what is drawn into `view`; undefined where the store takes more than Zarr's own readers and icechunk, as one whose address is signed does. */
export function pythonOf(state) {
  const { against } = state;
  const elsewhere = against?.catalog && { ...state, catalog: against.catalog, dataset: against.dataset };
  const stores = [state, ...(elsewhere ? [elsewhere] : [])];
  if (stores.some(({ catalog: { place } }) => place.base && new URL(place.base).search)) return undefined; // zarr-python would put paths after the signature
  if (stores.some((one) => !one.catalog.isRepository && !isPlainZarr(one))) return undefined;
  const byXarray = stores.every(isDataset);
  if (against && !byXarray && [state.dataset, against.dataset].some(({ decoder }) => decoder.isPacked)) return undefined; // by other factors, stored numbers have no difference
  const uneven = stores.some((one) => isUneven(one, byXarray));
  const opened = stores.map((one, nth) => storeOf(one, nth ? "_of_other" : ""));
  const lines = opened.flatMap((one) => one.lines);
  const imports = [...new Set(opened.flatMap((one) => one.imports))];
  const { line, at: itemsAt } = arrayOf(state, byXarray, opened[0].store);
  const other = against && arrayOf(elsewhere ?? state, byXarray, opened.at(-1).store, "other", otherPathOf(state));
  // Cells of two stores meet by their positions: labels may differ by a rounding.
  const at = byXarray && elsewhere ? (selection) => `${itemsAt(selection)}.to_numpy()` : itemsAt;
  const atOther = byXarray && elsewhere ? (selection) => `${other.at(selection)}.to_numpy()` : other?.at;
  const all = [...imports, ...(state.plane.join === "channels" ? ["import numpy as np"] : []), ...(byXarray ? ["import xarray as xr"] : []), ...(uneven || !byXarray ? ["import zarr"] : [])];
  const config = uneven ? ['zarr.config.set({"array.rectilinear_chunks": True})'] : [];
  return `${[...all, "", ...config, ...lines, line, ...(other ? [other.line] : []), ...viewOf(state, at, atOther)].join("\n")}\n`;
}
