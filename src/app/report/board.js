// Draws a position as SVG. What stands where and what the pieces look like comes from the page's data: there are no
// rules in here.

import "./pieces.js";

/** The side of a square, or the distance of two lines. */
export const UNIT = 100;
/** Room for the coordinates, and for a hand. */
const EDGE = 44;
export const HAND = 92;

/** Appends a new SVG element to `parent`. */
export function add(parent, name, attributes, text) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  parent.append(element);
  return element;
}

function line(parent, x1, y1, x2, y2) {
  add(parent, "line", { x1, y1, x2, y2 });
}

/** 0 for the first side's piece, 1 for the second's. */
export function sideOf(code) {
  return code === code.toUpperCase() ? 0 : 1;
}

function isOnPoints(board) {
  return board.shape === "circle" || board.shape === "octagon";
}

/** The middle of the square at `file` and `rank`, both from 0. */
function middle(board, file, rank) {
  return { x: (file + 0.5) * UNIT, y: (board.ranks - rank - 0.5) * UNIT };
}

/** The middle of the square that is called `name`, such as "e10"; from the second side where the board is `flipped`. */
export function place(board, name) {
  const [file, rank] = [name.charCodeAt(0) - 97, Number(name.slice(1)) - 1];
  if (board.flipped) return middle(board, board.files - 1 - file, board.ranks - 1 - rank);
  return middle(board, file, rank);
}

function drawSquares(svg, board) {
  const [width, height] = [board.files * UNIT, board.ranks * UNIT];
  for (let file = 0; file <= board.files; file++) line(svg, file * UNIT, 0, file * UNIT, height);
  for (let rank = 0; rank <= board.ranks; rank++) line(svg, 0, rank * UNIT, width, rank * UNIT);
  for (const [file, rank] of board.marks) {
    add(svg, "circle", { cx: file * UNIT, cy: height - rank * UNIT, r: 7, class: "dot" });
  }
}

function drawPoints(svg, board) {
  const corner = middle(board, board.files - 1, 0);
  const [near, right, bottom] = [UNIT / 2, corner.x, corner.y];
  for (let rank = 0; rank < board.ranks; rank++) {
    const { y } = middle(board, 0, rank);
    line(svg, near, y, right, y);
  }
  for (let file = 0; file < board.files; file++) {
    const { x } = middle(board, file, 0);
    if (board.river && file > 0 && file < board.files - 1) {
      line(svg, x, near, x, middle(board, file, board.ranks / 2).y);
      line(svg, x, middle(board, file, board.ranks / 2 - 1).y, x, bottom);
    } else {
      line(svg, x, near, x, bottom);
    }
  }
  for (const [file, rank] of board.palaces) {
    const { x, y } = middle(board, file, rank);
    line(svg, x - UNIT, y - UNIT, x + UNIT, y + UNIT);
    line(svg, x - UNIT, y + UNIT, x + UNIT, y - UNIT);
  }
  (board.river ?? []).forEach((names, half) => {
    const [x, y] = [(board.files * UNIT * (1 + 2 * half)) / 4, (board.ranks / 2) * UNIT];
    names.forEach((name, index) => {
      drawCharacter(svg, board, name, { x: x + (index - 0.5) * 0.75 * UNIT, y }, 0.048).classList.add("river");
    });
  });
  for (const [file, rank] of board.marks) drawTicks(svg, middle(board, file, rank), near, right);
}

/** The four corners around a point, without those beyond the edge. */
function drawTicks(svg, { x, y }, left, right) {
  for (const dx of [-1, 1]) {
    if (x + dx * UNIT < left || x + dx * UNIT > right) continue;
    for (const dy of [-1, 1]) {
      const [px, py] = [x + dx * 9, y + dy * 9];
      add(svg, "polyline", { points: `${px + dx * 16},${py} ${px},${py} ${px},${py + dy * 16}` });
    }
  }
}

/** What stands below the board and above it, from the left, and beside it, from the top. */
function edgesOf(board) {
  const { near, far, ranks } = board.labels ?? {
    near: Array.from({ length: board.files }, (_, file) => String.fromCharCode(97 + file)),
    far: [],
    ranks: Array.from({ length: board.ranks }, (_, row) => String(board.ranks - row)),
  };
  if (!board.flipped) return { below: near, above: far, beside: ranks };
  const [below, above] = far.length ? [far, near] : [near, far];
  return { below: below.toReversed(), above: above.toReversed(), beside: ranks.toReversed() };
}

function drawCoordinates(svg, board, { below, above, beside }) {
  const height = board.ranks * UNIT;
  const label = (text, x, y) => add(svg, "text", { x, y, class: "coordinate" }, text);
  below.forEach((text, file) => label(text, (file + 0.5) * UNIT, height + EDGE / 2));
  above.forEach((text, file) => label(text, (file + 0.5) * UNIT, -EDGE / 2));
  beside.forEach((text, row) => label(text, -EDGE / 2, (row + 0.5) * UNIT));
}

/**
 * The shapes of pieces: how they are drawn, how large a unit of a character and of a pictogram is, how low their middle,
 * and how far from that the dots for steps are: straight ones and diagonal ones.
 */
