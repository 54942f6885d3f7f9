/** Errors as plain data: what a test outside the page can look at. */

const FIELDS = ["key", "status", "range", "path", "feature", "codec", "coords", "got", "expected", "axis", "tried"];

/** Name, message and the fields of api.md; `isError` where it is a real Error. */
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

/** What `work` rejected with, described; null when it did not reject. */
export async function rejection(work) {
  try {
    await work();
    return null;
  } catch (error) {
    return describe(error);
  }
}
