// The server is killed in the middle of a run and of a game: the page goes on, and both are there again.

import assert from "node:assert/strict";

import { playOut, settled, state } from "./play.mjs";
import { numbers } from "./site.mjs";

export async function killed(site) {
  const run = await site.visit("/new?game=dobutsu&minutes=5");
  await run.click("#train");
  await run.waitForURL("**/runs/dobutsu-*");
  await run.waitForSelector('#panel[data-activity="running"][data-generation]:not([data-generation="0"])');
  const game = await site.visit("/play?net=published:dobutsu");
  await settled(game);
  await click(game);
  await game.waitForSelector('#kept[data-state="kept"]');
  const address = new URL(game.url()).pathname;

  await site.kill();
  await run.waitForSelector("#away:not([hidden])");
  // The game goes on without a server.
  await click(game);
  await game.waitForSelector('#kept[data-state="away"]');
  const played = await state(game);
  const before = await run.evaluate(() => Number(document.getElementById("panel").dataset.generation));

  await site.start();
  // Its token is another one: both pages go on once the new address was opened.
  await Promise.all([run, game].map((page) => site.letIn(page.context())));
  await game.waitForSelector('#kept[data-state="kept"]');
  await run.waitForSelector("#away[hidden]", { state: "attached" });
  await run.waitForFunction((before) => Number(document.getElementById("panel")?.dataset.generation) > before, before);
  await run.click("#stop");
  await run.waitForSelector('#panel[data-activity="idle"]');
  await run.context().close();
  await game.context().close();

  const again = await site.visit(address);
  const found = await settled(again);
  assert.deepEqual(found.moves.slice(0, played.plies), played.moves, "the game is there again");
  if (found.state === "person") await playOut(again, numbers(11));
  await site.leave(again);
}

/** Plays the first move that can be played by clicks. */
async function click(page) {
  const { plies, legal } = await state(page);
  const move = legal.find((move) => /^[a-c]\d[a-c]\d$/.test(move));
  await page.click(`[data-square="${move.slice(0, 2)}"]`);
  await page.click(`[data-square="${move.slice(2)}"]`);
  await page.waitForFunction((plies) => {
    const { ending, game } = scripts["game.js"];
    return game.moves.length > plies + 1 || ending();
  }, plies);
  await settled(page);
}
