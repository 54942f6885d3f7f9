// What a link may say of an address: not its signature, its token, or a user and a password.

/** Names of what signs an address, or is a key in it. */
const SECRET = /^(?:sig|signature|x-amz-(?:signature|credential|security-token)|x-goog-(?:signature|credential)|policy|key-pair-id|awsaccesskeyid|googleaccessid|(?:access_|id_|auth_?)?token|(?:api|subscription)[-_]?key)$/i;

/** An address without its secrets: where its query has one, without the query, of which the rest is signed. */
export function sharedAddress(address) {
  const url = URL.parse?.(address) ?? new URL(address);
  url.username = url.password = "";
  if ([...url.searchParams.keys()].some((name) => SECRET.test(name))) url.search = "";
  return url.href;
}
