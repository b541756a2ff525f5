"use strict";

// Loads the scripts of a page in their order, once its words have been painted.
{
  const { scripts } = document.currentScript.dataset;

  function loadAll() {
    // A task behind the frame, not within it.
    requestAnimationFrame(() => setTimeout(() => {
      for (const address of scripts.split(" ")) {
        const script = document.createElement("script");
        script.src = address;
        script.async = false;
        document.head.append(script);
      }
    }));
  }

  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", loadAll);
  else loadAll();
}
