// A game as an address: all of it stands behind the #, which a browser sends to nobody.

import { game } from "./game.js";
import { DATA } from "./shared.js";

/** The address of the game so far, on this page. */
export function address() {
  const held = new URLSearchParams({
    rules: game.rules, start: game.positions[0].fen, moves: game.moves.join(" "),
  });
  // A game that a server keeps has an address of its own there, which others may not see.
  const page = DATA.net ? `/play?net=${encodeURIComponent(DATA.net)}` : location.pathname;
  const url = new URL(page, location.href);
  url.hash = held.toString();
  return url.href;
}

/** The game that the address of the page holds, or nothing. */
export function heldGame() {
  const held = new URLSearchParams(location.hash.slice(1));
  if (!held.has("start")) return null;
  const moves = (held.get("moves") ?? "").split(" ").filter((move) => move !== "");
  return { start: { rules: held.get("rules") ?? DATA.own_rules, fen: held.get("start") }, moves };
}
