// Where another program is chosen as a player, a field for its name appears.

import { part } from "./shared.js";

for (const name of ["a", "b"]) {
  part(name).addEventListener("change", () => {
    if (part(name).value === "engine" && part("engines")) part("engines").open = true;
  });
}
