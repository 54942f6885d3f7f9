/** Parts of the main module by their files, gzipped, in base64: `.tools/inline.mjs` writes them beside this file. */
export const modules: Record<string, string>;
