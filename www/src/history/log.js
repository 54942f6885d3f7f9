// Reads the names and the history of a repository, and says them in words.
import { Group } from "rectilinear-zarr";
import { accessTo } from "../private/keep.js";
import { dateText, momentAt } from "../model/time.js";
import { versionOptions } from "./versions.js";

const LONGEST = 60; // letters of a message in a list

/** Branches and tags with the ids of their snapshots; undefined in version 1 of the format, where no host can list them. */
export const namesOf = ({ group }) => group.refs().catch(() => undefined);

/** Snapshots up to the newest of a branch or a tag, or to the one that is open, newest first. */
export async function logOf({ group, place }) {
  const { branch, tag, snapshot } = place.version ?? {};
  if (!snapshot || !(branch || tag)) return group.snapshots();
  const named = await Group.open(place.source, { ...(await accessTo(place.source)), ...versionOptions({ branch, tag }) });
  return named.snapshots().finally(() => named.free());
}

/** "3 Nov 2026 12:10 · Another title" */
export function lineOf({ message, writtenAt }) {
  const [first] = message.trim().split("\n");
  const short = first.length > LONGEST ? `${first.slice(0, LONGEST - 1)}…` : first;
  return `${timeOf(writtenAt)} · ${short || "no message"}`;
}

/** The minute of a commit, in UTC. */
export const timeOf = (writtenAt) => dateText(momentAt(Math.floor(writtenAt / 60_000) * 60_000));

/** A version in a word or two: the name of its branch or tag, or its id. */
export function wordOf({ branch, tag, snapshot } = { branch: "main" }) {
  if (snapshot) return `snapshot ${snapshot.slice(0, 6)}…`;
  return tag ? `tag ${tag}` : `branch ${branch}`;
}
