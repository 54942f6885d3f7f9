/** Mark of the build, which `.tools/parts.mjs` writes beside this file. Each part of the main module carries it. */
export const BUILD: string;
/** Sections with the modules that later parts share, by the names of the parts. */
export const SHARED: Record<string, string[]>;
