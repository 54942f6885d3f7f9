/** Networks that the browser emulates. */

/** Emulates a network for a tab; `rate` is in Mbit/s, `latency` of each request in ms. */
export function emulate(tab, rate, latency) {
  const bytes = (rate * 1e6) / 8;
  return tab.emulateNetworkConditions({ download: bytes, upload: bytes, latency });
}
