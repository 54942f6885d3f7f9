/** What the examples take from Node, whose types are not loaded here. */

declare module "node:fs/promises" {
  export function readFile(path: string): Promise<Uint8Array>;
}
