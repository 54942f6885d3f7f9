// Versions of an Icechunk repository: what a link says of one, and the options that open it.

const ID = /^[0-9A-HJKMNP-TV-Z]{20}$/;
const FILE = /\/snapshots\/[0-9A-HJKMNP-TV-Z]{20}(\?|$)/;

/** Whether a request was for a file that only a repository has. */
export const isOfRepository = (key) => FILE.test(key);

/** The version that parts of a link name; undefined where they name none, or two. */
export function versionIn(branch, tag, snapshot) {
  if ((branch && tag) || (snapshot && !ID.test(snapshot)) || !(branch || tag || snapshot)) return undefined;
  return { branch: branch || undefined, tag: tag || undefined, snapshot: snapshot || undefined };
}

/** Options of the opening of a version: a snapshot goes before the branch or the tag in whose history it was chosen. */
export function versionOptions({ branch, tag, snapshot } = {}) {
  if (snapshot) return { snapshot };
  return tag ? { tag } : branch ? { branch } : {};
}

/** A version as one text, `branch:main`, `tag:v1` or the id of a snapshot, and back; undefined of a text that is none. */
export const textOf = ({ branch, tag, snapshot }) => snapshot ?? (tag ? `tag:${tag}` : `branch:${branch}`);
export function versionOf(text = "") {
  const [, kind, name] = /^(branch|tag):(.+)$/s.exec(text) ?? [];
  return kind ? versionIn(kind === "branch" && name, kind === "tag" && name) : versionIn(undefined, undefined, text);
}
