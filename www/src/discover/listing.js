// Asks a host what is below an address: a bucket's list (S3, Google Cloud, Azure and their like), or a web server's index page.
import { accessTo } from "../private/keep.js";

/** The names below an address as its host lists them, `{ folders, files }`; undefined where it does not. */
export async function namesBelow(address, signal) {
  try {
    const { list } = await import("rectilinear-zarr/access");
    const { headers, access } = await accessTo(address);
    const found = await list(address, { headers, access, signal });
    return found.folders.length + found.files.length ? found : undefined;
  } catch (error) {
    if (signal?.aborted) throw error;
    // A host that forbids or breaks this answers nothing: the page goes on without its list.
    return undefined;
  }
}
