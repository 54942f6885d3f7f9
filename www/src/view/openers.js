// The ways to open something: an address, a file, a folder, or either of these dropped on the page.
import { placeOfFile, placeOfFiles, placeOfFolder } from "../model/source.js";

const $ = (id) => document.getElementById(id);

/** `onAddress(text)`, and `onPlaces(find)` where `find(signal)` resolves to what the explorer opens. */
export function createOpeners({ onAddress, onPlaces }) {
  const open = (file) => onPlaces(async (signal) => [await placeOfFile(file, signal)]);
  const folder = (handle) => onPlaces(async () => [await placeOfFolder(handle)]);

  $("open").addEventListener("submit", (event) => {
    event.preventDefault();
    onAddress($("url").value);
  });
  $("pick-file").addEventListener("click", () => $("file").click());
  $("file").addEventListener("change", () => {
    const [file] = $("file").files;
    if (file) open(file);
    $("file").value = ""; // so that the same file can be picked again
  });

  $("pick-folder").addEventListener("click", async () => {
    if (!globalThis.showDirectoryPicker) return $("folder").click();
    try {
      folder(await showDirectoryPicker());
    } catch (error) {
      if (error.name !== "AbortError") onPlaces(() => Promise.reject(error));
    }
  });
  $("folder").addEventListener("change", () => {
    const files = [...$("folder").files];
    if (files.length) onPlaces(async () => [placeOfFiles(files)]);
    $("folder").value = "";
  });

  addEventListener("dragover", (event) => event.dataTransfer?.types.includes("Files") && event.preventDefault());
  addEventListener("drop", async (event) => {
    const item = [...(event.dataTransfer?.items ?? [])].find(({ kind }) => kind === "file");
    if (!item) return;
    event.preventDefault();
    const file = item.getAsFile(); // before any await: the list is emptied after the event
    const handle = await item.getAsFileSystemHandle?.().catch(() => undefined);
    if (handle?.kind === "directory") folder(handle);
    else if (file) open(file);
  });
}
