// Reads and writes the parts of WebAssembly modules that the build changes.

/** A number as WebAssembly's sections have it, seven bits a byte. */
export const leb = (n) => (n < 128 ? [n] : [(n % 128) + 128, ...leb(Math.floor(n / 128))]);

/** The number at this place, and where it ends. */
export function unleb(bytes, at) {
  let [value, end] = [0, at];
  do value += (bytes[end] % 128) * 128 ** (end - at);
  while (bytes[end++] > 127);
  return [value, end];
}

/** The numbers of sections. */
export const [CUSTOM, TYPES, IMPORTS, CODE] = [0, 1, 2, 10];

/** Where a section and its content are. Sections follow a header of eight bytes, each with its number. */
export function sectionOf(module, number) {
  let start = 8;
  let [length, at] = unleb(module, start + 1);
  while (module[start] !== number) {
    start = at + length;
    [length, at] = unleb(module, start + 1);
  }
  return { start, at, end: at + length };
}

/** A section of this number and content. */
export const section = (number, content) => Buffer.concat([Buffer.from([number, ...leb(content.length)]), content]);

/** Bytes with their length before them, as sections have names. */
export const counted = (bytes) => Buffer.concat([Buffer.from(leb(bytes.length)), bytes]);
