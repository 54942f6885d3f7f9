/** Exact quantiles of more values than memory holds: passes that count values by their leading bits. */

/** Bits of a key, by number type: an integer that sorts as the values of the type do (`Counting` in Rust). */
export const keyBits = (numbers) => (/^(float64|u?int64)$/.test(numbers) ? 64 : 32);

const view = new DataView(new ArrayBuffer(8));

/** The value of a key. @param {string} numbers number type of the values @param {bigint} key */
export function valueOf(numbers, key) {
  if (numbers === "float64") {
    view.setBigUint64(0, key >> 63n ? key ^ (1n << 63n) : ~key & (2n ** 64n - 1n));
    return view.getFloat64(0);
  }
  if (/^float/.test(numbers)) {
    view.setUint32(0, Number(key >> 31n ? key ^ (1n << 31n) : ~key & (2n ** 32n - 1n)));
    return view.getFloat32(0);
  }
  if (numbers === "uint64") return Number(key);
  if (numbers === "int64") return Number(BigInt.asIntN(64, key ^ (1n << 63n)));
  return Number(key) - 2 ** 31;
}

/** Places between which a quantile of so many sorted values lies, and the part of the way from one to the other. */
export function ranksOf(q, count) {
  const at = q * (count - 1);
  const low = Math.min(Math.floor(at), count - 1);
  return { low, high: Math.min(low + 1, count - 1), part: at - low };
}

/** The value between two neighbours, as numpy's lerp, which is exact at both ends. */
export function between(low, high, part) {
  const difference = high - low;
  if (part === 0 || difference === 0) return low;
  return part >= 0.5 ? high - difference * (1 - part) : low + difference * part;
}

/**
 * Quantiles of each cell by passes over the values; `pass` counts them once.
 *
 * @param {{ cells: number, quantiles: number[], numbers: string, skips: boolean, pass: (counting: { known: number, bits: number, prefixes: number[][] }) => Promise<{ counters: Float64Array, counts: Float64Array, missing: Float64Array }>, bitsOf: (left: number, targets: number) => number }} work
 * @returns {Promise<Float64Array>} for each cell all quantiles one after the other
 */
export async function byPasses({ cells, quantiles, numbers, skips, pass, bitsOf }) {
  const width = keyBits(numbers);
  /** For each cell the ranks that are sought: those left within the leading bits that are known, and these bits. */
  let sought = Array.from({ length: cells }, () => /** @type {{ rank: number, left: number, prefix: number | bigint }[]} */ ([]));
  /** @type {Float64Array<ArrayBufferLike>} */
  let counts = new Float64Array(cells);
  /** @type {Float64Array<ArrayBufferLike>} */
  let missing = new Float64Array(cells);
  for (let known = 0; known < width; ) {
    const prefixes = sought.map((ranks) => (known === 0 ? [0] : [...new Set(ranks.map(({ prefix }) => prefix))]));
    const targets = prefixes.reduce((sum, own) => sum + own.length, 0);
    const bits = Math.min(width - known, bitsOf(width - known, targets));
    const found = await pass({ known, bits, prefixes: prefixes.map((own) => own.map(Number)) });
    if (known === 0) {
      ({ counts, missing } = found);
      const ranks = (count) => [...new Set(quantiles.flatMap((q) => [ranksOf(q, count).low, ranksOf(q, count).high]))];
      sought = sought.map((_, cell) => (counts[cell] ? ranks(counts[cell]).map((rank) => ({ rank, left: rank, prefix: 0 })) : []));
    }
    let start = 0;
    sought = sought.map((ranks, cell) => {
      const own = prefixes[cell].map((_, nth) => start + nth * 2 ** bits);
      start += prefixes[cell].length * 2 ** bits;
      return ranks.map(({ rank, left, prefix }) => {
        let [next, rest] = [0, left];
        const first = own[known === 0 ? 0 : prefixes[cell].indexOf(prefix)];
        while (found.counters[first + next] <= rest) rest -= found.counters[first + next++];
        return { rank, left: rest, prefix: known + bits > 52 ? (BigInt(prefix) << BigInt(bits)) | BigInt(next) : Number(prefix) * 2 ** bits + next };
      });
    });
    known += bits;
  }
  return Float64Array.from({ length: cells * quantiles.length }, (_, i) => {
    const [cell, q] = [Math.floor(i / quantiles.length), quantiles[i % quantiles.length]];
    if (!counts[cell] || (!skips && missing[cell])) return NaN;
    const { low, high, part } = ranksOf(q, counts[cell]);
    const value = (rank) => valueOf(numbers, BigInt(sought[cell].find((own) => own.rank === rank)?.prefix ?? 0));
    return between(value(low), value(high), part);
  });
}
