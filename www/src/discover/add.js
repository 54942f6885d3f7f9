// Adds what a name means to a store that cannot be listed. Loaded with the first name that is given.
import { discover } from "./discover.js";
import { look } from "./node.js";

/** Adds a member by its name, and what is in it; gives its entry. Rejects where nothing is there. */
export async function addMember(catalog, name, signal) {
  const path = name.split("/").filter(Boolean).join("/");
  const known = catalog.entries.find((entry) => entry.path === path);
  if (known) return known;
  const { absent, members = [], ...entry } = await look(catalog.place.source, path, { signal });
  if (entry.error) throw Object.assign(new Error(absent ? `nothing named “${path}” is in ${catalog.place.name}` : entry.error), { name: absent ? "NotFoundError" : "UnsupportedError" });
  const below = entry.kind === "group" && !members.length ? (await discover(catalog.place, entry.attrs, { signal, from: path })).entries : members;
  const all = new Map([...below, entry, ...catalog.entries].map((each) => [each.path, each]));
  catalog.followed = false; // of this member, nobody asked what its attributes name
  catalog.entries = [...all.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  return entry;
}
