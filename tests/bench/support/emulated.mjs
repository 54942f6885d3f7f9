/** Networks that the browser emulates, and sessions that watch the network without keeping what was received. */

/** Most bytes of received bodies that a session keeps. */
const KEEPS = { maxTotalBufferSize: 0, maxResourceBufferSize: 0, maxPostDataSize: 0 };

/** Watches the network of a tab; resolves to the session. */
export async function watch(tab) {
  const session = await tab.createCDPSession();
  await session.send("Network.enable", KEEPS);
  return session;
}

/** Emulates a network in a session's tab; `rate` is in Mbit/s, `latency` of each request in ms. */
export function emulate(session, rate, latency) {
  const bytes = (rate * 1e6) / 8;
  return session.send("Network.emulateNetworkConditions", { offline: false, latency, downloadThroughput: bytes, uploadThroughput: bytes });
}
