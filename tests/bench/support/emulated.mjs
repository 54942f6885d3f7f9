/** Networks and processors that the browser emulates. */

/** Has what a tab asks for come with so many Mbit/s, and so many ms late. */
export function emulate(tab, rate, latency) {
  const bytes = (rate * 1e6) / 8;
  return tab.emulateNetworkConditions({ download: bytes, upload: bytes, latency });
}
