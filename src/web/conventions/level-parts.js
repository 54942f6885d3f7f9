/** Loads of the parts that few pyramids need. A Service Worker, which cannot import later, replaces them. */
export const parts = {
  containers: () => import("./level-containers.js"),
  fallbacks: () => import("./level-fallbacks.js"),
  images: () => import("./level-images.js"),
  multiscales: () => import("./level-multiscales.js"),
  tiles: () => import("./level-tile-matrix-set.js"),
};
