/** Helpers that a page under test imports. */

export { compareArray, compareEntry, selectionsOf, toSelection } from "./compare.mjs";
export { crc32 } from "./crc32.mjs";
export { bytesOf } from "./dtypes.mjs";
export { encoded } from "./encoded.mjs";
export { compareElements } from "./elements.mjs";
export { describe, rejection } from "./errors.mjs";
export { compareHierarchy, filesOf, storeOf } from "./hierarchies.mjs";
export { counting, openMonths, openYear } from "./months.mjs";
export { edited, fetchedOnce, fetchFiles, mapStore } from "./stores.mjs";
