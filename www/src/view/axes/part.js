// Parts of lines: how short one may be, and what a line has in it.

export const LEAST = 4; // cells in view at the nearest
const MANY = 200; // cells, parts of which nobody sees

/** The nearest span of an axis of `size` cells, of many in whole ones; undefined where it is the whole. */
export function spanIn([from, to], size) {
  const long = Math.min(size, Math.max(LEAST, to - from));
  const start = Math.min(size - long, Math.max(0, (from + to - long) / 2));
  return long >= size ? undefined : [start, start + long].map((at) => Number(at.toFixed(long < MANY ? 3 : 0)));
}

/** A part of an axis as a link may say it. */
export const spanGiven = (span, size) => (span?.length === 2 && span[0] < span[1] ? spanIn(span, size) : undefined);

/** Whether an axis is drawn from right to left. */
export const isTurned = ({ kind, ascending }) => kind === "lon" && ascending === false;

/** A line as far as it lies in a span, whose first and last values may reach beyond it; as it is where that is undefined. */
export function cutLine(line, span) {
  if (!span) return line;
  const { plane, values } = line;
  const [one] = plane.shown;
  const { first = 0, step } = one;
  const begin = Math.max(0, Math.floor((span[0] - first) / step));
  const end = Math.max(begin, Math.min(values.length, Math.ceil((span[1] - first) / step)));
  const part = Object.assign(values.slice(begin, end), values.exact && { exact: values.exact.slice(begin, end) }, values.labels && { labels: values.labels.slice(begin, end) });
  const known = part.filter(Number.isFinite);
  const range = known.length ? [known.reduce((a, b) => Math.min(a, b)), known.reduce((a, b) => Math.max(a, b))] : undefined;
  return { ...line, values: part, range, plane: { ...plane, span, shown: [{ ...one, first: first + begin * step, count: end - begin }] } };
}
