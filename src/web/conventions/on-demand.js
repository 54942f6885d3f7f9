/** Loads of the conventions that few pyramids need. A Service Worker, which cannot import later, replaces them. */
export const onDemand = {
  containers: () => import("./containers.js"),
  fallbacks: () => import("./fallbacks.js"),
  images: () => import("./images.js"),
  multiscales: () => import("./multiscales.js"),
  tiles: () => import("./tile-matrix-set.js"),
};
