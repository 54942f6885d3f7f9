// Writes encoded frames as a WebM file (Matroska, RFC 9559): one video track, with an index to seek by.

const FRAMES = { id: 0x1f43b675, longest: 30_000 }; // of a cluster, ms: its blocks say their times in 16 bits
const text = (words) => new TextEncoder().encode(words);

/** A number in so many bytes, the first of them the highest. */
const number = (n, length) => Uint8Array.from({ length }, (_, i) => Math.floor(n / 256 ** (length - 1 - i)) % 256);

/** A whole number in as few bytes as hold it. */
const least = (n) => number(n, Math.max(1, Math.ceil(Math.log2(n + 1) / 8)));

function double(n) {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setFloat64(0, n);
  return bytes;
}

const lengthOf = (parts) => parts.reduce((sum, part) => sum + part.byteLength, 0);

/** An element, as a list of bytes: its id, its length in eight bytes, and what it holds. */
function element(id, ...content) {
  const parts = content.flat(Infinity);
  const length = number(lengthOf(parts), 8);
  length[0] = 1; // the mark of a length in eight bytes
  return [least(id), length, ...parts];
}

/** Frames in clusters, each of which begins with one that needs no other. */
function clustersOf(frames) {
  const clusters = [];
  for (const frame of frames) {
    if (frame.isKey || !clusters.length || frame.at - clusters.at(-1)[0].at > FRAMES.longest) clusters.push([]);
    clusters.at(-1).push(frame);
  }
  return clusters;
}

const clusterOf = (frames) => element(FRAMES.id, element(0xe7, least(frames[0].at)), frames.flatMap(({ at, isKey, data }) =>
  element(0xa3, Uint8Array.of(0x81), number(at - frames[0].at, 2), Uint8Array.of(isKey ? 0x80 : 0), data)));

/** Where each cluster begins, counted from the segment's content; of a length that does not depend on that. */
const cuesOf = (clusters, begins) => element(0x1c53bb6b, clusters.flatMap(([{ at }], i) =>
  element(0xbb, element(0xb3, number(at, 8)), element(0xb7, element(0xf7, least(1)), element(0xf1, number(begins[i], 8))))));

/** The parts of a file: `codec` is Matroska's name, `frames` are `{ at, isKey, data }` with times in whole milliseconds, the first of them a key. */
export function webmOf({ width, height, codec, title, duration, apart, frames }) {
  const head = element(0x1a45dfa3, element(0x4286, least(1)), element(0x42f7, least(1)), element(0x42f2, least(4)), element(0x42f3, least(8)), element(0x4282, text("webm")), element(0x4287, least(4)), element(0x4285, least(2)));
  const info = element(0x1549a966, element(0x2ad7b1, least(1e6)), element(0x4489, double(duration)), element(0x7ba9, text(title)), element(0x4d80, text("rectilinear-zarr")), element(0x5741, text("rectilinear-zarr")));
  const video = element(0xe0, element(0xb0, least(width)), element(0xba, least(height)));
  const tracks = element(0x1654ae6b, element(0xae, element(0xd7, least(1)), element(0x73c5, least(1)), element(0x9c, least(0)), element(0x83, least(1)), element(0x86, text(codec)), element(0x23e383, least(Math.round(apart * 1e6))), video));
  const clusters = clustersOf(frames);
  const written = clusters.map(clusterOf);
  let at = lengthOf([...info, ...tracks, ...cuesOf(clusters, clusters.map(() => 0))]);
  const begins = written.map((parts) => (at += lengthOf(parts)) - lengthOf(parts));
  return [...head, ...element(0x18538067, info, tracks, cuesOf(clusters, begins), written)];
}
