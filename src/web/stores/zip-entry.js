/** One file of a zip: its location, decompression, and checksum, which is verified for whole files. */

/** Bytes of a local file header before the name, and the header's signature. */
const [HEADER, SIGNATURE] = [30, 0x04034b50];

/** Bytes that writers may add to a local header, beyond the extra field of the central directory. */
const SLACK = 64;

const [STORED, DEFLATED] = [0, 8];

/** Most bytes that Deflate makes of one. */
const MOST_INFLATION = 1032;

/** Names of compression methods that browsers cannot decompress. */
const METHODS = { 9: "Deflate64", 12: "bzip2", 14: "LZMA", 93: "Zstandard", 95: "XZ" };

/** The fields of a central directory entry that reads need; few, because a zip may have a million entries. */
export class ZipEntry {
  constructor({ offset, compressedSize, uncompressedSize, compressionMethod, crc32, encrypted, rawFilename, rawExtraField }) {
    this.offset = offset;
    this.storedSize = compressedSize;
    this.size = uncompressedSize;
    this.crc32 = crc32;
    this.method = encrypted ? "encryption" : compressionMethod;
    this.likelyHeader = HEADER + rawFilename.length + rawExtraField.length + SLACK;
    /** Offset of the file's bytes, known once the local header is read, which gives its own length. */
    this.start = undefined;
  }

  /** Whether the file is stored uncompressed, so that its parts can be read alone. */
  get isStored() {
    return this.method === STORED;
  }

  /** Name of the unsupported feature that reading the file needs, or undefined. */
  get lacking() {
    if (this.method === STORED || this.method === DEFLATED) return undefined;
    if (typeof this.method === "string") return this.method;
    return METHODS[this.method] ?? `compression method ${this.method}`;
  }

  /** Reads `length` bytes from the local header on, and notes the offset of the file's bytes. */
  async #locate(bytes, length, signal) {
    const stop = Math.min(this.offset + length, bytes.size);
    // A zip that lost its start has negative offsets.
    const header = this.offset < 0 ? new Uint8Array() : await bytes.read(this.offset, stop, signal);
    const view = new DataView(header.buffer, header.byteOffset, header.length);
    if (header.length < HEADER || view.getUint32(0, true) !== SIGNATURE) throw new Error("its local header is missing");
    if (this.isStored && this.storedSize !== this.size) throw new Error("its two sizes differ, although it is stored uncompressed");
    this.start = this.offset + HEADER + view.getUint16(26, true) + view.getUint16(28, true);
    return header;
  }

  /** Reads a part of a file that is stored uncompressed. */
  async part(bytes, start, stop, signal) {
    if (this.start === undefined) await this.#locate(bytes, HEADER, signal);
    return bytes.read(this.start + start, this.start + stop, signal);
  }

  /** Reads the whole file, in one request unless the local header is longer than expected. */
  async whole(bytes, signal) {
    const read = await this.#locate(bytes, this.likelyHeader + this.storedSize, signal);
    const [first, last] = [this.start - this.offset, this.start - this.offset + this.storedSize];
    const stored = last <= read.length ? read.slice(first, last) : await bytes.read(this.start, this.start + this.storedSize, signal);
    if (!this.isStored && this.size > this.storedSize * MOST_INFLATION) throw new Error(`its ${this.storedSize} bytes cannot inflate to its size of ${this.size}`);
    const data = this.isStored ? stored : await inflated(stored, this.size);
    if (crc32(data) !== this.crc32) throw new Error("its checksum does not match its bytes");
    return data;
  }
}

/** Inflates bytes to the size in the directory; a longer result may be a zip bomb, and is an error. */
async function inflated(bytes, size) {
  const data = new Uint8Array(size);
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    if (length + value.length > size) {
      await reader.cancel();
      throw new Error(`it inflates to more than the ${size} bytes in the directory`);
    }
    data.set(value, length);
    length += value.length;
  }
  if (length < size) throw new Error(`it inflates to ${length} bytes, expected ${size} from the directory`);
  return data;
}

/** CRC-32 table: the remainder for each byte. */
const REMAINDERS = /* @__PURE__ */ Uint32Array.from({ length: 256 }, (_, byte) => {
  for (let bit = 0; bit < 8; bit++) byte = byte & 1 ? (byte >>> 1) ^ 0xedb88320 : byte >>> 1;
  return byte;
});

function crc32(bytes) {
  let crc = -1;
  for (let i = 0; i < bytes.length; i++) crc = (crc >>> 8) ^ REMAINDERS[(crc ^ bytes[i]) & 0xff];
  return ~crc >>> 0;
}
