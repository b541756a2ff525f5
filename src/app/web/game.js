// A game on the board: whose turn it is, what was clicked, and what the net answers. Rules are the module's. The screen
// that uses this sets `events.show`, and may set the others.

import { drawArrows } from "./arrows.js";
import { ask, worker } from "./link.js";
import { partsOf } from "./moves.js";
import { changedSquares, drawFace, drawTable, moveInWords, nameOf, readFen } from "./picture.js";
import { DATA, TEXTS, fill, part } from "./shared.js";

export const board = DATA.board;
/** What the sides are called. */
export const SIDES = [0, 1].map((side) => TEXTS.sides[`${board.game.replace("mini", "")}${side}`]);

/** Simulations of a look at a position where the net is not to move. */
export const LOOK = { simulations: 800 };

/** The moves of the game, the positions before and after each, and what the person has chosen. */
export const game = {
  rules: DATA.own_rules, start: {}, moves: [], positions: [], person: "0", budget: { simulations: 200 }, ended: null,
  selected: null, isBusy: true,
  /** Whether what the net sees is shown, and what it has seen last, of which moves. */
  isViewed: false, seen: null,
  /** The moves after which a hint was asked for: it is shown until there are others. */
  hinted: null,
  /** What the first side expects by the last thought, as shares of won, drawn and lost games. */
  expected: null,
};

/**
 * What a screen does: it draws all that it shows, the game has changed, a move is about to be played, another game is about
 * to take the place of this one. `allowed` gives what the clock leaves of the net's budget for a move.
 */
export const events = {
  show: () => {}, changed: () => {}, moving: () => {}, leaving: () => {}, allowed: (budget) => budget,
};

export function fail(error) {
  say(fill(TEXTS.play.failed, { why: error.message }), "failed");
}

export function say(text, state) {
  part("status").textContent = text;
  part("status").dataset.state = state;
}

/** Tells a screen reader. */
export function announce(text) {
  part("announced").textContent = text;
}

/** The game so far, as the module reads it. */
export function soFar(moves = game.moves) {
  return { ...game.start, moves };
}

export function now() {
  return game.positions.at(-1);
}

/** The end of the game, or nothing. */
export function ending() {
  return game.ended ?? now().outcome;
}

export function isPersons(turn) {
  return game.person === "both" || game.person === String(turn);
}

export function isPersonsTurn() {
  return !game.isBusy && !ending() && isPersons(now().turn);
}

// Moves of the position.

/** The parts of a move, of the side to move if nothing else is said. */
export function ends(move, turn = now().turn) {
  return partsOf(move, turn);
}

export function movesFrom(from) {
  return now().moves.filter((move) => ends(move).from === from && !ends(move).isPass);
}

export function passMove() {
  return now().moves.find((move) => ends(move).isPass);
}

/** The move of the present position that a candidate begins with, as a person reads it. */
export function moveText({ line, written }) {
  return ends(line[0]).isPass ? TEXTS.play.passed : written[0];
}

// Drawing.

export function read(position) {
  return readFen(board, position.fen);
}

export function draw() {
  const [before, after] = [game.positions.at(-2), now()];
  const position = read(after);
  const king = after.turn === 0 ? "K" : "k";
  const targets = game.selected ? movesFrom(game.selected).map((move) => ends(move).to) : [];
  const isLive = (name) => isPersonsTurn() && (targets.includes(name) || movesFrom(name).length > 0);
  const picture = drawTable(board, {
    position,
    changed: before ? changedSquares(read(before), position) : [],
    check: after.check && Object.keys(position.squares).find((name) => position.squares[name] === king),
    selected: game.selected,
    targets,
    isLive,
  });
  if (game.seen?.moves === game.moves) drawArrows(picture, board, game.seen.candidates, after.turn);
  part("board").replaceChildren(picture);
}

/** What the first side expects: the shares of wins, draws and losses. */
export function drawChances(shares) {
  const [wins, draws, losses] = shares.map((share) => Math.round(100 * share));
  for (const [index, name] of ["wins", "draws", "losses"].entries()) part(name).style.width = `${100 * shares[index]}%`;
  const [side, other] = SIDES;
  part("chances").setAttribute("aria-label", fill(TEXTS.play.chances, { side, other, wins, draws, losses }));
}

/** The shares of the first side, of a position where it is the turn of `turn`. */
export function ofFirst([win, drawn, loss], turn) {
  return turn === 0 ? [win, drawn, loss] : [loss, drawn, win];
}

/** The same of a game that is over. */
export function sharesOf(winner) {
  return [Number(winner === 0), Number(winner === null), Number(winner === 1)];
}

export function scoreOf([win, drawn]) {
  return win + drawn / 2;
}

/** Shows what the net has found in the present position. */
function drawThought(thought) {
  const shares = ofFirst(thought.wdl, now().turn);
  game.expected = shares;
  drawChances(shares);
  const percent = Math.round(100 * scoreOf(shares));
  const count = thought.simulations.toLocaleString(document.documentElement.lang);
  const words = [fill(TEXTS.play.thought, { side: SIDES[0], percent, count })];
  if (game.isViewed || game.hinted === game.moves) {
    game.seen = { moves: game.moves, candidates: thought.candidates };
    drawArrows(part("board").firstChild, board, thought.candidates, now().turn);
    words.push(thought.candidates[0].written.join(" "));
  }
  part("thought").textContent = words.join("; ");
}

/** How the game ended, in words. */
export function describeEnd({ winner, reason, points }) {
  const [first, second] = points ?? [];
  const why = TEXTS.reasons[reason] + (points ? fill(TEXTS.play.points, { first, second }) : "");
  if (winner === null) return fill(TEXTS.play.drawn, { why });
  if (game.person === "both") return fill(TEXTS.play.won, { side: SIDES[winner], why });
  return fill(isPersons(winner) ? TEXTS.play.you_won : TEXTS.play.you_lost, { why });
}

