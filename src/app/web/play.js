// The screen to play on: the choices before a game, the buttons beside it, and what is said of it.

import { drawBoard } from "./board.js";
import { drawClocks, isTimeUp, pressClock, runClock, setClock, withinClock } from "./clock.js";
import "./drag.js";
import {
  LOOK, SIDES, announce, board, consider, declared, describeEnd, draw, drawChances, drawMoves, ending, events, fail,
  game, go, isPersons, isPersonsTurn, isUndoable, look, moveText, now, passMove, play, say, stop, undo,
} from "./game.js";
import { ask, open } from "./link.js";
import { readFen } from "./picture.js";
import { address, heldGame } from "./share.js";
import { DATA, TEXTS, fill, part } from "./shared.js";

/** Levels: of 1 to 19, or full strength for so many milliseconds. */
export const LEVELS = {
  ...Object.fromEntries(Array.from({ length: 19 }, (_, index) => [`level${index + 1}`, { level: index + 1 }])),
  time1: { time: 1000 },
  time3: { time: 3000 },
  time10: { time: 10000 },
};
export const USUAL_LEVEL = "level6";

/** What a level is called. */
const levelText = (key) => fill(TEXTS.levels[LEVELS[key].level ? "level" : key], { level: LEVELS[key].level });

/** Whether the person was warned of what passing does, and passes all the same by doing it again. */
let isWarned = false;

function drawPlayers() {
  const sides = board.flipped ? [1, 0] : [0, 1];
  for (const [index, seat] of ["near", "far"].entries()) {
    const side = sides[index];
    const text = game.person === "both" ? "{side}" : (isPersons(side) ? TEXTS.play.you : TEXTS.play.net);
    const count = now().points ? fill(TEXTS.play.count, { points: now().points[side] }) : "";
    part(seat).querySelector(".name").textContent = fill(text, { side: SIDES[side] }) + count;
    part(seat).classList.toggle("turn", !ending() && now().turn === side);
  }
  drawClocks();
}

function turnText() {
  const turn = game.person === "both" ? fill(TEXTS.play.to_move, { side: SIDES[now().turn] }) : TEXTS.play.your_move;
  const may = now().declaration ? ` ${TEXTS.play.may_declare}` : "";
  return (now().check ? `${TEXTS.play.check} ${turn}` : turn) + may;
}

function drawStatus() {
  const end = ending();
  if (end) say(describeEnd(end), "over");
  else if (game.isBusy) say(TEXTS.play.thinking, "thinking");
  else say(turnText(), "person");
  part("undo").disabled = isTimeUp() || !isUndoable();
  part("pass").hidden = !board.passes;
  part("pass").disabled = !isPersonsTurn() || !passMove();
  part("declare").hidden = !board.declares;
  part("declare").disabled = !isPersonsTurn() || !now().declaration;
  for (const name of ["hint", "resign"]) part(name).disabled = !isPersonsTurn();
  for (const name of ["flip", "view", "begin", "share"]) part(name).disabled = false;
}

function show() {
  isWarned = false;
  drawStatus();
  drawPlayers();
  drawMoves();
  draw();
}

/** Passes, after a warning where that ends the game. */
async function pass() {
  const { passing } = now();
  if (passing && !isWarned) {
    isWarned = true;
    say(fill(TEXTS.play.pass_ends, { end: describeEnd(passing) }), "person");
    return;
  }
  await play(passMove());
}

/** Ends the game by what no rule sees. */
async function finish(end) {
  Object.assign(game, { ended: end, selected: null });
  await go();
  await ask({ do: "stop" });
}

/** Shows once what the net would play. */
async function hint() {
  // Nothing is searched where the game is as good as won.
  if (now().declaration === "win") {
    announce(TEXTS.play.may_declare);
    return;
  }
  game.hinted = game.moves;
  const thought = await consider(LOOK);
  if (thought) announce(fill(TEXTS.play.hinted, { move: moveText(thought.candidates[0]) }));
}

/** Shows what the net sees all the time, or no more. */
async function toggleView() {
  game.isViewed = !game.isViewed;
  part("view").setAttribute("aria-pressed", String(game.isViewed));
  if (!game.isViewed) Object.assign(game, { seen: null, hinted: null });
  draw();
  if (game.isViewed && isPersonsTurn()) await look();
}

/** Puts the game that has `begun` so after `moves` on the board, for the person at a side ("0", "1" or "both"). */
export async function setUp(begun, moves, person) {
  const start = { ...begun, language: document.documentElement.lang };
  const positions = await ask({ do: "positions", line: { ...start, moves } });
  const budget = LEVELS[part("level").value];
  if (game.positions.length > 0) events.leaving();
  // A file or an address may have moves in another form, such as a pass by that name.
  const played = positions.slice(1).map(({ move }) => move);
  Object.assign(game, { rules: start.rules, start, moves: played, positions, person, budget });
  Object.assign(game, { ended: null, selected: null, seen: null });
  board.flipped = person === "1";
  drawChances([0, 1, 0]);
  part("thought").textContent = "";
}

