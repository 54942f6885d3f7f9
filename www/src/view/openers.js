// The ways to open something: an address, a zip, a folder, or either of these dropped on the page.
import { placeOfFiles, placeOfFolder, placeOfZip } from "../model/source.js";

const $ = (id) => document.getElementById(id);

/** `onAddress(text)`, and `onPlaces(find)` where `find(signal)` resolves to what the explorer opens. */
export function createOpeners({ onAddress, onPlaces }) {
  const zip = (file) => onPlaces(async (signal) => [await placeOfZip(file, signal)]);
  const folder = (handle) => onPlaces(async () => [await placeOfFolder(handle)]);

  $("open").addEventListener("submit", (event) => {
    event.preventDefault();
    onAddress($("url").value);
  });
  $("pick-zip").addEventListener("click", () => $("zip").click());
  $("zip").addEventListener("change", () => {
    const [file] = $("zip").files;
    if (file) zip(file);
    $("zip").value = ""; // so that the same file can be picked again
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
    else if (file) zip(file);
  });
}
