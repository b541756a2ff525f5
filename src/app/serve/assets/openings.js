// The board of *Openings*: arrows for what was played, and squares to choose a move by. The rows of the table are links.

import { drawArrows } from "./arrows.js";
import { partsOf } from "./moves.js";
import { drawTable, nameOf, readFen } from "./picture.js";
import { DATA, part } from "./shared.js";

const position = readFen(DATA.board, DATA.fen);
const moves = DATA.moves.map(({ move, address, share }) => ({ ...partsOf(move, DATA.turn), line: [move], address, share }));
const playable = moves.filter(({ isPass }) => !isPass);
let selected = null;

function draw() {
  const targets = selected ? playable.filter(({ from }) => from === selected).map(({ to }) => to) : [];
  const isLive = (name) => targets.includes(name) || playable.some(({ from }) => from === name);
  const picture = drawTable(DATA.board, { position, changed: [], check: null, selected, targets, isLive });
  drawArrows(picture, DATA.board, moves, DATA.turn);
  part("board").replaceChildren(picture);
}

part("board").addEventListener("click", ({ target }) => {
  const name = nameOf(target.closest("[data-square], [data-hand]"));
  if (!name) return;
  // Of a move with and without promotion the one of more games, which comes first.
  const move = playable.find(({ from, to }) => from === selected && to === name);
  if (move) {
    location.assign(move.address);
    return;
  }
  selected = name !== selected && playable.some(({ from }) => from === name) ? name : null;
  draw();
});

draw();
