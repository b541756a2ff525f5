"use strict";

// The board to play on: the picture of a position, with places to click on it.

/** The position that a FEN tells: `squares` and `hands` by name and letter. */
function readFen(board, fen) {
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
function changedSquares(before, after) {
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

/**
 * A picture with places to click. `view` has the position, what was `changed`, the king in `check`, what is `selected`,
 * and the `targets` of that; `isLive` says of a square or a letter of a hand whether it answers a click.
 */
function drawTable(board, view) {
  const svg = drawBoard(board, { ...view.position, changed: view.changed });
  if (view.check) mark(svg, board, view.check, "check", 49);
  if (view.selected in view.position.squares) mark(svg, board, view.selected, "selected", 49);
  for (const name of view.targets) {
    const isTaken = name in view.position.squares;
    mark(svg, board, name, isTaken ? "target taken" : "target", isTaken ? 48 : 15);
  }
  for (const name of squareNames(board)) {
    const { x, y } = place(board, name);
    const code = view.position.squares[name];
    const label = `${name}${code ? ` ${board.pieces[code].text}` : ""}`;
    const area = { x: x - UNIT / 2, y: y - UNIT / 2, width: UNIT, height: UNIT, class: "area" };
    activate(add(svg, "rect", { ...area, "data-square": name }), label, view.isLive(name));
  }
  for (const piece of svg.querySelectorAll("[data-hand]")) {
    const code = piece.dataset.hand;
    piece.classList.toggle("chosen", view.selected === code);
    activate(piece, fill(TEXTS.play.in_hand, { piece: board.pieces[code].text }), view.isLive(code));
  }
  return svg;
}

function activate(element, label, isLive) {
  element.setAttribute("aria-label", label);
  if (!isLive) return;
  element.setAttribute("role", "button");
  element.setAttribute("tabindex", "0");
  element.classList.add("live");
}

/** A piece by itself, upright. */
function drawFace(board, code) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "-50 -50 100 100");
  svg.setAttribute("class", board.game);
  drawPiece(svg, { ...board, flipped: sideOf(code) === 1 }, code, { x: 0, y: 0 }, 1);
  return svg;
}
