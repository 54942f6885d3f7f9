// Reads and writes sections of WebAssembly modules.

/** Unsigned LEB128 encoding of a number: seven bits a byte. */
export const leb = (n) => (n < 128 ? [n] : [(n % 128) + 128, ...leb(Math.floor(n / 128))]);

/** Decodes the unsigned LEB128 number at an offset; returns the number, and the offset after it. */
export function unleb(bytes, at) {
  let [value, end] = [0, at];
  do value += (bytes[end] % 128) * 128 ** (end - at);
  while (bytes[end++] > 127);
  return [value, end];
}

/** Ids of sections. */
export const [CUSTOM, TYPES, IMPORTS] = [0, 1, 2];

/** Offsets of a section, its content and its end. Sections follow a header of eight bytes; each begins with its id. */
export function sectionOf(module, number) {
  let start = 8;
  while (start < module.length) {
    const [length, at] = unleb(module, start + 1);
    if (module[start] === number) return { start, at, end: at + length };
    start = at + length;
  }
  throw new Error(`the module has no section ${number}`);
}

/** Section with an id and content. */
export const section = (number, content) => Buffer.concat([Buffer.from([number, ...leb(content.length)]), content]);

/** Bytes after their length, the form of names in sections. */
export const counted = (bytes) => Buffer.concat([Buffer.from(leb(bytes.length)), bytes]);
