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
    const mine = (begun ??= begin(...needs));
    try {
      return await mine;
    } catch (error) {
      // A later call may have begun anew.
      if (begun === mine) begun = undefined;
      throw error;
    }
  };
}
