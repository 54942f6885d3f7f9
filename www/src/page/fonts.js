// The letters of the pages, which travel once there is nothing left that the reader waits for.
import "@fontsource/ibm-plex-sans/latin-400.css";
import "@fontsource/ibm-plex-sans/latin-600.css";
import "@fontsource/ibm-plex-mono/latin-400.css";

const FACES = ['400 1em "IBM Plex Sans"', '600 1em "IBM Plex Sans"', '400 1em "IBM Plex Mono"'];

/** Parts of the page that are set in them one by one: to lay out all of its text is too much for one frame. */
const PARTS = ".top, #contents, .intro, #figure, #axes, #legend, #about";

/** Resolves in the next frame; a page in the background has none. */
const nextFrame = () => new Promise((resolve) => void (document.hidden ? setTimeout : requestAnimationFrame)(() => resolve()));

/** Fetches the letters, and sets the page in them once all are here; until then it has letters of the system that are as wide. Resolves when all is set. */
export async function useLetters() {
  await Promise.allSettled(FACES.map((face) => document.fonts.load(face)));
  for (const part of [...document.querySelectorAll(PARTS), document.documentElement]) {
    part.classList.add("lettered");
    await nextFrame();
  }
}
