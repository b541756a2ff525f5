// The games that records.py has left in FOLDER, KIF, KI2 and CSA, read by tsshogi move for move; then what tsshogi
// writes, converted by sanki.
//
//     node records.mjs SANKI FOLDER

import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";

const [sanki, folder] = process.argv.slice(2);
const { importKIF, importKI2, importCSA, exportKIF, exportKI2, exportCSA } =
  createRequire(path.resolve(folder, "x.js"))("tsshogi");

const lines = fs.readFileSync(path.join(folder, "shogi.usi"), "utf8").trim().split("\n");
const movesOf = (line) => line.split(" moves ")[1] ?? "";
const movesIn = (record) => record.moves.map((node) => node.move.usi).filter(Boolean).join(" ");

for (const [end, read, write] of [
  ["kifu", importKIF, exportKIF],
  ["ki2u", importKI2, exportKI2],
  ["csa", importCSA, exportCSA],
]) {
  const names = fs.readdirSync(path.join(folder, "shogi", end)).sort();
  if (names.length !== lines.length) throw new Error(`${names.length} files, ${lines.length} games`);
  const theirs = path.join(folder, `theirs-${end}`);
  fs.mkdirSync(theirs, { recursive: true });
  names.forEach((name, place) => {
    const record = read(fs.readFileSync(path.join(folder, "shogi", end, name), "utf8"));
    if (record instanceof Error) throw record;
    if (movesIn(record) !== movesOf(lines[place])) throw new Error(`${name}: ${movesIn(record)}`);
    fs.writeFileSync(path.join(theirs, name), write(record, {}));
  });
  const files = names.map((name) => path.join(theirs, name));
  const back = path.join(folder, `theirs-${end}.usi`);
  execFileSync(sanki, ["convert", ...files, "-o", back, "--force"]);
  const again = fs.readFileSync(back, "utf8").trim().split("\n").map(movesOf);
  if (again.join("\n") !== lines.map(movesOf).join("\n")) throw new Error(`${end} comes back otherwise`);
  console.log(`shogi: ${names.length} games of ${end} read by tsshogi, and its own read back`);
}
