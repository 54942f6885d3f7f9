// The letters of the pages, which travel once there is nothing left that the reader waits for.
import "@fontsource/ibm-plex-sans/latin-400.css";
import "@fontsource/ibm-plex-sans/latin-600.css";
import "@fontsource/ibm-plex-mono/latin-400.css";

const FACES = ['400 1em "IBM Plex Sans"', '600 1em "IBM Plex Sans"', '400 1em "IBM Plex Mono"'];

/** Fetches the letters, and sets the page in them once all are here; until then it has letters of the system that are as wide. */
export async function useLetters() {
  await Promise.allSettled(FACES.map((face) => document.fonts.load(face)));
  document.documentElement.classList.add("lettered");
}
