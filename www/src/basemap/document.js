// Checks the base map of a catalog: where its tiles are, and whose they are.
import { check, fault, resolved } from "../catalog/document.js";

const MOST_ZOOM = 24;

const isText = (v) => typeof v === "string" && v.trim() !== "";
const isZoom = (v) => Number.isInteger(v) && v >= 0 && v <= MOST_ZOOM;
const ZOOM = [isZoom, `write a whole number from 0 to ${MOST_ZOOM}`];

/** Members of a base map, by name: the check, and what to write. */
const MEMBERS = {
  url: [(v) => isText(v) && ["{z}", "{x}"].every((part) => v.includes(part)) && /\{-?y\}/.test(v), "write the address of a tile with {z}, {x} and {y} (or {-y}, counted from the south) in it"],
  attribution: [isText, "write whose map it is, such as “© OpenStreetMap contributors”"],
  link: [isText, "write the address of a page on the map and its licence"],
  minzoom: ZOOM,
  maxzoom: ZOOM,
  tileSize: [(v) => Number.isInteger(v) && v >= 64 && v <= 1024, "write how many pixels of a page a tile is wide, from 64 to 1024"],
  opacity: [(v) => Number.isFinite(v) && v >= 0.05 && v <= 1, "write a number from 0.05 to 1: how much the data cover of the map"],
  shown: [(v) => typeof v === "boolean", "write true or false: whether the map is there before a visitor asks for it"],
};

const BRACES = /%7B(-?[zxy])%7D/gi;

/** The base map that a catalog at `base` gives, with what it leaves out: `{ url, attribution, link, minzoom, maxzoom, tileSize, opacity, shown }`. Throws as the catalog's own check does. */
export function basemapOf(given, base) {
  check(given, MEMBERS, "/basemap", "url");
  if (given.attribution === undefined) throw fault("/basemap/attribution", `it is missing; ${MEMBERS.attribution[1]}`);
  const { minzoom = 0, maxzoom = 19, tileSize = 256, opacity = 1, shown = true } = given;
  if (minzoom > maxzoom) throw fault("/basemap/maxzoom", "write a number that is not below minzoom");
  const url = resolved(given.url, base, "/basemap/url").href.replaceAll(BRACES, "{$1}");
  return { url, attribution: given.attribution, link: resolved(given.link, base, "/basemap/link")?.href, minzoom, maxzoom, tileSize, opacity, shown };
}
