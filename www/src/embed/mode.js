// Says whether the page stands in a frame of another page, with the picture alone: `?embed=1`.

export const isEmbedded = new URLSearchParams(location.search).get("embed") === "1";
document.documentElement.classList.toggle("embed", isEmbedded); // the head does so too, earlier, where a policy allows it

/** A function to call after anything that is drawn, which tells the other page; it does nothing where there is none. */
export function createTelling(...given) {
  if (!isEmbedded) return () => {};
  const embed = import("./embed.js").then(({ createEmbed }) => createEmbed(...given));
  return () => embed.then(({ tell }) => tell());
}
