// Pieces are dragged as well as clicked: where a pointer goes down the piece is chosen, and where it comes up it goes.

import { board, chosen, draw, ends, fail, game, isPersonsTurn, movesFrom, now, press, read } from "./game.js";
import { drawFace } from "./picture.js";
import { part } from "./shared.js";

/** Pixels that a pointer goes before it drags. */
const DRAGS = 6;

/** What is dragged: by which pointer of which type, from which square, where the pointer went down, and the picture. */
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

/** Nothing is dragged any more. */
function letGo() {
  drag?.lifted?.face.remove();
  drag = null;
}

function dragStart(event) {
  // A second finger leaves the piece to the first, and a palm to the pen. A primary pointer that goes down again had been
  // lifted, even where the page got no event for that.
  const isAgain = event.isPrimary && event.pointerType === drag?.type;
  if (drag && drag.pointer !== event.pointerId && !isAgain) return;
  letGo();
  const name = chosen(event.target);
  if (event.button !== 0 || !name || !isPersonsTurn() || movesFrom(name).length === 0) return;
  drag = { pointer: event.pointerId, type: event.pointerType, name, x: event.clientX, y: event.clientY, lifted: null };
}

function dragMove(event) {
  if (event.pointerId !== drag?.pointer) return;
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
  if (event.pointerId !== drag?.pointer) return;
  const { name, lifted } = drag;
  letGo();
  if (!lifted) return;
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
