// The games of the page: filters for their list, and the viewer that steps through one of them.

import { drawBoard } from "./board.js";
import { positionAt } from "./steps.js";

const data = JSON.parse(document.getElementById("data").textContent);
const part = (name) => document.getElementById(name);
/** The game in the viewer, by its place in the data, and the plies of it that are on the board. */
const shown = { game: 0, ply: 0 };

/** Whose turn it is after `plies` plies: 0 or 1. */
function turnAt(game, plies) {
  return (game.turn + plies) % 2;
}

function movesOf(game) {
  return game.moves === "" ? [] : game.moves.split(" ");
}

/** What a screen reader says of the position. */
function describe(game, moves, ply) {
  const last = ply > 0 ? `After ${moves[ply - 1]}` : "Start";
  const next = ply < moves.length ? `${data.board.sides[turnAt(game, ply)]} to move` : game.ending;
  return `${last}, ${ply} of ${moves.length} plies: ${next}`;
}

function show(ply) {
  const game = data.games[shown.game];
  const moves = movesOf(game);
  shown.ply = Math.max(0, Math.min(ply, moves.length));
  const text = describe(game, moves, shown.ply);
  const picture = drawBoard(data.board, positionAt(game, shown.ply));
  picture.setAttribute("role", "img");
  picture.setAttribute("aria-label", text);
  part("board").replaceChildren(picture);
  part("status").textContent = text;
  part("ply").value = String(shown.ply);
  part("ply").setAttribute("aria-valuetext", text);
  for (const side of [0, 1]) {
    const isNext = shown.ply < moves.length && turnAt(game, shown.ply) === side;
    part(`player${side}`).classList.toggle("turn", isNext);
  }
  const list = part("moves");
  list.querySelector("[aria-current]")?.removeAttribute("aria-current");
  const current = list.querySelectorAll("button")[shown.ply - 1];
  current?.setAttribute("aria-current", "step");
  // Not scrollIntoView: it would move the page as well.
  list.scrollTop = current ? current.offsetTop - list.offsetTop - list.clientHeight / 2 : 0;
}

/** Opens a game in the viewer. */
function openGame(index) {
  shown.game = index;
  const game = data.games[index];
  part("game-title").textContent = `Game ${game.number}`;
  [game.first, game.second].forEach((name, side) => {
    part(`player${side}`).textContent = `${name} (${data.board.sides[side]})`;
  });
  part("ending").textContent = [game.ending, ...(game.note ? [game.note] : [])].join(": ");
  const moves = movesOf(game);
  part("ply").max = String(moves.length);
  part("moves").replaceChildren(...moves.map((move, before) => {
    const [item, button] = [document.createElement("li"), document.createElement("button")];
    button.type = "button";
    button.textContent = move;
    button.addEventListener("click", () => show(before + 1));
    item.append(button);
    return item;
  }));
  document.querySelector("tr.open")?.classList.remove("open");
  part(`row-${index}`)?.classList.add("open");
  show(0);
}

/** Opens the game that the address names, "#game-3", or shows the ply of the open one, "#ply-12", if it names one. */
function follow() {
  const ply = /^#ply-(\d+)$/.exec(location.hash);
  if (ply) {
    openGame(shown.game);
    show(Number(ply[1]));
    part("viewer").scrollIntoView({ block: "start" });
    return true;
  }
  const named = /^#game-(\d+)$/.exec(location.hash);
  if (!named || !data.games[Number(named[1])]) return false;
  openGame(Number(named[1]));
  part("viewer").scrollIntoView({ block: "start" });
  part("board").focus({ preventScroll: true });
  return true;
}

/** Hides the rows that the filters exclude. */
function filter() {
  const [player, winner, reason] = ["player", "winner", "reason"].map((name) => part(`filter-${name}`).value);
  let count = 0;
  for (const row of part("games").tBodies[0].rows) {
    const { first, second, winner: won, reason: ended } = row.dataset;
    row.hidden = (player !== "" && player !== first && player !== second) ||
      (winner !== "" && winner !== won) || (reason !== "" && reason !== ended);
    if (!row.hidden) count += 1;
  }
  part("count").textContent = `${count} of ${data.games.length} games`;
}

const STEPS = {
  first: () => 0,
  back: () => shown.ply - 1,
  forward: () => shown.ply + 1,
  last: () => Infinity,
};
const KEYS = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last" };

/**
 * Arrow keys step from anywhere on the page, except where the element in focus uses them itself. Home and End, which
 * also scroll the page, do so in the viewer only.
 */
function press(event) {
  const step = KEYS[event.key];
  const isTaken = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey ||
    event.target.closest("select, input, .scroll");
  const isHere = event.key.startsWith("Arrow") || part("viewer").contains(event.target);
  if (!step || isTaken || !isHere) return;
  event.preventDefault();
  show(STEPS[step]());
}

for (const button of document.querySelectorAll("[data-step]")) {
  button.addEventListener("click", () => show(STEPS[button.dataset.step]()));
}
part("ply").addEventListener("input", (event) => show(Number(event.target.value)));
document.addEventListener("keydown", press);
window.addEventListener("hashchange", follow);
document.addEventListener("click", (event) => {
  // The address does not change when the open game is chosen again.
  if (event.target.closest("a")?.hash === location.hash) follow();
});
if (!follow()) openGame(0);
// A page with one game has no list.
if (part("games")) {
  for (const name of ["player", "winner", "reason"]) part(`filter-${name}`).addEventListener("change", filter);
  filter();
}
