// The six games to their end, by clicks and by keyboard.

import assert from "node:assert/strict";

import { arrange, begin, origin, parts, playOut, settled } from "./play.mjs";
import { numbers } from "./site.mjs";

const IS_DROP = (move) => move.includes("@");
const IS_PROMOTION = (move) => move.endsWith("+");
/** A pass, once there was some play: the net may pass too, which ends the game. */
const IS_LATE_PASS = (move, plies) => plies >= 20 && parts(move).from === parts(move).to;

/** What is to be played in each game at least once, if it can be. */
const WANTED = {
  dobutsu: { drop: IS_DROP },
  minishogi: { drop: IS_DROP, promotion: IS_PROMOTION },
  shogi: { drop: IS_DROP, promotion: IS_PROMOTION },
  minixiangqi: {},
  xiangqi: {},
  janggi: { pass: IS_LATE_PASS },
};

export async function games(site) {
  const seen = new Set();
  for (const [game, wanted] of Object.entries(WANTED)) {
    const page = await site.visit(`/play?net=published:${game}`);
    await settled(page);
    await begin(page, { level: "level12" });
    const end = await playOut(page, numbers(7919 * game.length), wanted);
    end.seen.forEach((name) => seen.add(name));
    await page.waitForSelector('#kept[data-state="kept"]');
    await site.picture(page, `end-of-${game}`);
    console.log(`  ${game}: ${end.plies} plies; ${end.text}`);
    await site.leave(page);
  }
  // A game of janggi may be over before there is a pass: `special` has one for certain.
  assert.equal(seen.has("drop"), true, [...seen].join());
}

/** What seldom comes in a game of chance: a promotion that is asked for, a drop, a declaration, a pass. */
export async function special(site) {
  const page = await site.visit("/play?net=published:minishogi");
  await settled(page);
  const { turn } = await arrange(page, "standard", "4k/S4/5/5/K4[G] w - - 0 1");
  assert.equal(turn, 0);
  await page.click('[data-square="a4"]');
  await page.click('[data-square="a5"]');
  await page.click('#pieces [data-move="a4a5+"]');
  await page.waitForFunction(() => scripts["game.js"].game.moves[0] === "a4a5+");
  await settled(page);
  await page.click('[data-hand="G"]');
  await page.click('[data-square="c3"]');
  await page.waitForFunction(() => scripts["game.js"].game.moves[2] === "G@c3");
  await settled(page);
  await site.leave(page);

  const shogi = await site.visit("/play?net=published:shogi");
  await settled(shogi);
  await arrange(shogi, "csa27", "+R+R+B+BKGGSS/GGSS4L/9/9/9/9/9/9/4k4[] w - - 0 1");
  await shogi.click("#declare");
  const { state } = await settled(shogi);
  assert.equal(state, "over");
  await site.picture(shogi, "declared");
  await site.leave(shogi);

  const janggi = await site.visit("/play?net=published:janggi");
  await settled(janggi);
  await arrange(janggi, "points", "rnba1abnr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/RNBA1ABNR w - - 0 1");
  await janggi.click("#pass");
  await janggi.waitForFunction(() => scripts["game.js"].game.moves[0] === "e2e2");
  await settled(janggi);
  await site.leave(janggi);
}

/** Goes to an element with the arrow keys, from wherever the focus is on the board. */
async function walk(page, selector) {
  for (let step = 0; step < 40; step += 1) {
    const key = await page.evaluate((target) => {
      const middle = (element) => {
        const { left, top, width, height } = element.getBoundingClientRect();
        return [left + width / 2, top + height / 2];
      };
      const active = document.activeElement;
      const wanted = document.querySelector(target);
      if (active === wanted || active.contains(wanted) || wanted.contains(active)) return null;
      const [[x, y], [toX, toY]] = [middle(active), middle(wanted)];
      if (Math.abs(toX - x) >= Math.abs(toY - y)) return toX > x ? "ArrowRight" : "ArrowLeft";
      return toY > y ? "ArrowDown" : "ArrowUp";
    }, selector);
    if (!key) return;
    await page.keyboard.press(key);
  }
  assert.fail(`no way to ${selector}`);
}

/** Tabs until the focus is within an element. */
async function tabTo(page, selector) {
  const isThere = () => page.evaluate((within) => Boolean(document.activeElement.closest(within)), selector);
  for (let step = 0; step < 60; step += 1) {
    if (await isThere()) return;
    await page.keyboard.press("Tab");
  }
  assert.fail(`no way to ${selector}`);
}

async function type(page, move, turn) {
  await tabTo(page, "#board");
  await walk(page, origin(move, turn));
  await page.keyboard.press("Enter");
  await walk(page, `[data-square="${parts(move).to}"]`);
  await page.keyboard.press("Enter");
}

export async function keyboard(site) {
  const page = await site.visit("/play?net=published:dobutsu");
  await settled(page);
  const end = await playOut(page, numbers(4), {}, type);
  console.log(`  by keyboard: ${end.plies} plies; ${end.text}`);
  await site.leave(page);
}
