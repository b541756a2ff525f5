// The board to play on: the picture of a position, with cells on it, one for each square and each kind of piece in hand.
// They answer the mouse and the keyboard, and a screen reader reads them as a grid. Words are those of the page:
// TEXTS.board, and the names of pieces in TEXTS.pieces.

import { HAND, UNIT, add, drawBoard, drawPiece, handPlaces, place, sideOf } from "./board.js";
import { partsOf } from "./moves.js";
import { TEXTS, fill } from "./shared.js";

/** The position that a FEN tells: `squares` and `hands` by name and letter. */
export function readFen(board, fen) {
  const [placement, held = ""] = fen.split(" ")[0].split("[");
  const [squares, hands] = [{}, {}];
  placement.split("/").forEach((row, fromTop) => {
    let file = 0;
    for (const [code] of row.matchAll(/\d+|\+?[A-Za-z]/g)) {
      if (/\d/.test(code)) {
        file += Number(code);
        continue;
      }
      squares[String.fromCharCode(97 + file) + (board.ranks - fromTop)] = code;
      file += 1;
    }
  });
  for (const [kind] of held.matchAll(/[A-Za-z]/g)) hands[kind] = (hands[kind] ?? 0) + 1;
  return { squares, hands };
}

/** The squares that differ between two positions. */
export function changedSquares(before, after) {
  const names = new Set([...Object.keys(before.squares), ...Object.keys(after.squares)]);
  return [...names].filter((name) => before.squares[name] !== after.squares[name]);
}

function squareNames(board) {
  return Array.from({ length: board.ranks * board.files }, (_, index) => {
    return String.fromCharCode(97 + (index % board.files)) + (Math.floor(index / board.files) + 1);
  });
}

/** Marks a square; `kind` is the class of the mark. */
function mark(svg, board, name, kind, radius) {
  const { x, y } = place(board, name);
  add(svg, "circle", { cx: x, cy: y, r: radius, class: `mark ${kind}` });
}

/** "red horse", in the words of the page. */
function pieceName(board, code) {
  const side = TEXTS.board[`side_${board.sides[sideOf(code)].toLowerCase()}`];
  return fill(TEXTS.board.piece, { side, piece: TEXTS.pieces[board.pieces[code].name] });
}

/** What a screen reader says of a move that is about to be made in `position`. */
export function moveInWords(board, position, turn, move) {
  const { from, to, isPass, isDrop, isPromotion } = partsOf(move, turn);
  if (isPass) return TEXTS.board.passes;
  const code = isDrop ? from : position.squares[from];
  const words = fill(isDrop ? TEXTS.board.drop : TEXTS.board.move, { piece: pieceName(board, code), from, to });
  const taken = position.squares[to];
  return [
    words,
    ...(taken ? [fill(TEXTS.board.takes, { piece: pieceName(board, taken) })] : []),
    ...(isPromotion ? [TEXTS.board.promotes] : []),
  ].join(TEXTS.board.comma);
}

/** What a cell is called: where it is, what lies there, and what a choice of it would do. */
function cellName(board, view, name) {
  const code = view.position.squares[name];
  const count = view.position.hands[name];
  const values = { square: name, count, piece: count || code ? pieceName(board, count ? name : code) : "" };
  const words = [fill(TEXTS.board[count ? "hand" : code ? "square" : "empty"], values)];
  if (view.targets.includes(name)) words.push(TEXTS.board[code ? "taken" : "target"]);
  if (view.check === name) words.push(TEXTS.board.check);
  return words.join(TEXTS.board.comma);
}

/** The rows of cells as they are seen, from the top, each with the middles and the widths of its cells. */
function cellRows(board, position) {
  const rows = Array.from({ length: board.ranks }, () => []);
  for (const name of squareNames(board)) {
    const { x, y } = place(board, name);
    rows[Math.floor(y / UNIT)].push({ name, x, y, width: UNIT, height: UNIT });
  }
  const hands = board.hand ? (board.flipped ? [0, 1] : [1, 0]) : [];
  const held = hands.map((side) => handPlaces(board, position.hands, side).map(({ kind, x, y, slot }) => {
    return { name: kind, x, y, width: slot, height: HAND - 8 };
  }));
  const [top = [], bottom = []] = held;
  return [top, ...rows, bottom].filter((row) => row.length > 0).map((row) => row.sort((one, other) => one.x - other.x));
}

/**
 * A picture with cells to choose. `view` has the position, what was `changed`, the king in `check`, what is `selected`,
 * and the `targets` of that; `isLive` says of a square or a letter of a hand whether it answers a choice.
 *
 * A cell has `data-square` or `data-hand`. Arrow keys go from cell to cell; Enter and Space click the one in focus,
 * Escape clicks the selected one. Where a cell of this board had the focus, it has it again when the picture replaces
 * that one.
 */
