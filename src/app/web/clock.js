// The clocks of a game: what is left to each side, and whose clock runs.

import { board, ending, fail, game, go, now } from "./game.js";
import { ask } from "./link.js";
import { part } from "./shared.js";

/** Milliseconds between two looks at the clock. */
const TICK = 200;
/** Below this many milliseconds tenths are shown. */
const SHORT = 10_000;

/** Milliseconds of a clock that are kept back, and the least that the net thinks. */
const [RESERVE, LEAST] = [200, 20];
/** Moves that a game is expected to go on for. */
const MOVES_TO_GO = 25;

/** Nothing, or in milliseconds what is left to each side and what a move adds, and whose clock runs since when. */
let clock = null;

/** Sets the clocks, in seconds; `left` where the game was left before. */
export function setClock({ base, increment, left = [base, base] }) {
  const milliseconds = left.map((seconds) => 1000 * seconds);
  clock = base > 0 ? { base, increment, left: milliseconds, side: null, since: 0 } : null;
}

/** The clocks in seconds, as they are kept. */
export function savedClock() {
  if (!clock) return undefined;
  const left = [0, 1].map((side) => Math.round(leftTo(side)) / 1000);
  return { base: clock.base, increment: clock.increment, left };
}

/** Milliseconds left to a side. */
function leftTo(side) {
  const used = clock.side === side ? performance.now() - clock.since : 0;
  return Math.max(0, clock.left[side] - used);
}

/** Whether a clock has run out: it would end the game again after an undo. */
export function isTimeUp() {
  return clock !== null && [0, 1].some((side) => leftTo(side) === 0);
}

/**
 * The `budget` of a move, no longer than the clock of the side to move allows. That is what the engine gives a usual move
 * (`TimeBudget` in src/search/time.rs): a share of what is left, and three quarters of what the move adds, but at most a
 * quarter of what is left.
 */
export function withinClock(budget) {
  if (!clock || budget.time === undefined) return budget;
  const all = leftTo(now().turn);
  const left = all - Math.min(RESERVE, (3 / 4) * all);
  const share = Math.min(left / MOVES_TO_GO + (3 / 4) * 1000 * clock.increment, left / 4);
  return { ...budget, time: Math.max(LEAST, Math.min(budget.time, share)) };
}

/** Lets the clock of `side` run, or none. */
function switchClock(side) {
  clock.left = [leftTo(0), leftTo(1)];
  Object.assign(clock, { side, since: performance.now() });
}

/** The clock of the side to move runs, and none where the game is over. */
export function runClock() {
  if (clock) switchClock(ending() ? null : now().turn);
}

/** The side to move has moved. */
export function pressClock() {
  if (!clock) return;
  switchClock(null);
  clock.left[now().turn] += 1000 * clock.increment;
}

/** The time left, as clocks show it. */
function clockText(milliseconds) {
  const seconds = milliseconds < SHORT ? Math.floor(milliseconds / 100) / 10 : Math.ceil(milliseconds / 1000);
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60];
  const digits = milliseconds < SHORT ? rest.toFixed(1) : String(rest);
  return `${minutes}:${digits.padStart(milliseconds < SHORT ? 4 : 2, "0")}`;
}

export function drawClocks() {
  for (const [index, seat] of ["near", "far"].entries()) {
    const side = board.flipped ? 1 - index : index;
    const element = part(seat).querySelector(".clock");
    element.textContent = clock ? clockText(leftTo(side)) : "";
    element.classList.toggle("short", Boolean(clock) && leftTo(side) < SHORT);
  }
}

/** A clock at zero loses. */
function lookAtClock() {
  if (!clock || game.positions.length === 0) return;
  drawClocks();
  if (clock.side === null || ending() || leftTo(clock.side) > 0) return;
  game.ended = { winner: 1 - now().turn, reason: "timeout", points: null };
  game.selected = null;
  go().then(() => ask({ do: "stop" })).catch(fail);
}

setInterval(lookAtClock, TICK);
