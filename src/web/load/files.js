/** Finds the package's files beside its scripts. */

/** Folder of copies of packages that a development server makes: Vite up to 7 moves JavaScript there, and no other file. */
const COPIES = /\/node_modules\/\.[^?#]*\/deps(_\w+)?\/(?=[^/?#]*([?#]|$))/;

/**
 * Address of a file, in place of the one beside a copy of the script. Of a file, Next.js' Turbopack gives an address
 * without the page's origin.
 */
export const unmoved = (url) => new URL(url.href.replace(COPIES, "/node_modules/rectilinear-zarr/"), globalThis.location?.href);

/** Whether a script is such a copy. */
export const isCopy = (address) => COPIES.test(address);

/** Whether a response is a file, and no error or page in its place. */
const isFile = ({ ok, headers }) => ok && !/^text\/html\b/i.test(headers.get("Content-Type"));

/** Import of what to do about a file that is missing. */
let missing = () => import("./missing-files.js");

/** Sets that module on platforms that cannot import later, such as Service Workers. */
export function bringMissing(module) {
  missing = async () => module;
}

/**
 * Asks for a file. Rejects where the answer is an error, or a page in place of the file.
 *
 * @param {() => URL} find gives the address beside the script, which is written out there, so that bundlers find the file
 * @param {RequestInit} [init]
 * @param {() => void} [answered] called when an answer begins
 */
export async function fileAt(find, init, answered) {
  let url;
  try {
    url = unmoved(find());
  } catch (cause) {
    return (await missing()).withoutAddress(cause);
  }
  const response = await fetch(url, init);
  answered?.();
  if (isFile(response)) return response;
  const remedies = await missing().catch(() => {
    throw new Error(`HTTP ${response.status} for ${url}`);
  });
  return remedies.elsewhere(url, response, (other) => fetch(other, init), isFile);
}