// Playing.

/** Plays a move and, where it is the net's turn then, its answer. */
export async function play(move) {
  events.moving();
  game.selected = null;
  game.isBusy = true;
  const told = moveInWords(board, read(now()), now().turn, move);
  const before = game.moves;
  const moves = [...before, move];
  const position = await ask({ do: "position", line: soFar(moves) });
  // The game went another way meanwhile.
  if (game.moves !== before || ending()) return;
  game.moves = moves;
  game.positions.push(position);
  game.isBusy = false;
  announce(told);
  await go();
}

/** Goes on: the net thinks where it is its turn. */
export async function go() {
  game.isBusy = !ending() && !isPersons(now().turn);
  // A declaration that wins ends the game for the net; a person decides.
  if (game.isBusy && now().declaration === "win") {
    Object.assign(game, { ended: declared(), isBusy: false });
  }
  events.changed();
  events.show();
  if (ending()) {
    drawChances(sharesOf(ending().winner));
    return;
  }
  if (game.isBusy) await answer();
  else if (game.isViewed || game.person === "both") await look();
}

/** Asks the net about the position; `undefined` where the game went another way meanwhile. */
export async function consider(budget) {
  const { moves } = game;
  const isHere = () => game.moves === moves && !ending();
  const thought = await ask({ do: "think", line: soFar(), budget }, (found) => isHere() && drawThought(found));
  if (!thought || !isHere()) return undefined;
  drawThought(thought);
  return thought;
}

/** The net moves. */
async function answer() {
  const thought = await consider(events.allowed(game.budget));
  if (thought && game.isBusy) await play(thought.best);
}

/** What the net sees in a position where a person is to move. */
export async function look() {
  // Its search does not look at a position that is as good as won.
  if (!ending() && now().declaration !== "win") await consider(LOOK);
}

/** What a declaration by the side to move gives. */
export function declared() {
  return { winner: now().declaration === "win" ? now().turn : null, reason: "declaration", points: null };
}

/** Whether a person has declared the end of the game: whoever does so has the turn. */
function isDeclared() {
  return Boolean(game.ended) && isPersons(now().turn);
}

/**
 * How many plies an undo takes back: to the person's last turn. An end that a person has declared is taken back by itself;
 * the net would declare its own again.
 */
function undoable() {
  if (isDeclared()) return 0;
  const plies = game.moves.length;
  if (game.person === "both") return Math.min(plies, 1);
  const before = game.positions.slice(0, -1).findLastIndex((position) => isPersons(position.turn));
  return before < 0 ? 0 : plies - before;
}

/** Whether an undo takes anything back. */
export function isUndoable() {
  return isDeclared() || undoable() > 0;
}

/** Leaves the game as it is: the net stops thinking, and no move is awaited. */
export async function stop() {
  game.isBusy = true;
  // Answers on their way belong to moves that are no longer those of the game.
  game.moves = [...game.moves];
  say(TEXTS.play.thinking, "thinking");
  await ask({ do: "stop" });
}

/** Whether an undo waits for the net to stop: a double click takes back once. */
let isUndoing = false;

export async function undo() {
  if (isUndoing) return;
  isUndoing = true;
  try {
    await stop();
  } finally {
    isUndoing = false;
  }
  const plies = undoable();
  game.moves = game.moves.slice(0, game.moves.length - plies);
  game.positions.length -= plies;
  Object.assign(game, { ended: null, selected: null });
  announce(TEXTS.play.undone);
  await go();
}

/** Which of several moves from one place to another: whether to promote. */
async function choose(moves) {
  if (moves.length === 1) return moves[0];
  const code = read(now()).squares[game.selected];
  part("pieces").replaceChildren(...moves.map((move) => {
    const button = document.createElement("button");
    button.type = "button";
    button.dataset.move = move;
    button.append(drawFace(board, move.endsWith("+") ? `+${code}` : code));
    const text = move.endsWith("+") ? TEXTS.play.promote : TEXTS.play.stay;
    button.append(text);
    return button;
  }));
  part("promotion").returnValue = "";
  part("promotion").showModal();
  await new Promise((resolve) => part("promotion").addEventListener("close", resolve, { once: true }));
  return part("promotion").returnValue;
}

/** A click on a square or a piece in hand. */
export async function press(name) {
  if (!isPersonsTurn()) return;
  const moves = game.selected ? movesFrom(game.selected).filter((move) => ends(move).to === name) : [];
  if (moves.length > 0) {
    const move = await choose(moves);
    if (move) await play(move);
    return;
  }
  game.selected = game.selected !== name && movesFrom(name).length > 0 ? name : null;
  draw();
}

/** The square or the piece in hand that an element of the board stands for. */
export function chosen(element) {
  return nameOf(element?.closest?.("[data-square], [data-hand]"));
}

function pressed(event) {
  const name = chosen(event.target);
  if (name) press(name).catch(fail);
}

/** Shows the moves of the game in their list. */
export function drawMoves() {
  part("moves").replaceChildren(...game.moves.map((move, ply) => {
    const item = document.createElement("li");
    const { written } = game.positions[ply + 1];
    item.textContent = ends(move, game.positions[ply].turn).isPass ? TEXTS.play.passed : written;
    return item;
  }));
  part("moves").scrollTop = part("moves").scrollHeight;
}

worker.addEventListener("error", fail);
part("board").addEventListener("click", pressed);
part("pieces").addEventListener("click", (event) => {
  part("promotion").close(event.target.closest("button")?.dataset.move ?? "");
});
