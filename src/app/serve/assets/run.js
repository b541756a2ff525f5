// The page of a run: a game of self-play on the board, and which buttons make sense. What else moves, live.js replaces.

import { drawBoard } from "./board.js";
import "./live.js";
import { DATA, TEXTS, fill, part, send } from "./shared.js";
import { positionAt } from "./steps.js";

/** Milliseconds between two moves on the board, and after the end of a game. */
const PACE = 700;
const REST = 3000;
/** Milliseconds until it is looked for a game again, where there is none yet. */
const PATIENCE = 2000;

const watching = { count: 0, game: null, ply: 0, isPaused: false };

function drawPly() {
  const { game, ply } = watching;
  const picture = drawBoard(DATA.board, positionAt(game, ply));
  picture.setAttribute("role", "img");
  const moves = game.moves.split(" ");
  const isOver = ply === moves.length;
  const now = fill(TEXTS.run.game_ply, { generation: game.generation, ply, plies: moves.length });
  const end = isOver ? ` ${game.result}, ${game.reason}` : "";
  picture.setAttribute("aria-label", now + end);
  part("game-board").replaceChildren(picture);
  part("game-status").textContent = now + end;
  return isOver;
}

/** The next step, and how long it is to be looked at. */
async function step() {
  if (watching.isPaused || document.hidden) return PACE;
  if (!watching.game) {
    try {
      watching.game = await send("GET", `${DATA.game}?watched=${watching.count}`);
    } catch {
      // The server may be there again later.
    }
    if (!watching.game) {
      part("game-status").textContent = TEXTS.run.no_game;
      return PATIENCE;
    }
    watching.count += 1;
    watching.ply = 0;
  } else {
    watching.ply += 1;
  }
  if (!drawPly()) return PACE;
  watching.game = null;
  return REST;
}

async function watch() {
  setTimeout(watch, await step());
}

part("pause").addEventListener("click", () => {
  watching.isPaused = !watching.isPaused;
  part("pause").setAttribute("aria-pressed", String(watching.isPaused));
});

/** Only what can be done can be pressed. */
function allow() {
  const isBusy = ["running", "starting"].includes(part("panel").dataset.activity);
  part("stop").disabled = part("panel").dataset.activity !== "running";
  for (const name of ["go-on", "extend"]) part(name).disabled = isBusy;
}

document.addEventListener("live", allow);
allow();
watch();
