// What stands on the board after some plies of a game, from what each of its moves changed.

/** One change: how many of a piece are in hand, or what stands on a square. */
const CHANGE = /\*([A-Za-z])(\d+)|([a-i]\d+)(\.|\+?[A-Za-z])/g;

/** The position after `plies` plies. */
export function positionAt(game, plies) {
  const [squares, hands] = [{}, {}];
  let changed = [];
  game.changes.split(" ").slice(0, plies + 1).forEach((changes, ply) => {
    changed = [];
    for (const [, kind, count, name, code] of changes.matchAll(CHANGE)) {
      if (kind) {
        hands[kind] = Number(count);
        continue;
      }
      if (ply > 0) changed.push(name);
      if (code === ".") delete squares[name];
      else squares[name] = code;
    }
  });
  return { squares, hands, changed };
}