export function drawTable(board, view) {
  const svg = drawBoard(board, { ...view.position, changed: view.changed });
  if (view.check) mark(svg, board, view.check, "check", 49);
  if (view.selected in view.position.squares) mark(svg, board, view.selected, "selected", 49);
  for (const name of view.targets) {
    const isTaken = name in view.position.squares;
    mark(svg, board, name, isTaken ? "target taken" : "target", isTaken ? 48 : 15);
  }
  for (const piece of svg.querySelectorAll("[data-held]")) {
    piece.classList.toggle("chosen", piece.dataset.held === view.selected);
  }
  // The cells say it all.
  for (const drawn of svg.children) drawn.setAttribute("aria-hidden", "true");
  const rows = cellRows(board, view.position);
  svg.setAttribute("role", "grid");
  svg.setAttribute("aria-label", TEXTS.board.label);
  const cells = rows.map((row) => {
    const group = add(svg, "g", { role: "row" });
    return row.map((cell) => addCell(group, board, view, cell));
  });
  moveByKeys(svg, board, cells);
  return svg;
}

function addCell(row, board, view, { name, x, y, width, height }) {
  const isSquare = /\d/.test(name);
  const isSelected = name === view.selected;
  const cell = add(row, "rect", {
    x: x - width / 2, y: y - height / 2, width, height, class: "area", role: "gridcell", tabindex: -1,
    "aria-label": cellName(board, view, name), [isSquare ? "data-square" : "data-hand"]: name,
  });
  if (view.isLive(name) || isSelected) cell.setAttribute("aria-selected", String(isSelected));
  cell.classList.toggle("live", Boolean(view.isLive(name)));
  return cell;
}

/** The cell above or below: the nearest one of the next row. */
function nearest(row, cell) {
  const middle = (other) => Number(other.getAttribute("x")) + Number(other.getAttribute("width")) / 2;
  const distance = (other) => Math.abs(middle(other) - middle(cell));
  return row.reduce((best, other) => (distance(other) < distance(best) ? other : best));
}

const WAYS = {
  ArrowLeft: (rows, row, column) => rows[row][column - 1],
  ArrowRight: (rows, row, column) => rows[row][column + 1],
  ArrowUp: (rows, row, column) => rows[row - 1] && nearest(rows[row - 1], rows[row][column]),
  ArrowDown: (rows, row, column) => rows[row + 1] && nearest(rows[row + 1], rows[row][column]),
  Home: (rows, row) => rows[row][0],
  End: (rows, row) => rows[row].at(-1),
};

export function nameOf(cell) {
  return cell?.dataset.square ?? cell?.dataset.hand;
}

/** The last picture of each board. */
const pictures = new WeakMap();

/** Makes the cells one stop of the tab key; `board.cursor` remembers from picture to picture which cell that is. */
function moveByKeys(svg, board, rows) {
  const all = rows.flat();
  const find = (name) => all.find((cell) => nameOf(cell) === name);
  const stop = find(board.cursor) ?? all.find((cell) => cell.classList.contains("live")) ?? all[0];
  stop.setAttribute("tabindex", "0");
  // Not one listener for all: Chromium makes a picture that listens to focus a stop of its own.
  for (const cell of all) {
    cell.addEventListener("focus", () => {
      svg.querySelector('[tabindex="0"]').setAttribute("tabindex", "-1");
      cell.setAttribute("tabindex", "0");
      board.cursor = nameOf(cell);
    });
  }
  svg.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const row = rows.findIndex((cells) => cells.includes(event.target));
    if (row < 0) return;
    const click = (cell) => cell?.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    if (event.key in WAYS) WAYS[event.key](rows, row, rows[row].indexOf(event.target))?.focus();
    else if (event.key === "Enter" || event.key === " ") click(event.target);
    else if (event.key === "Escape") click(svg.querySelector('[aria-selected="true"]'));
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  const hadFocus = pictures.get(board)?.contains(document.activeElement);
  pictures.set(board, svg);
  // The caller puts the picture in the place of the last one first.
  if (hadFocus) queueMicrotask(() => svg.isConnected && stop.focus({ preventScroll: true }));
}

/** A piece by itself, upright. */
export function drawFace(board, code) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "-50 -50 100 100");
  svg.setAttribute("class", board.game);
  svg.setAttribute("aria-hidden", "true");
  drawPiece(svg, { ...board, flipped: sideOf(code) === 1 }, code, { x: 0, y: 0 }, 1);
  return svg;
}
