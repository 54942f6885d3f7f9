/**
 * Makes a function that runs `begin` once and returns its promise; after a failure, such as a lost download, it runs
 * again.
 *
 * @template T
 * @template {unknown[]} Needs
 * @param {(...needs: Needs) => Promise<T>} begin
 */
export function once(begin) {
  /** @type {Promise<T> | undefined} */
  let begun;
  return async (/** @type {Needs} */ ...needs) => {
    begun ??= begin(...needs);
    try {
      return await begun;
    } catch (error) {
      begun = undefined;
      throw error;
    }
  };
}
