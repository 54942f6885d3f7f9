// Values of attributes and of objects as text.

/** A value of any type on one line: what JSON lacks too. */
export function plain(v) {
  if (typeof v === "string") return v;
  if (typeof v === "bigint" || (typeof v === "number" && !Number.isFinite(v))) return String(v);
  // JSON.stringify takes no bigints, which lists and objects have of large integers: they are marked text until then.
  const text = JSON.stringify(ArrayBuffer.isView(v) ? Array.from(v, Number) : v, (_, inner) => (typeof inner === "bigint" ? `\0${inner}` : inner));
  return text?.replaceAll(/"\\u0000(-?\d+)"/g, "$1");
}
