// A game that is looked at: steps through it, what a net says of it, and variations that are tried on the board.

import { drawCurve, plyAt } from "./curve.js";
import "./drag.js";
import {
  SIDES, board, describeEnd, draw, drawChances, ending, events, fail, game, go, isPersonsTurn, now, ofFirst,
  passMove, play, say, scoreOf, sharesOf, soFar, undo,
} from "./game.js";
import { ask, open } from "./link.js";
import { DATA, TEXTS, fill, part } from "./shared.js";

/** What the page judges by: the program's own figures (src/arena/analysis). */
const {
  noise: NOISE, turning_points: MOST_TURNING_POINTS, missed_win: [WON, NO_LONGER_WON], accuracy: ACCURACY,
} = DATA.judging;
const PLIES = DATA.moves.length;

/**
 * What is shown, what a net has said of each position by how many simulations, the net that is at hand, the ply at which a
 * variation leaves the game, and whether it begins where a win was missed.
 */
const review = {
  ply: 0, shares: [], scores: [], candidates: [], simulations: null, isJudging: false, opened: null, branch: null,
  isMissedWin: false,
};

Object.assign(events, { show });
Object.assign(game, {
  start: { rules: DATA.own_rules, fen: DATA.start, language: document.documentElement.lang }, person: "both",
});

function drawPlayers() {
  const sides = board.flipped ? [1, 0] : [0, 1];
  for (const [index, seat] of ["near", "far"].entries()) {
    const side = sides[index];
    part(seat).querySelector(".name").textContent = SIDES[side];
    part(seat).classList.toggle("turn", now().turn === side);
  }
}

/** What is to be said of the position. */
function positionText() {
  const turn = fill(TEXTS.play.to_move, { side: SIDES[now().turn] });
  if (review.branch !== null) {
    if (ending()) return describeEnd(ending());
    return game.isBusy ? TEXTS.play.thinking : `${tryingText()} ${turn}`;
  }
  const last = review.ply > 0 ? `${review.ply}. ${DATA.written[review.ply - 1]}` : TEXTS.judge.start;
  return `${last} – ${review.ply === PLIES && DATA.outcome ? describeEnd(DATA.outcome) : turn}`;
}

/** Whether the net is not to say yet what it expects: it would show the win, until it has answered a move. */
const isSecret = () => review.isMissedWin && game.moves.length < review.branch + 2;

/** What is to be said of a variation: of one that begins where a win was missed, whether it is won still. */
function tryingText() {
  if (!review.isMissedWin) return TEXTS.judge.trying;
  if (isSecret()) return TEXTS.judge.find_win;
  const score = scoreFor(Number(game.person), scoreOf(game.expected));
  return fill(score >= WON ? TEXTS.judge.win_kept : TEXTS.judge.win_gone, { percent: Math.round(100 * score) });
}

/** Shows everything: this is what a move calls for. */
function show() {
  const isTrying = review.branch !== null;
  const state = !isTrying ? "review" : ending() ? "over" : game.isBusy ? "thinking" : "person";
  say(positionText(), state);
  drawPlayers();
  draw();
  part("ply").value = String(review.ply);
  part("ply").setAttribute("aria-valuetext", positionText());
  part("ply").disabled = isTrying;
  for (const button of document.querySelectorAll("[data-step]")) button.disabled = isTrying;
  part("try").hidden = isTrying;
  part("try").disabled = !part("net") || (review.ply === PLIES && Boolean(DATA.outcome));
  part("leave").hidden = !isTrying;
  part("undo").hidden = !isTrying;
  part("undo").disabled = game.moves.length <= review.branch;
  part("pass").hidden = !isTrying || !board.passes;
  part("pass").disabled = !isTrying || !isPersonsTurn() || !passMove();
  markMove();
  if (isTrying) part("chances").hidden = isSecret();
  else drawJudged();
}

/** Shows the position after `ply` plies of the game. */
function goTo(ply) {
  const shown = Math.max(0, Math.min(ply, PLIES));
  Object.assign(review, { ply: shown, branch: null, isMissedWin: false });
  const moves = DATA.moves.slice(0, shown);
  const candidates = review.candidates[shown];
  Object.assign(game, {
    moves, positions: DATA.positions.slice(0, shown + 1), isBusy: true, selected: null, ended: null, person: "both",
    seen: candidates ? { moves, candidates } : null,
  });
  show();
}

// The moves of the game.

function listMoves() {
  part("moves").replaceChildren(...DATA.written.map((text, before) => {
    const [item, button] = [document.createElement("li"), document.createElement("button")];
    button.type = "button";
    button.textContent = text;
    button.addEventListener("click", () => goTo(before + 1));
    item.append(button);
    return item;
  }));
}

function markMove() {
  const list = part("moves");
  list.querySelector("[aria-current]")?.removeAttribute("aria-current");
  const current = list.querySelectorAll("button")[review.ply - 1];
  current?.setAttribute("aria-current", "step");
  // Not scrollIntoView: it would move the page as well.
  list.scrollTop = current ? current.offsetTop - list.offsetTop - list.clientHeight / 2 : 0;
}

