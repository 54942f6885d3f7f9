// Checks a catalog, the document explorer.json of a page: what it may hold, and in words where it is wrong and what to write instead.
import { isColourMap } from "../model/colormap.js";
import { readable, webAddress } from "../model/source.js";
import { addressOf } from "../page/hash.js";

const MOST_STORES = 500;
const MOST_AT_ONCE = 8; // stores of which a page opens the first; of more it begins with their list

const isText = (v) => typeof v === "string" && v.trim() !== "";
const isObject = (v) => typeof v === "object" && v !== null && !Array.isArray(v);
const isWhole = (n) => Number.isSafeInteger(n) && n >= 0;
const isFlag = (v) => typeof v === "boolean";
const isListOf = (fits, length) => (v) => Array.isArray(v) && v.length > 0 && v.every(fits) && (length === undefined || v.length === length);
const isPath = (v) => isText(v) && v.split("/").every((part) => part && part !== "." && part !== "..");

const isDegrees = ([west, south, east, north]) => -360 <= west && west <= east && east <= 360 && -90 <= south && south <= north && north <= 90;
const DATE = /^[+-]?\d{4,6}(-\d\d(-\d\d)?)?$/;

const TEXT = [isText, "write a text that is not empty"];
const ADDRESS = [isText, "write an address as a text; it may be relative to the catalog"];
const FLAG = [isFlag, "write true or false"];

/** Members of a catalog and of a store in it, by name: the check, and what to write. */
const OF_CATALOG = {
  $schema: TEXT,
  title: TEXT,
  logo: ADDRESS,
  first: [(v) => v === "list" || v === "store", "write “list” or “store”: what the page begins with"],
  theme: [isObject, "write an object of colours, letters and corners"],
  basemap: [isObject, "write an object of a map's url and attribution"],
  stores: [(v) => isListOf(isObject)(v) && v.length <= MOST_STORES, `write a list of 1 to ${MOST_STORES} stores, each an object`],
};
const OF_STORE = {
  url: ADDRESS,
  title: TEXT,
  description: TEXT,
  thumbnail: ADDRESS,
  bbox: [(v) => isListOf(Number.isFinite, 4)(v) && isDegrees(v), "write four numbers of degrees: west, south, east and north"],
  time: [(v) => isListOf((end) => end === null || (isText(end) && DATE.test(end)), 2)(v) && v.some(Boolean), "write two dates such as “1940-01-01” or “2024”, or null for no end"],
  array: [isPath, "write the path of an array in the store, such as “surface/t2m”, without slashes around it"],
  colours: [(v) => isText(v) && isColourMap(v), "write a name that the list of colours has, such as “viridis”, with “-r” behind it for the other way round"],
  range: [(v) => isListOf(Number.isFinite, 2)(v) && v[0] < v[1], "write two numbers that rise"],
  at: [isListOf(isWhole), "write a list of whole numbers from 0, one for each axis that is not drawn"],
  axes: [(v) => isListOf(isWhole)(v) && new Set(v).size === v.length, "write a list of the numbers of the axes to draw, from 0"],
  view: [(v) => isListOf(Number.isFinite, 3)(v) && v[2] >= 1, "write three numbers: the row and the column in the middle, and how many times it is enlarged, from 1"],
  chunks: FLAG,
  coast: FLAG,
};

/** The error of a catalog: where in it, and what to do. */
export const fault = (where, remedy) => Object.assign(new Error(`${where}: ${remedy}.`), { name: "Catalog" });

/** Checks each member of an object, which has to have the one that is `required`, if any, of which `at` is the JSON pointer. One that this page does not know, as a later one may, is passed over with a word in the console. */
export function check(object, members, at, required) {
  for (const name of Object.keys(object)) {
    const pointer = `${at}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    if (!Object.hasOwn(members, name)) {
      console.warn(`${pointer}: there is no member of this name, so it is passed over; the names are ${Object.keys(members).join(", ")}.`);
      continue;
    }
    const [fits, remedy] = members[name];
    if (!fits(object[name])) throw fault(pointer, remedy);
  }
  if (required && !Object.hasOwn(object, required)) throw fault(`${at}/${required}`, `it is missing; ${members[required][1]}`);
}

/** The web address that a member means; undefined where there is none. */
export function resolved(text, base, pointer) {
  if (text === undefined) return undefined;
  let url;
  try {
    url = new URL(webAddress(text, base));
  } catch (error) {
    throw fault(pointer, error.message.replace(/\.$/, ""));
  }
  if (!/^https?:$/.test(url.protocol)) throw fault(pointer, `“${url.protocol}” is no address of the web; write one that begins with https://, or one relative to the catalog`);
  return url;
}

function storeOf(given, base, at) {
  check(given, OF_STORE, at, "url");
  const { title, description, bbox, time, array, colours, range, at: index, axes, view, chunks, coast } = given;
  const address = resolved(given.url, base, `${at}/url`);
  if (array) address.pathname = [address.pathname.replace(/\/+$/, ""), ...array.split("/").map(encodeURIComponent)].join("/");
  const url = address.href;
  return {
    url, title: title ?? readable(address.pathname.split("/").filter(Boolean).at(-1) ?? address.host), description, bbox, time,
    thumbnail: resolved(given.thumbnail, base, `${at}/thumbnail`)?.href,
    hash: addressOf({ url, index, axes, view, colourMap: colours, range, chunks, coast }),
  };
}

/**
 * The catalog in a text that was read at `base`, as `{ title, logo, first, theme, basemap, base, stores }`, of which theme and base map are not checked here; each store has a `url`, that of its array
 * where one is named, and the `hash` of its view. Throws an error that names the place at fault by its JSON pointer.
 */
export function catalogOf(text, base) {
  let given;
  try {
    given = JSON.parse(text);
  } catch (error) {
    throw fault(base, `it is not JSON (${error.message}); look for a comma too many, or for one that is missing`);
  }
  if (!isObject(given)) throw fault(base, "write an object with the member stores");
  check(given, OF_CATALOG, "", "stores");
  const { title, first = given.stores.length > MOST_AT_ONCE ? "list" : "store", theme, basemap } = given;
  return { title, logo: resolved(given.logo, base, "/logo")?.href, first, theme, basemap, base, stores: given.stores.map((store, i) => storeOf(store, base, `/stores/${i}`)) };
}
