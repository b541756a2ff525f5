// Loads the script of a page, with all that it imports, once the page's words have been painted.

const { entry } = document.querySelector("script[data-entry]").dataset;

function load() {
  // A task behind the frame, not within it.
  requestAnimationFrame(() => setTimeout(() => import(entry)));
}

if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", load);
else load();
