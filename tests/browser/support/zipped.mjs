/** Zips of files that are stored without compression. */

import { crc32 } from "./crc32.mjs";

/** A zip of files: pairs of names and bytes. */
export function zipped(files) {
  const parts = [];
  const directory = [];
  let offset = 0;
  for (const [name, bytes] of files) {
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt32LE(crc32(bytes), 10);
    fields.writeUInt32LE(bytes.length, 14);
    fields.writeUInt32LE(bytes.length, 18);
    fields.writeUInt16LE(Buffer.byteLength(name), 22);
    const end = Buffer.alloc(14);
    end.writeUInt32LE(offset, 10);
    const own = [Buffer.from("PK\x03\x04"), fields, Buffer.from(name), bytes];
    directory.push(Buffer.from("PK\x01\x02\x14\x00"), fields, end, Buffer.from(name));
    parts.push(...own);
    offset += Buffer.concat(own).length;
  }
  const central = Buffer.concat(directory);
  const last = Buffer.alloc(22);
  last.write("PK\x05\x06", "latin1");
  last.writeUInt16LE([...files].length, 8);
  last.writeUInt16LE([...files].length, 10);
  last.writeUInt32LE(central.length, 12);
  last.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, central, last]);
}
