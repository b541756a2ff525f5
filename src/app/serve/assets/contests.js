"use strict";

// Whoever chooses another program as a player is shown where to name it.

for (const name of ["a", "b"]) {
  part(name).addEventListener("change", () => {
    if (part(name).value === "engine" && part("engines")) part("engines").open = true;
  });
}
