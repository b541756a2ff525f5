"use strict";

// The game: whose turn it is, what was clicked, and what the net answers. Rules are the module's.

const data = JSON.parse(document.getElementById("data").textContent);
const { board } = data;

/** The moves of the game, the positions before and after each, and what the person has chosen. */
const game = {
  start: {}, moves: [], positions: [], person: "0", level: "sims200", resigned: null, selected: null, isBusy: true,
};

function fail(error) {
  say(TEXTS.failed(error.message), "failed");
}

function say(text, state) {
  part("status").textContent = text;
  part("status").dataset.state = state;
}

/** The game so far, as the module reads it. */
function soFar(moves = game.moves) {
  return { ...game.start, moves };
}

function now() {
  return game.positions.at(-1);
}

/** The end of the game, or nothing. */
function ending() {
  return game.resigned ?? now().outcome;
}

function isPersons(turn) {
  return game.person === "both" || game.person === String(turn);
}

function isPersonsTurn() {
  return !game.isBusy && !ending() && isPersons(now().turn);
}

// What a move's text says.

const MOVE = /^(?:([A-Z])@|([a-i]\d+))([a-i]\d+)(\+?)$/;

/** Where a move comes from, a square or a letter of the mover's hand, and where it goes. */
function ends(move) {
  const [, kind, from, to] = MOVE.exec(move);
  const hand = kind && (now().turn === 0 ? kind : kind.toLowerCase());
  return { from: hand ?? from, to, isPass: from === to };
}

function movesFrom(from) {
  return now().moves.filter((move) => ends(move).from === from && !ends(move).isPass);
}

function passMove() {
  return now().moves.find((move) => ends(move).isPass);
}

// Drawing.

function read(position) {
  return readFen(board, position.fen);
}

function draw() {
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
  part("board").replaceChildren(picture);
}

function drawPlayers() {
  const sides = board.flipped ? [1, 0] : [0, 1];
  ["near", "far"].forEach((seat, index) => {
    const side = sides[index];
    const name = board.sides[side];
    part(seat).textContent = game.person === "both" ? name : (isPersons(side) ? TEXTS.you : TEXTS.net)(name);
    part(seat).classList.toggle("turn", !ending() && now().turn === side);
  });
}

function drawMoves() {
  part("moves").replaceChildren(...game.moves.map((move) => {
    const item = document.createElement("li");
    item.textContent = move;
    return item;
  }));
  part("moves").scrollTop = part("moves").scrollHeight;
}

/** What the first side expects, from 0 to 1. */
function drawChances(share, simulations) {
  const text = TEXTS.chances(board.sides[0], Math.round(100 * share));
  part("share").style.width = `${100 * share}%`;
  part("chances").setAttribute("aria-label", text);
  part("thought").textContent = simulations === undefined ? "" : `${text}; ${TEXTS.thought(simulations)}`;
}

function describeEnd({ winner, reason, points }) {
  const words = [TEXTS.reasons[reason], points ? TEXTS.points(points) : ""];
  if (winner === null) return TEXTS.drawn(...words);
  if (game.person === "both") return TEXTS.won(board.sides[winner], ...words);
  return isPersons(winner) ? TEXTS.youWon(...words) : TEXTS.youLost(...words);
}

function drawStatus() {
  const end = ending();
  const turn = game.person === "both" ? TEXTS.toMove(board.sides[now().turn]) : TEXTS.yourMove;
  if (end) say(describeEnd(end), "over");
  else if (game.isBusy) say(TEXTS.thinking, "thinking");
  else say(now().check ? `${TEXTS.check} ${turn}` : turn, "person");
  if (end) drawChances(end.winner === null ? 0.5 : 1 - end.winner);
  part("undo").disabled = undoable() === 0;
  part("pass").hidden = board.game !== "janggi";
  part("pass").disabled = !isPersonsTurn() || !passMove();
  part("resign").disabled = !isPersonsTurn();
  for (const name of ["flip", "begin"]) part(name).disabled = false;
}

function show() {
  drawStatus();
  drawPlayers();
  drawMoves();
  draw();
}

// Playing.

/** Plays a move and, where it is the net's turn then, its answer. */
async function play(move) {
  game.selected = null;
  game.isBusy = true;
  const moves = [...game.moves, move];
  const position = await ask({ do: "position", line: soFar(moves) });
  game.moves = moves;
  game.positions.push(position);
  game.isBusy = false;
  await go();
}

