/** Entry `rectilinear-zarr/access`: keys to private buckets, for the option `access` of every `open`. */

/**
 * Keys of S3.
 */
export interface S3Credentials {
  /** Id of the key, which signatures state. */
  accessKeyId: string;
  /** Secret of the key, which is never sent. */
  secretAccessKey: string;
  /** Token of a session, where the keys are temporary. */
  sessionToken?: string;
  /** When the keys end, as a Date, text or milliseconds since 1970: new ones are asked for a minute before. */
  expiration?: Date | string | number;
}

/** Keys of S3 as AWS STS writes their names, so that a server can pass its answer on. */
export interface StsCredentials {
  /** Id of the key, which signatures state. */
  AccessKeyId: string;
  /** Secret of the key, which is never sent. */
  SecretAccessKey: string;
  /** Token of a session. */
  SessionToken?: string;
  /** When the keys end. */
  Expiration?: Date | string | number;
}

/** Bearer token, with its end. */
export interface Token {
  /** The token, without the word `Bearer`. */
  token: string;
  /** When the token ends, as a Date, text or milliseconds since 1970: a new one is asked for a minute before. */
  expiration?: Date | string | number;
}

/** A value, or a function that returns it or a promise of it, which is called again when the value has ended. */
export type Held<T> = T | (() => T | Promise<T>);

/** Options of `s3`. */
export interface S3Options {
  /**
   * Region of the buckets, such as `"eu-central-1"`; `"auto"` for Cloudflare R2. A bucket of AWS that is in another one
   * says so where CORS exposes it, at the cost of a request. Default: `"us-east-1"` in signatures, and AWS's host of all
   * regions.
   */
  region?: string;
  /**
   * URL of a host that speaks like S3: MinIO, SeaweedFS, Ceph, Garage, R2 (`https://ACCOUNT.r2.cloudflarestorage.com`).
   * Default: AWS.
   */
  endpoint?: string;
  /**
   * Whether a bucket is the first segment of the path, `https://ENDPOINT/BUCKET/KEY`, and not a host name,
   * `https://BUCKET.ENDPOINT/KEY`. Default: `true` with an endpoint, `false` for AWS, whose buckets with dots or capitals
   * are in the path anyway.
   */
  forcePathStyle?: boolean;
  /**
   * Names of the buckets that the keys are for. Requests to others are not signed, so that a virtual store may read public
   * buckets, or those of another access of a list. Default: all of the service.
   */
  buckets?: readonly string[];
  /** Keys; without them nothing is signed, and `s3:` addresses lead to the region or the endpoint. */
  credentials?: Held<S3Credentials | StsCredentials>;
  /** Whether the owner of the keys pays for requests, as the bucket demands. Default `false`. */
  requesterPays?: boolean;
  /**
   * Where signatures are: in the `"query"` of each URL, which needs no preflight for each chunk, or in `"headers"`. Signed
   * URLs stay the same for ten minutes, so that the browser's cache finds them, and are valid for an hour.
   * Default `"query"`.
   */
  by?: "query" | "headers";
}

/** Options of `gcs`. */
export interface GcsOptions {
  /** Names of the buckets that the token or the keys are for, as of `s3`. Default: all of the service. */
  buckets?: readonly string[];
  /** OAuth token, sent as a bearer in the header `Authorization`. */
  credentials?: Held<string | Token>;
  /** HMAC keys in place of a token: `{ accessKeyId, secretAccessKey }`. Requests are signed in their query. */
  hmac?: Held<S3Credentials | StsCredentials>;
  /**
   * Interface to read by. `"json"` answers pages of all origins whatever the CORS settings of the bucket. Default
   * `"xml"`.
   */
  api?: "xml" | "json";
  /** URL of another host, such as an emulator. Default `"https://storage.googleapis.com"`. */
  endpoint?: string;
}

/** Options of `azure`. */
export interface AzureOptions {
  /**
   * Storage account: the name before `.blob.core.windows.net`. Addresses that name none, such as `az://CONTAINER/PATH`, are
   * in it, and only its hosts get the keys, so that credentials need it unless there is an endpoint.
   */
  account?: string;
  /**
   * A shared access signature (`"sv=…&sig=…"`) as text or as `{ sas, expiration? }`, whose end is read from it, or a bearer
   * token as `{ token, expiration? }`.
   */
  credentials?: Held<string | { sas: string; expiration?: Date | string | number } | Token>;
  /** URL of another host up to the container, such as an emulator's `http://127.0.0.1:10000/devstoreaccount1`. */
  endpoint?: string;
}

/** Names one level below an address. */
export interface Names {
  /** Names of folders, without a slash. */
  folders: string[];
  /** Names of files. */
  files: string[];
}

/**
 * Access to one service, for the option `access` of `open`. It signs requests to the service's own places only: the
 * endpoint, or the hosts of AWS, Google or Azure. Requests to other hosts pass as they are.
 *
 * Credentials are asked for once, however many requests wait, and again when they have ended: a minute before
 * `expiration`, and where the service says so (401, S3's `ExpiredToken`, Azure's `AuthenticationFailed`). The request that
 * was refused is then sent once more. A clock that is off is corrected by the service's.
 */
