/** Accesses that a page has handed to a Service Worker: made there anew, with keys that the page is asked for. */
import { azure } from "./azure.js";
import { gcs } from "./gcs.js";
import { signedContainers } from "./planetary.js";
import { s3 } from "./s3.js";

const MADE = { azure, gcs, s3, planetary: ({ signatures }) => signedContainers(signatures) };

/**
 * An access like the one that the page has.
 *
 * @param {import("./access-to.js").Plain} plain
 * @param {(at?: string) => Promise<any>} ask gives the keys of the page's access
 */
export const fromPlain = ({ service, options, keys }, ask) => MADE[service]({ ...options, ...(keys && { [keys]: ask }) });
