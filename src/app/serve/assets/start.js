// The boards of the start. The words are to be read first: each board is drawn after a frame that has shown them.

import { drawBoard } from "./board.js";
import { readFen } from "./picture.js";
import { DATA, part, send } from "./shared.js";

function drawNext(undrawn) {
  const next = undrawn.shift();
  if (!next) return;
  const { board, fen } = next;
  // A task behind the frame, not within it.
  requestAnimationFrame(() => setTimeout(() => {
    part(`picture-${board.game}`).append(drawBoard(board, { ...readFen(board, fen), changed: [] }));
    drawNext(undrawn);
  }));
}

send("GET", DATA.boards).then(drawNext);
