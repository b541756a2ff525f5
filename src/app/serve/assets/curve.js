// The curve of a game: what the first side expects after each move, as far as that is known.

import { add } from "./board.js";
import { SIDES } from "./game.js";
import { TEXTS, fill } from "./shared.js";

const CURVE = { width: 600, height: 150, edge: 8 };

/** The place of a ply with a score on the curve of a game of `plies` plies. */
function curvePoint(ply, score, plies) {
  const { width, height, edge } = CURVE;
  return { x: edge + ((width - 2 * edge) * ply) / Math.max(1, plies), y: edge + (height - 2 * edge) * (1 - score) };
}

/** Draws `scores`, with a mark at each of the plies `marked` and a line at `current`. */
export function drawCurve(scores, plies, marked, current) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", `0 0 ${CURVE.width} ${CURVE.height}`);
  svg.setAttribute("class", "curve");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", fill(TEXTS.judge.curve, { side: SIDES[0] }));
  const middle = curvePoint(0, 0.5, plies).y;
  add(svg, "line", { x1: CURVE.edge, y1: middle, x2: CURVE.width - CURVE.edge, y2: middle, class: "even" });
  const at = curvePoint(current, 0, plies).x;
  add(svg, "line", { x1: at, y1: 0, x2: at, y2: CURVE.height, class: "current" });
  const points = scores.flatMap((score, ply) => (score === undefined ? [] : [curvePoint(ply, score, plies)]));
  add(svg, "polyline", { points: points.map(({ x, y }) => `${x},${y}`).join(" "), class: "scores" });
  for (const ply of marked) {
    const { x, y } = curvePoint(ply, scores[ply], plies);
    add(svg, "circle", { cx: x, cy: y, r: 5, class: "worst" });
  }
  return svg;
}

/** The ply under a pointer. */
export function plyAt(svg, event, plies) {
  const { left, width } = svg.getBoundingClientRect();
  const share = ((event.clientX - left) / width) * CURVE.width - CURVE.edge;
  return Math.round((share / (CURVE.width - 2 * CURVE.edge)) * plies);
}
