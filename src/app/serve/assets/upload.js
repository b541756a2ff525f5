// A file with games is given to the server as soon as it is chosen.

import { TEXTS, fill, part } from "./shared.js";

/** Bytes that the server takes at most. */
const MOST_BYTES = 1 << 20;
/** Remarks that are shown at most. */
const MOST_REMARKS = 10;

async function upload(file) {
  if (file.size > MOST_BYTES) throw new Error(TEXTS.upload.too_large);
  part("uploaded").textContent = TEXTS.upload.reading;
  const about = new URLSearchParams({ name: file.name, game: part("game").value });
  const answer = await fetch(`/review/files?${about}`, { method: "POST", body: file });
  if (!answer.ok) throw new Error(await answer.text());
  const { address, remarks } = await answer.json();
  // What was left out is shown before the page of what was read.
  if (remarks.length > 0) alert(remarks.slice(0, MOST_REMARKS).join("\n"));
  location.assign(address);
}

part("file").addEventListener("change", () => {
  const [file] = part("file").files;
  if (!file) return;
  upload(file).catch((error) => {
    part("uploaded").textContent = fill(TEXTS.upload.failed, { why: error.message });
    part("file").value = "";
  });
});
part("upload").addEventListener("submit", (event) => event.preventDefault());
