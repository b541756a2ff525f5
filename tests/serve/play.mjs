// Playing on the screen to play on, as a person would.

import assert from "node:assert/strict";

import { PATIENCE } from "./site.mjs";

const MOST_PLIES = 600;

/** What the page has, as its scripts know it. */
export function state(page) {
  return page.evaluate(async () => {
    const { game, now } = await script("game.js");
    return {
      state: document.getElementById("status").dataset.state,
      text: document.getElementById("status").textContent,
      moves: game.moves,
      plies: game.moves.length,
      legal: now()?.moves,
      turn: now()?.turn,
      passing: now()?.passing,
    };
  });
}

/** Waits until it is the person's turn, or the game is over. */
export async function settled(page) {
  await page.waitForSelector('#status:is([data-state="person"], [data-state="over"], [data-state="failed"])');
  const found = await state(page);
  assert.notEqual(found.state, "failed", found.text);
  return found;
}

/** In the page: whether the game has more moves than `plies`. */
function hasMoved(plies) {
  return scripts["game.js"].game.moves.length > plies;
}

/** A move in its parts: the piece of a drop, or where it comes from, and where it goes. */
export function parts(move) {
  const [, kind, from, to] = /^(?:([A-Z])@|([a-i]\d+))([a-i]\d+)\+?$/.exec(move);
  return { kind, from, to };
}

/** What stands where a move begins. */
export function origin(move, turn) {
  const { kind, from } = parts(move);
  return kind ? `[data-hand="${turn === 0 ? kind : kind.toLowerCase()}"]` : `[data-square="${from}"]`;
}

/** Plays a move by clicks. */
async function click(page, move, turn) {
  const { from, to } = parts(move);
  if (from === to) {
    // Where it ends the game, the page asks to do it again.
    const { passing } = await state(page);
    await page.click("#pass");
    if (passing) await page.click("#pass");
    return;
  }
  await page.click(origin(move, turn));
  await page.click(`[data-square="${to}"]`);
  if (await page.locator("#promotion[open]").count()) await page.click(`#pieces [data-move="${move}"]`);
}

/** Begins a game with these choices of the form. */
export async function begin(page, choices) {
  for (const [name, value] of Object.entries(choices)) await page.selectOption(`#${name}`, value);
  await page.click("#begin");
  return settled(page);
}

/** Plays by `make` until the game is over. What is `wanted` is played as soon as it can be: tests of moves by name.
 * Gives what was played of that. */
export async function playOut(page, random, wanted = {}, make = click) {
  const seen = new Set();
  let found = await settled(page);
  while (found.state === "person" && found.plies < MOST_PLIES) {
    let move = found.legal[Math.floor(random() * found.legal.length)];
    for (const [name, is] of Object.entries(wanted)) {
      const special = found.legal.find((move) => is(move, found.plies));
      if (!special || seen.has(name)) continue;
      seen.add(name);
      move = special;
      break;
    }
    await make(page, move, found.turn);
    await page.waitForFunction(hasMoved, found.plies, { timeout: PATIENCE });
    found = await settled(page);
  }
  assert.equal(found.state, "over", `after ${found.plies} plies: ${found.text}`);
  return { ...found, seen };
}

/** From here on the page notes what budgets the net is given, as `budgets`. */
export function noteBudgets(page) {
  return page.evaluate(async () => {
    const { worker } = await script("link.js");
    const post = worker.postMessage.bind(worker);
    window.budgets = [];
    worker.postMessage = (message) => {
      if (message.request.do === "think") window.budgets.push(message.request.budget);
      post(message);
    };
  });
}

/** Puts a position on the board; the person has the first side. */
export async function arrange(page, rules, fen) {
  await page.evaluate(async ([rules, fen]) => {
    const [{ game, go, soFar, stop }, { ask }] = [await script("game.js"), await script("link.js")];
    await stop();
    Object.assign(game, { rules, start: { rules, fen }, moves: [], ended: null, selected: null, person: "0" });
    game.positions = [await ask({ do: "position", line: soFar() })];
    await go();
  }, [rules, fen]);
  return settled(page);
}
