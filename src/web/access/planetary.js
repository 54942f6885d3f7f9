/** Access to the data of Microsoft's Planetary Computer: one signature for each container, from its public service. */
import { accessTo } from "./access-to.js";
import { endpointOf } from "./addresses.js";
import { azureService } from "./azure.js";
import { onDemand } from "./on-demand.js";

const SERVICE = "https://planetarycomputer.microsoft.com/api/sas/v1/token";

/**
 * Access to containers of the Planetary Computer.
 *
 * @param {import("../../types/access.js").PlanetaryOptions} [options]
 */
export function planetary({ endpoint = SERVICE, subscriptionKey, fetch = (request) => globalThis.fetch(request) } = {}) {
  const base = endpointOf(endpoint);
  return signedContainers(async (container) => (await onDemand.signatures()).signatureAt(`${base}/${container}`, subscriptionKey, fetch));
}

/**
 * Access to containers of Azure by a signature for each.
 *
 * @param {(container: string) => Promise<any>} signatureOf gives the signature of `ACCOUNT/CONTAINER`
 */
export function signedContainers(signatureOf) {
  const service = azureService();
  return accessTo({
    ...service,
    name: "planetary",
    plain: { service: "planetary", options: {}, keys: "signatures" },
    // Containers that the service does not know are not its own.
    check: (found) => (found.isOther ? found : service.check(found)),
    sign: (request, found, now) => (found.isOther ? request : service.sign(request, found, now)),
    /** Account and container of an address. */
    scope: ({ hostname, pathname }) => `${hostname.split(".")[0]}/${pathname.split("/")[1]}`,
    credentials: signatureOf,
  });
}
