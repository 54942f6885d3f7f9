// Lists what is in a zip or a folder of this device, by looking where it has metadata.
import { plural } from "../model/format.js";
import { look } from "./node.js";

const MOST_OPENED = 2000; // nodes that are opened one by one to be listed
const METADATA = /(?:^|\/)(?:zarr\.json|\.zarray|\.zgroup)$/;

/** Paths of everything in a list of keys that has metadata. */
const nodesIn = (keys) => [...new Set(keys.filter((key) => METADATA.test(key)).map((key) => key.slice(1).split("/").slice(0, -1).join("/")))].sort();

/** Names in a folder, without going into arrays, whose chunks may be many. */
async function walked(folder, path = "", found = []) {
  const children = [];
  let kind;
  for await (const [name, handle] of folder.entries()) {
    if (handle.kind === "directory") children.push(handle);
    else if (name === ".zarray") kind = "array";
    else if (name === ".zgroup") kind = "group";
    else if (name === "zarr.json") kind = JSON.parse(await (await handle.getFile()).text()).node_type;
  }
  if (kind) found.push(path);
  if (kind === "array") return found;
  for (const child of children.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (found.length <= MOST_OPENED) await walked(child, path ? `${path}/${child.name}` : child.name, found);
  }
  return found;
}

/** Entries for every node of a zip or a folder, the groups above them included, as `{ entries, note }`. */
export async function listed(place, options) {
  const paths = place.keys ? nodesIn(place.keys) : await walked(place.folder);
  const entries = await Promise.all(paths.slice(0, MOST_OPENED).map((path) => look(place.source, path, options)));
  const known = new Set(paths);
  for (const path of paths) {
    for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
      const above = path.slice(0, at);
      if (!known.has(above)) entries.push({ path: above, kind: "group", attrs: {} });
      known.add(above);
    }
  }
  const note = paths.length > MOST_OPENED ? `Only the first ${plural(MOST_OPENED, "array")} and groups are listed.` : "";
  return { entries: entries.filter(({ path, kind }) => path !== "" || kind === "array").sort((a, b) => (a.path < b.path ? -1 : 1)), note };
}