// What the net says.

/** The net that is chosen is at hand. */
async function ready() {
  const address = part("net").value;
  if (review.opened === address) return;
  part("progress").textContent = TEXTS.play.loading;
  try {
    await open(address);
  } finally {
    part("progress").textContent = "";
  }
  review.opened = address;
  forget();
}

/** What was said of the positions counts no more: another net is to judge, or for longer. */
function forget() {
  Object.assign(review, { shares: [], scores: [], candidates: [] });
  game.seen = null;
  if (review.branch === null) show();
}

/** What the first side expects after `ply` plies, and what would be played there; nothing where it was stopped. */
async function judgeAt(ply, budget) {
  const line = soFar(DATA.moves.slice(0, ply));
  const { outcome, declaration, turn } = await ask({ do: "position", line });
  if (!review.isJudging) return undefined;
  if (outcome) return { shares: sharesOf(outcome.winner), candidates: [] };
  if (declaration === "win") return { shares: sharesOf(turn), candidates: [] };
  const thought = await ask({ do: "think", line, budget });
  return thought && { shares: ofFirst(thought.wdl, turn), candidates: thought.candidates };
}

/** Has the game judged, once at a time: a double click asks twice. */
async function judge() {
  if (review.isJudging) return;
  review.isJudging = true;
  drawButtons();
  try {
    const simulations = Number(part("effort").value);
    await ready();
    // It may have been stopped while the net came.
    if (!review.isJudging) return;
    if (review.simulations !== simulations) forget();
    review.simulations = simulations;
    await judgeAll({ simulations });
  } finally {
    review.isJudging = false;
    drawButtons();
  }
}

/** Has every position judged that was not yet. */
async function judgeAll(budget) {
  const { scores } = review;
  for (let ply = 0; ply <= PLIES && review.isJudging; ply++) {
    if (review.scores[ply] !== undefined) continue;
    part("progress").textContent = fill(TEXTS.judge.progress, { ply, plies: PLIES });
    const judged = await judgeAt(ply, budget);
    // Another net may have been chosen meanwhile.
    if (!judged || review.scores !== scores) break;
    review.shares[ply] = judged.shares;
    review.scores[ply] = scoreOf(judged.shares);
    review.candidates[ply] = judged.candidates;
    if (review.branch === null) drawJudged();
  }
  const count = review.scores.filter((score) => score !== undefined).length;
  part("progress").textContent = count > PLIES ? "" : fill(TEXTS.judge.stopped, { ply: count, plies: PLIES });
}

async function stopJudging() {
  review.isJudging = false;
  await ask({ do: "stop" });
}

function drawButtons() {
  // It keeps its place: the second click of two must not meet the other button there.
  part("begin").disabled = review.isJudging;
  part("stop").hidden = !review.isJudging;
}

/** What the first side expects, as a side sees it. */
const scoreFor = (side, score) => (side === 0 ? score : 1 - score);

/**
 * The moves that were judged: their plies from 1, their sides, what these expected before and after them, what they cost, and
 * the line that was best.
 */
function judgedMoves() {
  return DATA.moves.flatMap((move, before) => {
    const scores = [review.scores[before], review.scores[before + 1]];
    const best = review.candidates[before]?.[0];
    if (scores.includes(undefined) || !best) return [];
    const side = DATA.positions[before].turn;
    const [had, left] = scores.map((score) => scoreFor(side, score));
    const loss = best.line[0] === move ? 0 : Math.max(0, had - left);
    return [{ ply: before + 1, side, had, left, loss, best: best.written }];
  });
}

/** Of the moves that were judged, those that changed the likely result most, in their order. */
function turningPoints(judged) {
  const lost = judged.filter(({ loss }) => loss >= NOISE).sort((a, b) => b.loss - a.loss || a.ply - b.ply);
  return lost.slice(0, MOST_TURNING_POINTS).sort((a, b) => a.ply - b.ply);
}

/** How near the moves of a side came to the best ones, in 0..=1; undefined where none was judged. */
function accuracyOf(judged, side) {
  const [a, b, c] = ACCURACY;
  const all = judged.filter((move) => move.side === side).map(({ loss }) => a * Math.exp(-b * loss) - c);
  return all.length ? all.reduce((sum, one) => sum + Math.min(1, Math.max(0, one)), 0) / all.length : undefined;
}

