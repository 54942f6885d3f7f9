/** The fixtures as files: the archives in git (`tests/oracle/archives.py` writes them), unpacked once into target/fixtures. */

import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** Names and bytes of the members of a zip without compression. */
function* members(zip) {
  const end = zip.lastIndexOf("PK\x05\x06", undefined, "latin1");
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    const [size, nameLength, extra, comment, header] = [
      zip.readUInt32LE(at + 20),
      zip.readUInt16LE(at + 28),
      zip.readUInt16LE(at + 30),
      zip.readUInt16LE(at + 32),
      zip.readUInt32LE(at + 42),
    ];
    const start = header + 30 + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28);
    yield [zip.toString("utf8", at + 46, at + 46 + nameLength), zip.subarray(start, start + size)];
    at += 46 + nameLength + extra + comment;
  }
}

/** Writes the members of the archives of a folder, and its JSON files, to another folder. */
function unpack(from, to) {
  const made = new Set();
  const filter = (path) => !basename(path).includes(".") || path.endsWith(".json") || path === from;
  cpSync(from, to, { recursive: true, filter });
  for (const name of readdirSync(from).filter((name) => name.endsWith(".zip"))) {
    for (const [member, bytes] of members(readFileSync(join(from, name)))) {
      const folder = join(to, dirname(member));
      if (!made.has(folder)) mkdirSync(folder, { recursive: true });
      made.add(folder);
      writeFileSync(join(to, member), bytes);
    }
  }
}

/** Folder with `fixtures` and `neighbours` of a repository. Processes that unpack at the same time do not disturb each other. */
export function unpacked(root) {
  const digest = readFileSync(join(root, "tests/fixtures/digest.txt"), "utf8").trim();
  const all = join(root, "target/fixtures");
  const folder = join(all, digest);
  if (existsSync(folder)) return folder;
  mkdirSync(all, { recursive: true });
  const begun = mkdtempSync(join(all, `begun-${digest}-`));
  unpack(join(root, "tests/fixtures"), join(begun, "fixtures"));
  unpack(join(root, "tests/neighbours/fixtures"), join(begun, "neighbours"));
  try {
    renameSync(begun, folder);
  } catch (error) {
    rmSync(begun, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
  for (const old of readdirSync(all)) {
    if (!old.includes(digest)) rmSync(join(all, old), { recursive: true, force: true });
  }
  return folder;
}
