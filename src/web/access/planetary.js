/** Access to the data of Microsoft's Planetary Computer: one signature for each container, from its public service. */
import { accessTo } from "./access-to.js";
import { endpointOf } from "./addresses.js";
import { azureService } from "./azure.js";

const SERVICE = "https://planetarycomputer.microsoft.com/api/sas/v1/token";

/**
 * Access to containers of the Planetary Computer.
 *
 * @param {import("../../types/access.js").PlanetaryOptions} [options]
 */
export function planetary({ endpoint = SERVICE, subscriptionKey, fetch = (request) => globalThis.fetch(request) } = {}) {
  const base = endpointOf(endpoint);
  const service = azureService();
  return accessTo({
    ...service,
    // Containers that the service does not know are not its own.
    check: (found) => (found.isOther ? found : service.check(found)),
    sign: (request, found, now) => (found.isOther ? request : service.sign(request, found, now)),
    name: "planetary",
    /** Account and container of an address. */
    scope: ({ hostname, pathname }) => `${hostname.split(".")[0]}/${pathname.split("/")[1]}`,
    credentials: async (container) => (await import("./planetary-signatures.js")).signatureAt(`${base}/${container}`, subscriptionKey, fetch),
  });
}
