// A newcomer's way: a first net is trained, watched, stopped, continued, played against, reviewed and taken home.

import assert from "node:assert/strict";
import { statSync } from "node:fs";

import { begin, playOut, settled } from "./play.mjs";
import { numbers } from "./site.mjs";

/** The run that the newcomer makes. */
export const RUN = "dobutsu-1";
/** Milliseconds of watching over which the server's work is measured. */
const WATCHED = 10_000;

const activity = (name) => `#panel[data-activity="${name}"]`;
const generation = (page) => page.evaluate(() => Number(document.getElementById("panel").dataset.generation));

async function grown(page, least) {
  await page.waitForFunction((least) => Number(document.getElementById("panel")?.dataset.generation) >= least, least);
}

export async function newcomer(site) {
  const page = await site.visit("/");
  await page.click('a[href="/new?game=dobutsu"]');
  await page.selectOption("#minutes", "1");
  await page.click("#train");
  await page.waitForURL(`**/runs/${RUN}`);
  await page.waitForSelector(activity("running"));
  await grown(page, 2);

  // It moves: the game on the board, and the curves.
  await page.waitForSelector("#game-board svg");
  const board = () => page.evaluate(() => document.getElementById("game-board").innerHTML);
  const curves = () => page.evaluate(() => document.getElementById("figures").innerHTML);
  const [earlier, before] = [await board(), await curves()];
  await page.waitForFunction((earlier) => document.getElementById("game-board").innerHTML !== earlier, earlier);
  await grown(page, (await generation(page)) + 1);
  assert.notEqual(await curves(), before, "the curves grow");

  await page.click("#stop");
  await page.waitForSelector(activity("idle"));
  const stopped = await generation(page);
  await page.click("#go-on");
  await page.waitForSelector(activity("running"));
  await grown(page, stopped + 1);
  await measureWatching(site, page);
  await site.picture(page, "watched");
  await site.leave(page);

  await play(site);
  await take(site);
}

/** The processor time that one viewer of a run costs. */
async function measureWatching(site, page) {
  const begin = [site.seconds(), performance.now()];
  await page.waitForTimeout(WATCHED);
  const share = (site.seconds() - begin[0]) / ((performance.now() - begin[1]) / 1000);
  console.log(`  one viewer of a run: ${(100 * share).toFixed(2)}% of a core`);
}

/** Plays against the net of the run, and looks at the game again. */
async function play(site) {
  const page = await site.visit(`/play?net=run:${RUN}`);
  await settled(page);
  await begin(page, { level: "level10" });
  const end = await playOut(page, numbers(3));
  await page.waitForSelector('#kept[data-state="kept"]');
  await page.click("#to-review");
  await page.waitForURL("**/review/games/**");
  await page.waitForSelector("#moves button");
  assert.equal(await page.locator("#moves button").count(), end.plies, "the review has all moves");
  await page.click("#moves li:nth-child(1) button");
  await page.waitForSelector("#board svg");
  await page.selectOption("#effort", "50");
  await page.click("#begin");
  await page.waitForFunction(() => {
    const isDone = document.getElementById("stop").hidden && !document.getElementById("progress").textContent;
    return isDone && document.querySelectorAll("#accuracy p").length > 0;
  });
  assert.equal(await page.locator("#accuracy p").count(), Math.min(2, end.plies), "each side's accuracy");
  assert.match(await page.textContent("#accuracy"), /\d+%/);
  assert.ok(await page.locator("#turning button").count() <= 3, "three turning points at most");
  await page.waitForSelector("#curve svg");
  await site.picture(page, "reviewed");
  await site.leave(page);
}

/** Takes the net in every kind of file. */
async function take(site) {
  const page = await site.visit(`/runs/${RUN}`);
  await page.click(`a[href="/runs/${RUN}/take"]`);
  for (const kind of ["html", "sanki", "onnx", "safetensors"]) {
    const [download] = await Promise.all([page.waitForEvent("download"), page.click(`#take-${kind}`)]);
    assert.match(download.suggestedFilename(), new RegExp(`^${RUN}.*\\.${kind}$`));
    assert.equal(statSync(await download.path()).size > 10_000, true, kind);
  }
  await site.leave(page);
}
