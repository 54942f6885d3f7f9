/** One file of a zip: where its bytes are, and how they become the file's. Every checksum of a whole file is verified. */

/** A local file header up to the name, and its first four bytes. */
const [HEADER, SIGNATURE] = [30, 0x04034b50];

/** What writers add to a local header that the directory's entry does not have. */
const SLACK = 64;

const [STORED, DEFLATED] = [0, 8];

/** Deflate makes at most so many bytes of one. */
const MOST_INFLATION = 1032;

/** Methods that writers of zips are known to use and browsers cannot undo. */
const METHODS = { 9: "Deflate64", 12: "bzip2", 14: "LZMA", 93: "Zstandard", 95: "XZ" };

/** What is kept of a directory's entry: zips of a million chunks are opened. */
export class ZipEntry {
  constructor({ offset, compressedSize, uncompressedSize, compressionMethod, crc32, encrypted, rawFilename, rawExtraField }) {
    this.offset = offset;
    this.storedSize = compressedSize;
    this.size = uncompressedSize;
    this.crc32 = crc32;
    this.method = encrypted ? "encryption" : compressionMethod;
    this.likelyHeader = HEADER + rawFilename.length + rawExtraField.length + SLACK;
    /** Where the bytes begin, as soon as the local header was read, whose length only it tells. */
    this.start = undefined;
  }

  /** Whether parts of the file are parts of the zip. */
  get isStored() {
    return this.method === STORED;
  }

  /** What would be needed to read it and is lacking, in words. */
  get lacking() {
    if (this.method === STORED || this.method === DEFLATED) return undefined;
    if (typeof this.method === "string") return this.method;
    return METHODS[this.method] ?? `compression method ${this.method}`;
  }

  /** Reads the local header and so many bytes that may come behind it, and notes where the file's bytes begin. */
  async #locate(bytes, length, signal) {
    const stop = Math.min(this.offset + length, bytes.size);
    // What a zip lost of its start makes places negative.
    const header = this.offset < 0 ? new Uint8Array() : await bytes.read(this.offset, stop, signal);
    const view = new DataView(header.buffer, header.byteOffset, header.length);
    if (header.length < HEADER || view.getUint32(0, true) !== SIGNATURE) throw new Error("its local header is not there");
    if (this.isStored && this.storedSize !== this.size) throw new Error("its two sizes differ, although it is stored as it is");
    this.start = this.offset + HEADER + view.getUint16(26, true) + view.getUint16(28, true);
    return header;
  }

  /** Part of a file that is stored as it is. */
  async part(bytes, start, stop, signal) {
    if (this.start === undefined) await this.#locate(bytes, HEADER, signal);
    return bytes.read(this.start + start, this.start + stop, signal);
  }

  /** The whole file, in one request unless the local header is longer than the directory lets expect. */
  async whole(bytes, signal) {
    const read = await this.#locate(bytes, this.likelyHeader + this.storedSize, signal);
    const [first, last] = [this.start - this.offset, this.start - this.offset + this.storedSize];
    const stored = last <= read.length ? read.slice(first, last) : await bytes.read(this.start, this.start + this.storedSize, signal);
    if (!this.isStored && this.size > this.storedSize * MOST_INFLATION) throw new Error("so few bytes cannot inflate to its size");
    const data = this.isStored ? stored : await inflated(stored, this.size);
    if (crc32(data) !== this.crc32) throw new Error("its checksum is not that of its bytes");
    return data;
  }
}

/** Bytes inflated to as many as the directory says: what goes beyond is a bomb, and not taken. */
async function inflated(bytes, size) {
  const data = new Uint8Array(size);
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    if (length + value.length > size) {
      await reader.cancel();
      throw new Error(`it inflates to more than the ${size} bytes that the directory says`);
    }
    data.set(value, length);
    length += value.length;
  }
  if (length < size) throw new Error(`it inflates to ${length} bytes, and the directory says ${size}`);
  return data;
}

/** Remainders of the polynomial for each byte. */
const REMAINDERS = /* @__PURE__ */ Uint32Array.from({ length: 256 }, (_, byte) => {
  for (let bit = 0; bit < 8; bit++) byte = byte & 1 ? (byte >>> 1) ^ 0xedb88320 : byte >>> 1;
  return byte;
});

function crc32(bytes) {
  let crc = -1;
  for (let i = 0; i < bytes.length; i++) crc = (crc >>> 8) ^ REMAINDERS[(crc ^ bytes[i]) & 0xff];
  return ~crc >>> 0;
}
