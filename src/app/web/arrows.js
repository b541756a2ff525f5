// What the net would play, as arrows on the board.

import { add, place } from "./board.js";
import { partsOf } from "./moves.js";

/** Moves with less than this share of the simulations get no arrow. */
const LEAST_SHARE = 0.05;
const HEAD = 34;

/** Draws the `candidates` of a search, moves of the side `turn`, on the picture `svg`. */
export function drawArrows(svg, board, candidates, turn) {
  svg.querySelector(".arrows")?.remove();
  const group = add(svg, "g", { class: "arrows", "aria-hidden": "true" });
  const seen = candidates.filter(({ share }, index) => index === 0 || share >= LEAST_SHARE);
  // The best one lies on top.
  for (const { line, share } of seen.toReversed()) {
    const { from, to, isPass, isDrop } = partsOf(line[0], turn);
    if (isPass) continue;
    const strength = line === seen[0].line ? 1 : 0.35 + 0.5 * share;
    const arrow = add(group, "g", { opacity: String(strength) });
    const goal = place(board, to);
    if (isDrop) add(arrow, "circle", { cx: goal.x, cy: goal.y, r: 44, class: "drop" });
    else drawArrow(arrow, place(board, from), goal, 8 + 14 * share);
    const text = isDrop ? board.pieces[from].text : "";
    add(arrow, "text", { x: goal.x, y: goal.y + 1, class: "share" }, `${text}${Math.round(100 * share)}%`);
  }
}

function drawArrow(parent, from, to, width) {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const [x, y] = [(to.x - from.x) / length, (to.y - from.y) / length];
  const neck = { x: to.x - HEAD * x, y: to.y - HEAD * y };
  const shaft = { x1: from.x + 20 * x, y1: from.y + 20 * y, x2: neck.x, y2: neck.y };
  add(parent, "line", { ...shaft, class: "shaft" }).style.strokeWidth = String(width);
  const side = HEAD * 0.7;
  const corners = [[to.x, to.y], [neck.x - side * y, neck.y + side * x], [neck.x + side * y, neck.y - side * x]];
  add(parent, "polygon", { points: corners.map((corner) => corner.join(",")).join(" "), class: "head" });
}