const SHAPES = {
  circle: {
    draw: (piece) => {
      add(piece, "circle", { r: 46 });
      add(piece, "circle", { r: 39, class: "ring" });
    },
    unit: 0.056,
    picture: 0.92,
    low: 0,
  },
  octagon: {
    draw: (piece) => add(piece, "polygon", { points: "-19,-46 19,-46 46,-19 46,19 19,46 -19,46 -46,19 -46,-19" }),
    unit: 0.066,
    picture: 1.1,
    low: 0,
  },
  pentagon: {
    draw: (piece) => add(piece, "polygon", { points: "0,-46 30,-36 40,44 -40,44 -30,-36" }),
    unit: 0.06,
    picture: 0.92,
    low: 6,
    straight: [30, 36],
    diagonal: [26, 29],
  },
  tile: {
    draw: (piece) => add(piece, "rect", { x: -42, y: -42, width: 84, height: 84, rx: 14 }),
    unit: 0.06,
    picture: 1,
    low: 0,
    straight: [35, 35],
    diagonal: [34, 34],
  },
};

/** The outline of a character, by its name. */
function drawCharacter(parent, board, name, { x, y }, unit) {
  const transform = `translate(${x} ${y}) scale(${unit})`;
  return add(parent, "path", { d: board.characters[name], class: `character ${/^[a-z]+/.exec(name)[0]}`, transform });
}

/** Whether this side is at the bottom. */
function isNear(board, side) {
  return (side === 0) !== Boolean(board.flipped);
}

const STEPS_TO = { n: [0, -1], ne: [1, -1], e: [1, 0], se: [1, 1], s: [0, 1], sw: [-1, 1], w: [-1, 0], nw: [-1, -1] };

/** A figure, which leaves room for the dots around it where there are some. */
function drawPictogram(piece, board, face, shape) {
  const steps = face.steps?.split(" ") ?? [];
  const pictogram = add(piece, "g", { class: "pictogram", transform: `translate(0 ${shape.low})` });
  const scale = shape.picture * (steps.length > 0 ? 0.86 : 1);
  add(pictogram, "path", { d: board.pictograms[face.pictogram], transform: `scale(${scale})` });
  for (const [dx, dy] of steps.map((step) => STEPS_TO[step])) {
    const [across, along] = dx && dy ? shape.diagonal : shape.straight;
    add(pictogram, "circle", { cx: dx * across, cy: dy * along, r: 4 });
  }
}

/**
 * The piece with that letter; where shapes have a direction, those of the side at the top are upside down. It has two
 * faces, a character and a pictogram, and the style shows one of them.
 */
export function drawPiece(svg, board, code, { x, y }, scale) {
  const face = board.pieces[code];
  const shape = SHAPES[board.shape];
  const turn = !isNear(board, sideOf(code)) && !isOnPoints(board) ? " rotate(180)" : "";
  const piece = add(svg, "g", {
    class: `piece side${sideOf(code)}${code.startsWith("+") ? " promoted" : ""}`,
    transform: `translate(${x} ${y})${turn} scale(${scale * face.size})`,
  });
  shape.draw(piece);
  drawCharacter(piece, board, face.character, { x: 0, y: shape.low }, shape.unit);
  drawPictogram(piece, board, face, shape);
  return piece;
}

/** A hand as a row, above the board for the side at the top, below it for the other: where each kind in it lies. */
export function handPlaces(board, hands, side) {
  const y = isNear(board, side) ? board.ranks * UNIT + EDGE + HAND / 2 : -HAND / 2;
  const slot = (board.files * UNIT) / board.hand.length;
  const held = [...board.hand].map((kind) => (side === 0 ? kind : kind.toLowerCase())).filter((kind) => hands[kind]);
  return held.map((kind, index) => ({ kind, x: (index + 0.5) * slot, y, slot }));
}

function drawHand(svg, board, hands, side) {
  const y = isNear(board, side) ? board.ranks * UNIT + EDGE : -HAND;
  add(svg, "rect", { y: y + 4, width: board.files * UNIT, height: HAND - 8, rx: 8, class: "stand" });
  for (const { kind, x, y: row } of handPlaces(board, hands, side)) {
    drawPiece(svg, board, kind, { x: x - 10, y: row }, 0.7).setAttribute("data-held", kind);
    if (hands[kind] > 1) add(svg, "text", { x: x + 31, y: row + 16, class: "count" }, String(hands[kind]));
  }
}

/** A picture of `position`: `squares` and `hands` by name and letter, and the squares that the last move `changed`. */
export function drawBoard(board, position) {
  const [width, height] = [board.files * UNIT, board.ranks * UNIT];
  const hand = board.hand ? HAND : 0;
  const edges = edgesOf(board);
  const upper = edges.above.length ? EDGE : 0;
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const [left, top, across] = [-EDGE, -hand - upper - 4, width + EDGE + 8];
  svg.setAttribute("viewBox", `${left} ${top} ${across} ${height + EDGE + upper + 2 * hand + 8}`);
  // Small boards have larger squares, but are still smaller than large ones.
  svg.setAttribute("width", String(160 + 0.4 * across));
  svg.setAttribute("class", `board ${board.game}`);
  add(svg, "rect", { width, height, class: "wood" });
  for (const name of position.changed) {
    const { x, y } = place(board, name);
    if (isOnPoints(board)) add(svg, "circle", { cx: x, cy: y, r: 50, class: "moved" });
    else add(svg, "rect", { x: x - UNIT / 2, y: y - UNIT / 2, width: UNIT, height: UNIT, class: "moved" });
  }
  if (isOnPoints(board)) drawPoints(svg, board);
  else drawSquares(svg, board);
  drawCoordinates(svg, board, edges);
  for (const [name, code] of Object.entries(position.squares)) drawPiece(svg, board, code, place(board, name), 1);
  if (board.hand) [0, 1].forEach((side) => drawHand(svg, board, position.hands, side));
  return svg;
}
