// Pieces are dragged as well as clicked: where a pointer goes down the piece is chosen, and where it comes up it goes.

import { board, chosen, draw, ends, fail, game, isPersonsTurn, movesFrom, now, press, read } from "./game.js";
import { drawFace } from "./picture.js";
import { part } from "./shared.js";

/** Pixels that a pointer goes before it drags. */
const DRAGS = 6;

/** What is dragged: where it came from, where the pointer went down, and the picture that goes with it. */
let drag = null;

/** The square under a pointer. */
function squareAt({ clientX, clientY }) {
  return chosen(document.elementFromPoint(clientX, clientY));
}

/** A picture of the piece in the hand of the pointer. */
function lift(name) {
  const { squares } = read(now());
  const face = drawFace(board, squares[name] ?? name);
  const side = part("board").querySelector("[data-square]").getBoundingClientRect().width;
  face.classList.add("dragged", "board");
  face.style.width = `${side}px`;
  face.style.height = `${side}px`;
  document.body.append(face);
  return { face, side };
}

function dragStart(event) {
  const name = chosen(event.target);
  if (event.button !== 0 || !name || !isPersonsTurn() || movesFrom(name).length === 0) return;
  drag = { name, x: event.clientX, y: event.clientY, lifted: null };
}

function dragMove(event) {
  if (!drag) return;
  if (!drag.lifted) {
    if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < DRAGS) return;
    if (!isPersonsTurn()) return;
    game.selected = drag.name;
    draw();
    drag.lifted = lift(drag.name);
  }
  const { face, side } = drag.lifted;
  face.style.left = `${event.clientX - side / 2}px`;
  face.style.top = `${event.clientY - side / 2}px`;
}

function dragEnd(event) {
  const { name, lifted } = drag ?? {};
  drag = null;
  if (!lifted) return;
  lifted.face.remove();
  const to = event.type === "pointerup" ? squareAt(event) : undefined;
  const isTarget = to && to !== name && movesFrom(name).some((move) => ends(move).to === to);
  if (isTarget) press(to).catch(fail);
  else if (isPersonsTurn()) {
    game.selected = null;
    draw();
  }
}

part("board").addEventListener("pointerdown", dragStart);
addEventListener("pointermove", dragMove);
addEventListener("pointerup", dragEnd);
addEventListener("pointercancel", dragEnd);
