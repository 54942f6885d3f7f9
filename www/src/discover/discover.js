// Finds what is in a group whose metadata are not consolidated: from its host's listing, else by following names in attributes.
import { imageIn } from "../model/image.js";
import { addressIn } from "../model/source.js";
import { namesIn, neighboursIn } from "./conventions.js";
import { namesBelow } from "./listing.js";
import { look, lookIn } from "./node.js";

const MOST = 500; // nodes that are asked about
const DEEPEST = 6; // groups within groups

const join = (folder, name) => (folder ? `${folder}/${name}` : name);
const folderOf = (path) => path.split("/").slice(0, -1).join("/");

const isName = (name) => Boolean(name) && !name.includes("/");

/** Every group on the way to a path, the path itself last. */
const stepsTo = (path) => path.split("/").map((_, i, all) => all.slice(0, i + 1).join("/"));

/**
 * Entries for the tree, as `{ entries, complete }`, of the group at `from` in `place` and what is below it. `complete` says
 * that the host listed every group. `array`, where one is open already, is its entry, and `beside` names what was found
 * beside it; `group` is the place's, if it is open.
 */
export async function discover(place, attrs, { signal, from = "", array, beside = [], group }) {
  const found = new Map();
  const asked = new Set([from]);
  const images = new Set(); // groups whose arrays have no others beside them for their coordinates
  let complete = Boolean(place.base);
  let queue = [];
  let labels; // path of the labels of the image that is open, if it has some

  /** Puts names in the queue that nobody asked about. */
  function want(folder, names) {
    for (const path of names.flatMap((name) => stepsTo(join(folder, name)))) {
      if (asked.has(path) || asked.size > MOST || path.split("/").length > DEEPEST || (from && !path.startsWith(`${from}/`))) continue;
      asked.add(path);
      queue.push(path);
    }
  }

  /** Lists a group, or follows what its attributes name; once a host did not list, it is not asked again. */
  async function enter(path, its) {
    if (imageIn(its)) images.add(path);
    const names = complete ? await namesBelow(addressIn(place, path), signal) : undefined;
    complete = Boolean(names);
    if (array && !names && images.has(path) && path === folderOf(array.path)) labels = join(path, "labels"); // which no attribute of an image names
    want(path, names?.folders ?? [...namesIn(its), ...(labels === join(path, "labels") ? ["labels"] : [])]);
  }

  async function visit(path) {
    const { absent, members, ...entry } = await (labels === path && group ? lookIn(group, path, { signal }) : look(place.source, path, { signal }));
    if (absent) return;
    found.set(path, entry);
    for (const member of members ?? []) found.set(member.path, member);
    if (entry.kind === "group" && !members) await enter(path, entry.attrs);
    if (entry.kind === "array" && !complete && !images.has(folderOf(path))) {
      want(folderOf(path), [...(entry.dimensionNames ?? []), ...neighboursIn(entry.attrs)].filter(isName));
    }
  }

  if (array) {
    found.set(array.path, array);
    asked.add(array.path);
    want("", [folderOf(array.path)].filter(Boolean));
    want(folderOf(array.path), [...beside, ...neighboursIn(array.attrs)].filter(isName));
  }
  await enter(from, attrs);
  while (queue.length) {
    const round = queue;
    queue = [];
    await Promise.all(round.map(visit));
  }
  const entries = [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  return { entries, complete: complete && asked.size <= MOST };
}