/** Begins a game by what the form says. */
export async function begin() {
  await stop();
  const setup = DATA.setups.length ? { setup: `${part("setup0").value}/${part("setup1").value}` } : {};
  const handicap = part("handicap").value ? { handicap: part("handicap").value } : {};
  const person = part("side").value;
  const rules = part("rules").value;
  await setUp({ rules, ...setup, ...handicap }, [], person);
  setClock({ base: 60 * Number(part("minutes").value), increment: Number(part("increment").value) });
  await go();
}

/**
 * Shows the game that the address holds, for a person at both sides. Where it holds none, or none that can be played, what
 * was on the board goes on, or a game begins.
 */
export async function beginAsAddressed() {
  const goOn = () => (game.positions.length > 0 ? go() : begin());
  const held = heldGame();
  if (!held) return goOn();
  await stop();
  try {
    await setUp(held.start, held.moves, "both");
  } catch (error) {
    await goOn();
    return say(fill(TEXTS.play.bad_link, { why: error.message }), "failed");
  }
  for (const [name, value] of [["side", "both"], ["rules", held.start.rules]]) part(name).value = value;
  setClock({ base: 0, increment: 0 });
  return go();
}

/** Copies the address that holds the game, or shows it where nothing can be copied. */
async function share() {
  const text = address();
  const told = part("status").dataset.state;
  try {
    await navigator.clipboard.writeText(text);
    say(TEXTS.play.shared, told);
  } catch {
    history.replaceState(null, "", text);
    say(TEXTS.play.addressed, told);
  }
}

/** Fills a choice. */
function offer(name, options, chosen) {
  part(name).replaceChildren(...options.map(([value, text]) => new Option(text, value, value === chosen, value === chosen)));
  // A choice of one is none.
  part(name).parentElement.hidden = options.length < 2;
}

function offerAll() {
  offer("side", [["0", SIDES[0]], ["1", SIDES[1]], ["both", TEXTS.play.both]], "0");
  offer("level", Object.keys(LEVELS).map((key) => [key, levelText(key)]), USUAL_LEVEL);
  offer("rules", DATA.rules.map((rules) => [rules, TEXTS.rules[rules]]), DATA.own_rules);
  offer("handicap", [["", TEXTS.play.even], ...DATA.handicaps.map((name) => [name, TEXTS.handicaps[name]])], "");
  const setupName = ([letters, name]) => `${name}: ${[...letters].map((letter) => board.pieces[letter].text).join("")}`;
  const [setups] = DATA.setups;
  [0, 1].forEach((side) => {
    offer(`setup${side}`, (setups?.[side] ?? []).map((setup) => [setup[0], setupName(setup)]), "nbbn");
  });
}

Object.assign(events, { show, changed: runClock, moving: pressClock, allowed: withinClock });
say(TEXTS.play.loading, "loading");
offerAll();
part("undo").addEventListener("click", () => undo().catch(fail));
part("pass").addEventListener("click", () => pass().catch(fail));
part("declare").addEventListener("click", () => finish(declared()).catch(fail));
part("hint").addEventListener("click", () => hint().catch(fail));
part("view").addEventListener("click", () => toggleView().catch(fail));
part("resign").addEventListener("click", () => {
  finish({ winner: 1 - now().turn, reason: "resignation", points: null }).catch(fail);
});
part("flip").addEventListener("click", () => {
  board.flipped = !board.flipped;
  show();
});
part("share").addEventListener("click", () => share().catch(fail));
// The address of a part of the page holds no game: the one on the board is not touched.
addEventListener("hashchange", () => {
  if (heldGame()) beginAsAddressed().catch(fail);
});
part("level").addEventListener("change", () => {
  game.budget = LEVELS[part("level").value];
  if (game.moves.length > 0) events.changed();
});
// Whoever wants odds gets them.
part("handicap").addEventListener("change", () => {
  if (part("handicap").value && part("side").value !== "both") part("side").value = String(1 - DATA.giver);
});
part("options").addEventListener("submit", (event) => {
  event.preventDefault();
  // On a phone the form is below the board.
  scrollTo({ top: 0 });
  begin().catch(fail);
});
part("board").replaceChildren(drawBoard(board, { ...readFen(board, DATA.fen), changed: [] }));
// A page with a server goes on with a game that is there.
if (DATA.eager && !DATA.net) open().then(beginAsAddressed).catch(fail);
