// What the text of a move says.

const MOVE = /^(?:([A-Z])@|([a-i]\d+))([a-i]\d+)(\+?)$/;

/**
 * A move of the side `turn`: where it comes from, a square or a letter of that side's hand, where it goes, and whether it
 * is a pass, drops a piece or promotes one.
 */
export function partsOf(move, turn) {
  const [, kind, from, to, plus] = MOVE.exec(move);
  const hand = kind && (turn === 0 ? kind : kind.toLowerCase());
  return { from: hand ?? from, to, isPass: from === to, isDrop: Boolean(kind), isPromotion: plus === "+" };
}
