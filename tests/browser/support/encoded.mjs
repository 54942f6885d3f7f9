/** Bytes of items as a chunk stores them: compressed by a codec that the browser has, or as they are. */

export async function encoded(items, codec) {
  const stream = new Blob([items]).stream();
  return new Uint8Array(await new Response(codec ? stream.pipeThrough(new CompressionStream(codec)) : stream).arrayBuffer());
}
