/** Loads of what only requests with keys need. A Service Worker, which cannot import later, replaces them. */
export const onDemand = {
  answers: () => import("./answers.js"),
  names: () => import("./bucket-names.js"),
  signatures: () => import("./planetary-signatures.js"),
  sigv4: () => import("./sigv4.js"),
};
