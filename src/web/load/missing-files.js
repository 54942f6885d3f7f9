/** Files of the package that are missing: where else to look, and what to do. It loads with the first such failure. */

/** Vite's addresses of files outside of the project's folder, such as a package that npm links. */
const LINKED = /\/@fs\/.*\/(?=[^/?#]*$)/;

/** What to do where a bundler or a host left files behind. */
const REMEDY =
  'copy the package\'s .wasm files beside the script, keep the package out of what a bundler joins (in Vite optimizeDeps: { exclude: ["rectilinear-zarr"] }), or import rectilinear-zarr/inline';

/** What to do where a bundle for a server left files behind. */
const SERVER_REMEDY =
  "keep the package out of the server's bundle (in Next.js serverExternalPackages, in esbuild --external:rectilinear-zarr), copy its .wasm files beside the bundle, or import rectilinear-zarr/inline";

/** An error with a remedy. */
const fault = (message, remedy, cause) => Object.assign(new Error(message, { cause }), { remedy });

/** Throws the error for a script without an address. @param {unknown} cause @returns {never} */
export function withoutAddress(cause) {
  throw fault("the script has no address: import.meta.url is empty", REMEDY, cause);
}

/**
 * Asks for a file at its second address, if it has one.
 *
 * @param {URL} url the first address
 * @param {Response} first its answer, which is not the file
 * @param {(url: URL) => Promise<Response>} ask
 * @param {(response: Response) => boolean} isFile
 */
export async function elsewhere(url, first, ask, isFile) {
  const response = LINKED.test(url.href) ? await ask(new URL(url.href.replace(LINKED, "/node_modules/rectilinear-zarr/"))) : first;
  if (isFile(response)) return response;
  const { ok, status } = response;
  // The body is not needed.
  response.body?.cancel().catch(() => {});
  const remedy = ok || (status >= 400 && status < 500) ? REMEDY : undefined;
  const isHtml = /^text\/html\b/i.test(response.headers.get("Content-Type") ?? "");
  throw fault(`${isHtml ? `the server answered with HTML (${status})` : `HTTP ${status}`} for ${response.url || url.href}`, remedy);
}

/** Error for a file that is not on the disk beside its script. */
export const notOnDisk = (cause) => fault(cause.message, SERVER_REMEDY, cause);
