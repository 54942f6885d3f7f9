// Lets the page answer between parts of long work.

/** Resolves in a task of its own, so that the page answers in between. */
export const nextTask = () => new Promise((resolve) => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => (port1.close(), resolve());
  port2.postMessage(0);
});
