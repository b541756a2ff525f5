// Whoever chooses another program as a player is shown where to name it.

import { part } from "./shared.js";

for (const name of ["a", "b"]) {
  part(name).addEventListener("change", () => {
    if (part(name).value === "engine" && part("engines")) part("engines").open = true;
  });
}
