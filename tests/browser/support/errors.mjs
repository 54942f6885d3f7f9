/** Errors as plain data, for tests outside the page. */

const FIELDS = ["key", "status", "range", "path", "feature", "codec", "coords", "got", "expected", "axis", "tried"];

/** Name, message and documented fields of an error; `isError` is true for a real Error. */
export function describe(error) {
  const found = { isError: error instanceof Error, name: error?.name, message: String(error?.message) };
  for (const field of FIELDS) {
    const value = error?.[field];
    if (value === undefined) continue;
    found[field] = ArrayBuffer.isView(value) || Array.isArray(value) ? Array.from(value) : value;
    if (typeof value === "bigint") found[field] = Number(value);
  }
  return found;
}

/** Described error with which `work` rejects; null where it does not reject. */
export async function rejection(work) {
  try {
    await work();
    return null;
  } catch (error) {
    return describe(error);
  }
}