function drawJudged() {
  const { scores, ply } = review;
  const score = scores[ply];
  part("chances").hidden = score === undefined;
  part("thought").textContent = "";
  if (score !== undefined) {
    drawChances(review.shares[ply]);
    const text = fill(TEXTS.judge.expects, { side: SIDES[0], percent: Math.round(100 * score) });
    const best = review.candidates[ply]?.[0]?.written.join(" ");
    part("thought").textContent = best ? `${text}; ${fill(TEXTS.judge.best, { line: best })}` : text;
  }
  part("curve").hidden = scores.length === 0;
  if (scores.length === 0) {
    for (const name of ["curve", "accuracy", "turning", "missed"]) part(name).replaceChildren();
    return;
  }
  const judged = judgedMoves();
  const points = turningPoints(judged);
  const curve = drawCurve(scores, PLIES, points.map((move) => move.ply), ply);
  curve.addEventListener("click", (event) => goTo(plyAt(curve, event, PLIES)));
  part("curve").replaceChildren(curve);
  drawAccuracy(judged);
  drawTurningPoints(points);
  drawMissedWins(judged.filter(({ had, left, loss }) => loss > 0 && had >= WON && left < NO_LONGER_WON));
}

function drawAccuracy(judged) {
  part("accuracy").replaceChildren(...[0, 1].flatMap((side) => {
    const accuracy = accuracyOf(judged, side);
    if (accuracy === undefined) return [];
    const line = document.createElement("p");
    line.textContent = fill(TEXTS.judge.accuracy, { side: SIDES[side], percent: Math.round(100 * accuracy) });
    return [line];
  }));
}

function drawTurningPoints(points) {
  drawChoices("turning", TEXTS.judge.turning, points.map(({ ply, loss, best }) => [
    fill(TEXTS.judge.worse, {
      number: ply, move: DATA.written[ply - 1], percent: Math.round(100 * loss), line: best.slice(0, 4).join(" "),
    }),
    () => goTo(ply - 1),
  ]));
}

/** The wins that were missed, without what would have won, each to try again. */
function drawMissedWins(missed) {
  drawChoices("missed", TEXTS.judge.missed, missed.map(({ ply, side, had, left }) => [
    fill(TEXTS.judge.try_again, {
      number: ply, side: SIDES[side], had: Math.round(100 * had), left: Math.round(100 * left),
    }),
    () => tryAgain(ply - 1).catch(fail),
  ]));
}

/** A list of buttons under a heading, each with its text and what it does; nothing where there is none. */
function drawChoices(id, title, choices) {
  const heading = document.createElement("h3");
  heading.textContent = title;
  const list = document.createElement("ol");
  list.append(...choices.map(([text, choose]) => {
    const [item, button] = [document.createElement("li"), document.createElement("button")];
    button.type = "button";
    button.textContent = text;
    button.addEventListener("click", choose);
    item.append(button);
    return item;
  }));
  part(id).replaceChildren(...(choices.length ? [heading, list] : []));
}

// Variations.

/** From here on the board is played on: the person has the side to move, and the net the other. */
async function tryHere() {
  if (review.isJudging) await stopJudging();
  await ready();
  const position = await ask({ do: "position", line: soFar() });
  review.branch = review.ply;
  game.positions = [...game.positions.slice(0, -1), position];
  Object.assign(game, {
    person: String(position.turn), budget: { simulations: Number(part("effort").value) },
    isViewed: !review.isMissedWin, ended: null,
  });
  await go();
}

/** The same after `ply` plies, where a win was missed. */
async function tryAgain(ply) {
  if (review.branch !== null) await leave();
  goTo(ply);
  // The win is to be found: what the net has seen here is taken away before it is painted.
  review.isMissedWin = true;
  game.seen = null;
  part("thought").textContent = "";
  draw();
  await tryHere();
}

async function leave() {
  const { branch } = review;
  await ask({ do: "stop" });
  // A double click leaves once.
  if (branch !== null && review.branch === branch) goTo(branch);
}

const STEPS = { first: () => 0, back: () => review.ply - 1, forward: () => review.ply + 1, last: () => Infinity };
const KEYS = { ArrowLeft: "back", ArrowRight: "forward" };

for (const button of document.querySelectorAll("[data-step]")) {
  button.addEventListener("click", () => goTo(STEPS[button.dataset.step]()));
}
part("ply").max = String(PLIES);
part("ply").addEventListener("input", () => goTo(Number(part("ply").value)));
document.addEventListener("keydown", (event) => {
  const isTaken = event.altKey || event.ctrlKey || event.metaKey || event.target.closest("select, input, #board");
  const step = KEYS[event.key];
  if (!step || isTaken || review.branch !== null) return;
  event.preventDefault();
  goTo(STEPS[step]());
});
part("judge").addEventListener("submit", (event) => {
  event.preventDefault();
  if (review.branch !== null) leave().then(judge).catch(fail);
  else judge().catch(fail);
});
part("stop")?.addEventListener("click", () => stopJudging().catch(fail));
part("try").addEventListener("click", () => tryHere().catch(fail));
part("leave").addEventListener("click", () => leave().catch(fail));
part("undo").addEventListener("click", () => {
  // Not back before the variation.
  if (game.moves.length > review.branch) undo().catch(fail);
});
part("pass").addEventListener("click", () => play(passMove()).catch(fail));
part("flip").addEventListener("click", () => {
  board.flipped = !board.flipped;
  show();
});
listMoves();
goTo(Number(/^#ply-(\d+)$/.exec(location.hash)?.[1] ?? 0));
