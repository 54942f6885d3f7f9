/** A module that few programs need, gzipped, in base64: `.tools/inline.mjs` writes a file for each beside this one. */
declare module "*.inlined.js" {
  export const module: string;
}
