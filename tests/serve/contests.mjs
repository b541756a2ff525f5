// A match and a ladder, begun on the page and watched.

import assert from "node:assert/strict";

import { RUN } from "./newcomer.mjs";

export async function contests(site) {
  const page = await site.visit("/contests");
  await page.selectOption("#a", `run:${RUN}`);
  await page.selectOption("#b", "random");
  await page.fill('#match input[name="games"]', "1");
  await page.fill('#match input[name="amount"]', "4");
  await page.click("#start-match");
  assert.equal(new URL(page.url()).pathname, "/contests", "one game is no match: the browser says so");
  await page.fill('#match input[name="games"]', "60");
  await page.click("#start-match");
  await page.waitForURL("**/contests/dobutsu-1");
  await watch(page, 60);
  await site.picture(page, "match");
  // All games, in a page that may do nothing else.
  await page.click("#report");
  await page.waitForURL("**/report");
  await page.waitForSelector("#viewer svg");
  await page.goBack();
  // More games.
  await page.fill("#wanted", "70");
  await page.click("#go-on");
  await watch(page, 70);
  await openings(page, site);
  await site.leave(page);

  const ladder = await site.visit("/contests");
  await ladder.fill('#ladder input[name="games"]', "4000");
  await ladder.fill('#ladder input[name="amount"]', "4");
  await ladder.click("#start-ladder");
  await ladder.waitForURL(`**/contests/${RUN}-ladder-1`);
  await ladder.waitForSelector("#score table tbody tr");
  // A short one may be over before it can be stopped.
  if (await ladder.locator("#stop").count()) await ladder.click("#stop").catch(() => {});
  await ladder.waitForSelector('#panel[data-activity="idle"]');
  await ladder.waitForSelector("#score table tbody tr");
  await site.leave(ladder);
}

/** What was played, by the list and by the board. */
async function openings(page, site) {
  await page.goto(`${site.base}/review/matches/dobutsu-1`);
  await page.click('a[href$="/openings"]');
  await page.waitForSelector("#board svg .arrows");
  const { from, to } = await moved(page);
  assert.equal(await page.locator("nav.way a").count(), 2, "the start, and one move");
  await page.waitForSelector("#board svg .arrows");
  // A piece that was moved, then the square where it went.
  await page.click(`[data-square="${from}"]`);
  await page.click(`[data-square="${to}"].live`);
  await page.waitForURL((url) => url.searchParams.get("moves")?.endsWith(from + to));
  assert.equal(await page.locator("nav.way a").count(), 3);
  await site.picture(page, "openings");
  await page.click("nav.way a >> nth=0");
  await page.waitForURL((url) => url.searchParams.get("moves") === "");
}

/** Goes to a position after one move in which a piece was moved and none dropped, in some game; says from where to where. */
async function moved(page) {
  const links = page.locator("table.games tbody a");
  for (let place = 0; place < await links.count(); place++) {
    await links.nth(place).click();
    await page.waitForURL((url) => Boolean(url.searchParams.get("moves")));
    const found = await page.evaluate(() => {
      const { moves } = JSON.parse(document.getElementById("data").textContent);
      return moves.map(({ move }) => /^([a-i]\d+)([a-i]\d+)/.exec(move)).find(Boolean);
    });
    if (found) return { from: found[1], to: found[2] };
    await page.goBack();
    await page.waitForURL((url) => !url.searchParams.get("moves"));
  }
  assert.fail("no piece was moved in any game");
}

/** Waits until so many games are played, without asking for the page again. */
async function watch(page, games) {
  await page.waitForFunction((games) => Number(document.getElementById("score")?.dataset.games) >= games, games);
  await page.waitForSelector('#panel[data-activity="idle"]');
  assert.match(await page.textContent("#elo"), /[+−]\d+/);
}
