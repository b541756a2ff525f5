// A game from elsewhere, in which a win was missed that is tried again.

import assert from "node:assert/strict";

import { noteBudgets, settled } from "./play.mjs";

/** In dobutsu: the chick has come before the lion, and does not take it. */
const MISSED = "startpos moves 2c2b 3a3b 1d1c 2a2b";

const trying = (page) => page.textContent("#status");

export async function review(site) {
  const page = await site.visit("/review");
  await page.selectOption("#game", "dobutsu");
  const file = { name: "missed.usi", mimeType: "text/plain", buffer: Buffer.from(`${MISSED}\n`) };
  await page.setInputFiles("#file", file);
  await page.waitForSelector("#moves button");
  assert.equal(await page.locator("#moves button").count(), 4);
  await page.selectOption("#net", "/nets/published:dobutsu");
  await page.selectOption("#effort", "50");
  // A double click judges once, to the end.
  await page.dblclick("#begin");
  await page.waitForSelector("#missed button");
  assert.equal(await page.locator("#missed button").count(), 1, "one win was missed");
  assert.match(await page.textContent("#missed button"), /^3\. .* (9\d|100)%, then [1-6]?\d%/);
  await site.picture(page, "missed");

  // The win is not shown before it is found; another move than the one that was played does not win either.
  await page.click("#missed button");
  await settled(page);
  assert.match(await trying(page), /find a move that keeps it/);
  assert.equal(await page.isVisible("#chances"), false);
  assert.equal(await page.locator("#board .arrows").count(), 0);
  await move(page, "b1", "c2");
  await page.waitForFunction(() => document.getElementById("status").textContent.includes("The win is gone"));
  assert.equal(await page.isVisible("#chances"), true);
  // A double click takes back once, and not what was before the variation.
  await page.evaluate(() => {
    const button = document.getElementById("undo");
    button.click();
    button.click();
  });
  await page.waitForFunction(() => document.getElementById("status").textContent.includes("find a move"));
  assert.equal(await page.evaluate(() => scripts["game.js"].game.moves.length), 2);
  await move(page, "b3", "b4");
  await page.waitForSelector('#status[data-state="over"]');
  await leaveTwice(page);
  await judgeAgain(page);
  await tryAnotherNet(page);
  await site.leave(page);
}

/** A double click goes back to where the variation left the game. */
async function leaveTwice(page) {
  await page.evaluate(async () => {
    const { ask } = await script("link.js");
    const button = document.getElementById("leave");
    button.click();
    button.click();
    // The worker answers in order: both clicks have done what they do.
    await ask({ do: "stop" });
  });
  await page.waitForSelector('#status[data-state="review"]');
  assert.equal(await page.inputValue("#ply"), "2");
}

/** With another number of simulations the game is judged anew. */
async function judgeAgain(page) {
  await noteBudgets(page);
  await page.selectOption("#effort", "200");
  await page.click("#begin");
  await page.waitForFunction(() => {
    const isDone = document.getElementById("stop").hidden && !document.getElementById("begin").disabled;
    return isDone && document.getElementById("progress").textContent === "";
  });
  const simulations = await page.evaluate(() => budgets.map((budget) => budget.simulations));
  assert.deepEqual([...new Set(simulations)], [200]);
  assert.equal(await page.isVisible("#curve svg"), true);
}

/** What one net has said is not shown as another's. */
async function tryAnotherNet(page) {
  await page.evaluate(() => {
    const other = new Option("another", "/nets/published:dobutsu?another", true, true);
    document.getElementById("net").add(other);
  });
  await page.click("#try");
  await settled(page);
  await page.click("#leave");
  await page.waitForSelector('#status[data-state="review"]');
  assert.equal(await page.isVisible("#curve"), false);
  assert.equal(await page.locator("#accuracy p, #turning button, #missed button").count(), 0);
}

async function move(page, from, to) {
  await settled(page);
  await page.click(`[data-square="${from}"]`);
  await page.click(`[data-square="${to}"]`);
  if (await page.locator("#promotion[open]").count()) await page.click("#pieces button");
}
