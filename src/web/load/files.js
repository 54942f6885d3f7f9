/** Finds the package's `.wasm` files, and says what to do where one of them is not there. */

/** Folder of copies of packages that a development server makes: Vite up to 7 moves JavaScript there, and no other file. */
const COPIES = /\/node_modules\/\.[^?#]*\/deps(_\w+)?\/(?=[^/?#]*([?#]|$))/;

/** Vite's addresses of files outside of the project's folder, such as a package that npm links. */
const LINKED = /\/@fs\/.*\/(?=[^/?#]*$)/;

const INSTALLED = "/node_modules/rectilinear-zarr/";

/** What to do where a bundler or a host left files behind. */
const REMEDY =
  'copy the package\'s .wasm files beside the script, keep the package out of what a bundler joins (in Vite optimizeDeps: { exclude: ["rectilinear-zarr"] }), or import rectilinear-zarr/inline';

/** What to do where a bundle for a server left files behind. */
const SERVER_REMEDY =
  "keep the package out of the server's bundle (in Next.js serverExternalPackages, in esbuild --external:rectilinear-zarr), copy its .wasm files beside the bundle, or import rectilinear-zarr/inline";

/** An error with a remedy. */
const fault = (message, remedy, cause) => Object.assign(new Error(message, { cause }), { remedy });

/** Address of a file, in place of the one beside a copy of the script. */
export const unmoved = (url) => new URL(url.href.replace(COPIES, INSTALLED));

/** Whether a script is such a copy. */
export const isCopy = (address) => COPIES.test(address);

/**
 * Addresses of a file: the one beside the script, and a second one to try.
 *
 * @param {() => URL} find gives the address, which is written out there, so that bundlers find the file
 */
function addressesOf(find) {
  let url;
  try {
    url = find();
  } catch (cause) {
    throw fault("the script has no address: import.meta.url is empty", REMEDY, cause);
  }
  return isCopy(url.href) ? [unmoved(url)] : LINKED.test(url.href) ? [url, new URL(url.href.replace(LINKED, INSTALLED))] : [url];
}

const isHtml = (response) => /^text\/html\b/i.test(response.headers.get("Content-Type") ?? "");

/**
 * Asks for a file. Rejects where the answer is an error, or a page in place of the file.
 *
 * @param {() => URL} find
 * @param {RequestInit} [init]
 * @param {() => void} [answered] called when an answer begins
 */
export async function fileAt(find, init, answered) {
  const [url, other] = addressesOf(find);
  const first = await fetch(url, init);
  answered?.();
  const response = other && (!first.ok || isHtml(first)) ? await fetch(other, init) : first;
  if (response.ok && !isHtml(response)) return response;
  const { status } = response;
  // The body is not needed.
  response.body?.cancel().catch(() => {});
  const remedy = (status >= 400 && status < 500) || response.ok ? REMEDY : undefined;
  throw fault(`${isHtml(response) ? `the server answered with HTML (${status})` : `HTTP ${status}`} for ${response.url || url.href}`, remedy);
}

/**
 * Reads a file of the package.
 *
 * @param {() => URL} find
 * @param {(url: URL) => Promise<Uint8Array>} read
 */
export async function fileOnDisk(find, read) {
  try {
    return await read(find());
  } catch (cause) {
    throw fault(cause.message, SERVER_REMEDY, cause);
  }
}
