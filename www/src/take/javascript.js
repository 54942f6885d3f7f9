// Writes the module that reads what is drawn, with this package.
import { versionOptions } from "../history/versions.js";
import { keptOf } from "../private/keep.js";
import { optionsOf, serviceOf } from "../private/services.js";
import { channelsOf, isExact, isSlice, otherPathOf, pathOf, selectionsOf } from "./reads.js";

const text = (value) => JSON.stringify(value);

/** Options of a read. */
function options({ decoder, kind }) {
  const given = kind === "numbers" ? decoder.options : {};
  const parts = Object.entries(given).filter(([name, value]) => value !== undefined && name !== "minmax").map(([name, value]) => `${name}: ${text(value)}`);
  return parts.length ? `, { ${parts.join(", ")} }` : "";
}

/** Name of what makes the access to a bucket whose keys are kept, and a call of it without them; nothing for other sources. */
function accessOf({ base, source }) {
  const { keys } = keptOf(source) ?? {};
  if (!keys) return {};
  const { origin } = new URL(base);
  const written = (value) => (typeof value === "object" ? `{ ${Object.entries(value).map(([name, own]) => `${name}: ${written(own)}`).join(", ")} }` : text(value));
  const secret = (given) => (typeof given === "object" ? Object.fromEntries(Object.keys(given).map((name) => [name, "…"])) : "…");
  const options = Object.entries(optionsOf(origin, keys)).map(([name, value]) => [name, ["credentials", "hmac"].includes(name) ? secret(value) : value]);
  const service = serviceOf(origin);
  return { service, call: `${service}(${written(Object.fromEntries(options))})` };
}

/** Options of the opening: the member's path, the version of a repository, and headers and keys without their values. */
function openOptions(state, path = pathOf(state)) {
  const { source, version } = state.catalog.place;
  const { headers = [] } = keptOf(source) ?? {};
  const { call } = accessOf(state.catalog.place);
  const names = Object.entries({ path: path || undefined, ...versionOptions(version) }).filter(([, value]) => value !== undefined);
  const parts = names.map(([name, value]) => `${name}: ${text(value)}`);
  if (headers.length) parts.push(`headers: { ${headers.map(([name]) => `${text(name)}: "…"`).join(", ")} }`);
  if (call) parts.push(`access: ${call}`);
  return parts.length ? `, { ${parts.join(", ")} }` : "";
}

const listOf = (selection) => `[${selection.map((item) => (isSlice(item) ? `slice(${item.start}, ${item.stop}, ${item.step})` : String(item))).join(", ")}]`;

/** Lines that read the one selection into `data`. */
function plain(state) {
  const method = state.dataset.decoder.isTimes ? "decodeTime" : "get";
  return `const { data, shape } = await array.${method}(${listOf(state.plane.selection)}${options(state.dataset)});\n`;
}

/** Lines that read two steps, or a step of two arrays, and take the second off the first. */
function difference(state) {
  const { dataset, against } = state;
  const isWide = isExact(state);
  const reads = [["array", dataset], against ? ["other", against.dataset] : ["array", dataset]];
  const [now, then] = selectionsOf(state).map((selection, nth) => `${reads[nth][0]}.get(${listOf(selection)}${isWide ? "" : options(reads[nth][1])})`);
  const less = isWide ? `Array.from(now, (value, i) => Number(${against ? "BigInt(value) - BigInt(then[i])" : "value - then[i]"}))` : "now.map((value, i) => value - then[i])";
  return `const [{ data: now, shape }, { data: then }] = await Promise.all([
  ${now},
  ${then},
]);
const data = ${less};
`;
}

/** Lines that read each channel, and add them up in their colours. */
function channels(state) {
  const list = channelsOf(state).map(({ label, colour, range, selection }) => `  { label: ${text(label)}, selection: ${listOf(selection)}, colour: ${text(colour)}, range: ${text(range)} },\n`);
  return `const channels = [
${list.join("")}];
const planes = await Promise.all(channels.map(({ selection }) => array.get(selection${options(state.dataset)})));
const [{ shape }] = planes;
const data = new Uint8ClampedArray(planes[0].data.length * 4); // red, green, blue and opacity of each cell
channels.forEach(({ colour, range: [black, full] }, nth) => planes[nth].data.forEach((value, i) => {
  const part = Math.min(1, Math.max(0, (value - black) / (full - black)));
  colour.forEach((most, k) => (data[i * 4 + k] += part * most));
  data[i * 4 + 3] = 255;
}));
`;
}

/** A module that reads what is drawn into `data`, by the rows of the array. */
export function javascriptOf(state) {
  const { catalog: { place }, plane, against } = state;
  const elsewhere = against?.catalog && { ...state, catalog: against.catalog, dataset: against.dataset };
  const places = [place, ...(elsewhere ? [elsewhere.catalog.place] : [])];
  const isSliced = plane.selection.some(isSlice);
  const isShared = Boolean(against && !elsewhere && place.keys); // a zip that both arrays are in
  const services = [...new Set(places.map((one) => accessOf(one).service).filter(Boolean))];
  const body = { difference, channels }[plane.join] ?? plain;
  const [source, other] = [place, places.at(-1)].map(({ base, keys }) => (!keys ? text(base) : isShared ? "zip" : `await zipStore(${text(base)})`));
  return `import { RectilinearArray${isSliced ? ", slice" : ""} } from "rectilinear-zarr";
${places.some(({ keys }) => keys) ? 'import { zipStore } from "rectilinear-zarr/stores";\n' : ""}${services.length ? `import { ${services.join(", ")} } from "rectilinear-zarr/access";\n` : ""}
${isShared ? `const zip = await zipStore(${text(place.base)});\n` : ""}const array = await RectilinearArray.open(${source}${openOptions(state)});
${against ? `const other = await RectilinearArray.open(${other}${openOptions(elsewhere ?? state, otherPathOf(state))});\n` : ""}${body(state)}`;
}