export interface Access {
  /**
   * Signs a request.
   *
   * @param request A request.
   * @returns The request to send: the same one where the service is another.
   */
  (request: Request): Promise<Request>;
  /**
   * Asks for new credentials where an answer may say that the ones in use have ended.
   *
   * @param answer The answer to a signed request.
   * @returns Whether new credentials were asked for.
   */
  renew(answer: Response): Promise<boolean>;
  /**
   * Lists the names one level below an address: up to 100,000, by as many requests as the service has pages.
   *
   * @param url An address of the service, such as `"s3://bucket/folder"`.
   * @param options `signal` aborts the list; `fetch` is called in place of the global one; `retries` and `timeout` are
   * those of `open`.
   * @returns The names.
   * @throws StoreError if the service refuses, does not answer, or more names are there
   */
  list(url: string, options?: Pick<ListOptions, "signal" | "fetch" | "retries" | "timeout">): Promise<Names>;
  /**
   * Gives the address that requests for an address of the service go to.
   *
   * @param url An address, such as `"s3://bucket/run.zarr"`.
   * @returns The HTTPS address, unsigned; `undefined` for an address of another kind.
   */
  address(url: string): string | undefined;
  /**
   * Tells whether an HTTPS address is of the service, so that requests for it are signed.
   *
   * @param url An address.
   * @returns Whether it is.
   */
  covers(url: string): boolean;
}

/** Options of `list`. */
export interface ListOptions {
  /** Access to the address, or a list of which one may be to it. */
  access?: Access | readonly Access[];
  /** Function called in place of the global `fetch`. */
  fetch?: (request: Request) => Promise<Response>;
  /** Headers sent to the origin of the address. */
  headers?: HeadersInit;
  /** The option `credentials` of `fetch`. */
  credentials?: RequestCredentials;
  /** Number of repetitions of a request that may succeed later, as of `open`. Default 3. */
  retries?: number;
  /** Milliseconds without a byte after which a request is given up and repeated. Default 30,000; 0 waits for ever. */
  timeout?: number;
  /** Aborts the list, also while it waits for keys. */
  signal?: AbortSignal;
}

/**
 * Lists the names one level below an address: of buckets by their list (S3, Google Cloud, Azure and hosts like them), of
 * web servers by their index page (nginx, Apache, Caddy, Python's `http.server`). At most 100,000 names.
 *
 * @param address An HTTPS address, or that of a bucket.
 * @param options Access and options of the requests.
 * @returns The names.
 * @throws StoreError if the host lists no names there, refuses, does not answer, or has more names
 */
export function list(address: string | URL, options?: ListOptions): Promise<Names>;

/**
 * Gives access to buckets of S3 and of hosts that speak like it. Addresses: `s3://BUCKET/KEY`, and HTTPS.
 *
 * @param options Region, endpoint and keys.
 * @returns The access, for the option `access`.
 * @throws TypeError if an option has the wrong type
 *
 * @example
 * import { RectilinearArray } from "rectilinear-zarr";
 * import { s3 } from "rectilinear-zarr/access";
 *
 * const access = s3({
 *   region: "eu-central-1",
 *   credentials: async () => (await fetch("/api/keys")).json(), // your server's: { accessKeyId, secretAccessKey, … }
 * });
 * const array = await RectilinearArray.open("s3://bucket/run.zarr/t2m", { access });
 */
export function s3(options?: S3Options): Access;

/**
 * Gives access to buckets of Google Cloud Storage. Addresses: `gs://BUCKET/KEY`, and HTTPS.
 *
 * @param options Token or HMAC keys.
 * @returns The access, for the option `access`.
 * @throws TypeError if an option has the wrong type
 */
export function gcs(options?: GcsOptions): Access;

/**
 * Gives access to containers of Azure Blob Storage. Addresses: `az://CONTAINER/PATH` with the option `account`,
 * `abfs://CONTAINER@ACCOUNT.dfs.core.windows.net/PATH`, and HTTPS.
 *
 * @param options Account, and a signature or a token.
 * @returns The access, for the option `access`.
 * @throws TypeError if an option has the wrong type, or credentials are for no account
 */
export function azure(options?: AzureOptions): Access;

/** Options of `planetary`. */
export interface PlanetaryOptions {
  /** Subscription key, which raises the service's limits. */
  subscriptionKey?: string;
  /** Address of another service that gives signatures by `/ACCOUNT/CONTAINER`. Default: that of the Planetary Computer. */
  endpoint?: string;
  /** Function called in place of the global `fetch`, for signatures. */
  fetch?: (request: Request) => Promise<Response>;
}

/**
 * Gives access to data of Microsoft's Planetary Computer: asks its service for a signature of each container, once, and
 * again before it ends.
 *
 * @param options Options of the service.
 * @returns The access, for the option `access`.
 *
 * @example
 * import { planetary } from "rectilinear-zarr/access";
 * import { stac } from "rectilinear-zarr/stac";
 *
 * const url = "https://planetarycomputer.microsoft.com/api/stac/v1/collections/daymet-daily-hi";
 * const collection = await stac(url, { access: planetary() });
 * const group = await collection.assets[0]?.open();
 */
export function planetary(options?: PlanetaryOptions): Access;