/** Goes on: the net thinks where it is its turn. */
async function go() {
  game.isBusy = !ending() && !isPersons(now().turn);
  show();
  const isWatching = game.person === "both" && !ending();
  if (!game.isBusy && !isWatching) return;
  const [moves, turn] = [game.moves, now().turn];
  const thought = await ask({ do: "think", line: soFar(), level: game.level });
  // The game went another way meanwhile.
  if (!thought || game.moves !== moves || ending()) return;
  const [win, draws, loss] = thought.wdl;
  drawChances((turn === 0 ? win : loss) + draws / 2, thought.simulations);
  if (!game.isBusy) return;
  part("said").textContent = moveInWords(board, read(now()), turn, thought.best);
  await play(thought.best);
}

/** How many plies an undo takes back: to the person's last turn. */
function undoable() {
  const plies = game.moves.length;
  if (game.person === "both") return Math.min(plies, 1);
  const before = game.positions.slice(0, -1).findLastIndex((position) => isPersons(position.turn));
  return before < 0 ? 0 : plies - before;
}

/** Leaves the game as it is: the net stops thinking, and nobody is to move. */
async function stop() {
  game.isBusy = true;
  say(TEXTS.thinking, "thinking");
  await ask({ do: "stop" });
}

async function undo() {
  const plies = undoable();
  await stop();
  game.moves = game.moves.slice(0, game.moves.length - plies);
  game.positions.length -= plies;
  Object.assign(game, { resigned: null, selected: null });
  await go();
}

/** Begins a game by what the form says. */
async function begin() {
  await stop();
  const setup = data.setups.length ? { setup: `${part("setup0").value}/${part("setup1").value}` } : {};
  const person = part("side").value;
  Object.assign(game, {
    start: { rules: part("rules").value, ...setup }, moves: [], person, level: part("level").value, resigned: null,
    selected: null,
  });
  board.flipped = person === "1";
  game.positions = [await ask({ do: "position", line: soFar() })];
  drawChances(0.5);
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
    const face = move.endsWith("+") ? `+${code}` : code;
    button.append(drawFace(board, face));
    button.setAttribute("aria-label", pieceName(board, face));
    return button;
  }));
  part("promotion").returnValue = "";
  part("promotion").showModal();
  await new Promise((resolve) => part("promotion").addEventListener("close", resolve, { once: true }));
  return part("promotion").returnValue;
}

/** A click on a square or a piece in hand. */
async function press(name) {
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

function pressed(event) {
  const { square, hand } = event.target.closest("[data-square], [data-hand]")?.dataset ?? {};
  if (square ?? hand) press(square ?? hand).catch(fail);
}

/** Fills a choice. */
function fill(name, options, chosen) {
  part(name).replaceChildren(...options.map(([value, text]) => new Option(text, value, value === chosen, value === chosen)));
  // A choice of one is none.
  part(name).parentElement.hidden = options.length < 2;
}

function fillForm() {
  fill("side", ["0", "1", "both"].map((side) => [side, TEXTS.sides[side](board.sides[side])]), "0");
  fill("level", Object.entries(TEXTS.levels), "sims200");
  fill("rules", data.rules.map((rules) => [rules, TEXTS.ruleNames[rules]]), data.own_rules);
  const setupName = ([letters, korean]) =>
    TEXTS.setupName(korean, [...letters].map((letter) => board.pieces[letter].text).join(""));
  const [setups] = data.setups;
  [0, 1].forEach((side) => {
    fill(`setup${side}`, (setups?.[side] ?? []).map((setup) => [setup[0], setupName(setup)]), "nbbn");
  });
}

worker.addEventListener("error", fail);
for (const element of document.querySelectorAll("[data-text]")) element.textContent = TEXTS[element.dataset.text];
part("keys").textContent = TEXTS.board.keys;
fillForm();
part("board").addEventListener("click", pressed);
part("pieces").addEventListener("click", (event) => {
  part("promotion").close(event.target.closest("button")?.dataset.move ?? "");
});
part("undo").addEventListener("click", () => undo().catch(fail));
part("pass").addEventListener("click", () => play(passMove()).catch(fail));
part("resign").addEventListener("click", () => {
  game.resigned = { winner: 1 - now().turn, reason: "resignation" };
  game.selected = null;
  show();
});
part("flip").addEventListener("click", () => {
  board.flipped = !board.flipped;
  show();
});
part("level").addEventListener("change", () => {
  game.level = part("level").value;
});
part("options").addEventListener("submit", (event) => {
  event.preventDefault();
  // On a phone the form is below the board.
  scrollTo({ top: 0 });
  begin().catch(fail);
});
part("board").replaceChildren(drawBoard(board, { ...readFen(board, data.fen), changed: [] }));
loaded.then(() => ask({ do: "open", model: part("model").textContent })).then(begin).catch(fail);
