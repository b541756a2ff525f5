// Prints the module's best move for each position: `node moves.mjs MODULE MODEL SIMULATIONS`, with a line of JSON
// (`rules`, `fen`) for each position on stdin.

import { readFileSync } from "node:fs";
import { open } from "./module.mjs";

const [module, model, simulations] = process.argv.slice(2);
const { about, ask } = await open(module, model);
if (about.error) throw new Error(about.error);
for (const text of readFileSync(0, "utf8").trim().split("\n")) {
  const line = { ...JSON.parse(text), moves: [] };
  let thought = ask({ do: "search", line, simulations: Number(simulations) });
  while (!thought.over && !thought.error) thought = ask({ do: "think", steps: 1000 });
  console.log(thought.error ?? thought.best);
}
