// Prints what the WebAssembly module numbers.wasm finds: `node numbers.mjs numbers.wasm GAME…`, the games in their order.
import { readFileSync } from "node:fs";

const [path, ...games] = process.argv.slice(2);
const { instance } = await WebAssembly.instantiate(readFileSync(path), {});
const hex = (number) => (number >>> 0).toString(16).padStart(8, "0");
games.forEach((game, place) => {
  const { fingerprint_rules, fingerprint_search } = instance.exports;
  console.log(`${game} ${hex(fingerprint_rules(place))} ${hex(fingerprint_search(place))}`);
});
