// Links on the page of a game, and what is answered to a game that was left: nothing of that touches another game.

import assert from "node:assert/strict";

import { settled, state } from "./play.mjs";

const TABLE = "/play?net=published:dobutsu";
/** A link that was cut off within its last move. */
const CUT_OFF = new URLSearchParams({ rules: "standard", start: "gle/1c1/1C1/ELG[-] w 0 1", moves: "b2b3 c" });

/** Plays the first move that there is, and waits for the answer. */
async function move(page) {
  await page.evaluate(async () => {
    const { now, play } = await script("game.js");
    await play(now().moves[0]);
  });
  return settled(page);
}

/** In the page: does something that changes what stands behind the # of the address, until the page has heard of it. */
function go(act) {
  return new Promise((done) => {
    addEventListener("hashchange", () => setTimeout(done), { once: true });
    if (act === "skip") document.querySelector(".skip").click();
    else location.hash = act;
  });
}

async function isRefused(page) {
  await page.waitForSelector('#status[data-state="failed"]');
  assert.match(await page.textContent("#status"), /The link holds no whole game: .*c/);
  assert.equal(await page.isEnabled("#begin"), true);
}

/** A way to the content and a link that was cut off, where a game is played. */
async function inAGame(site) {
  const page = await site.visit(TABLE);
  await settled(page);
  const before = await move(page);
  await page.waitForSelector('#kept[data-state="kept"]');
  const { pathname } = new URL(page.url());

  await page.evaluate(go, "skip");
  assert.equal(new URL(page.url()).hash, "#main");
  assert.deepEqual((await settled(page)).moves, before.moves, "the game goes on");

  await page.evaluate(go, String(CUT_OFF));
  await isRefused(page);
  assert.deepEqual((await state(page)).moves, before.moves, "it goes on still");
  assert.equal(new URL(page.url()).pathname, pathname, "under its name");
  await page.click("#undo");
  assert.equal((await settled(page)).plies, 0);
  await site.leave(page);
}

/** The same link where there is no game yet. */
async function atFirst(site) {
  const page = await site.visit(`${TABLE}#${CUT_OFF}`);
  await isRefused(page);
  assert.equal((await move(page)).plies, 2, "a game has begun");
  await site.leave(page);
}

/** A new game while the net thinks. */
async function whileItThinks(site) {
  const page = await site.visit(TABLE);
  await settled(page);
  const moves = await page.evaluate(async () => {
    const { events, game, now, play } = await script("game.js");
    const { moving, show } = events;
    let count = 0;
    events.moving = () => {
      count += 1;
      moving();
    };
    events.show = () => {
      show();
      if (game.moves.length === 0) return;
      events.show = show;
      // The net is asked right after this, and has no time to answer.
      queueMicrotask(() => document.getElementById("begin").click());
    };
    await play(now().moves[0]);
    return count;
  });
  assert.equal((await settled(page)).plies, 0);
  assert.equal(moves, 1, "no answer was played");
  await site.leave(page);
}

/** A language is chosen where one is. */
async function language(site) {
  const page = await site.visit("/review?from=0");
  await page.click('nav.languages a[lang="ko"]');
  await page.waitForSelector('html[lang="ko"]');
  assert.equal(page.url(), `${site.base}/review?from=0`);
  await site.leave(page);
}

export async function links(site) {
  await inAGame(site);
  await atFirst(site);
  await whileItThinks(site);
  await language(site);
}
