// What a person does at the board besides moving: takes back, asks for hints, is short of time, drags with two fingers.

import assert from "node:assert/strict";

import { arrange, begin, noteBudgets, settled, state } from "./play.mjs";

const TABLE = "/play?net=published:dobutsu";
/** In shogi: the first side may declare. */
const MAY_DECLARE = "+R+R+B+BKGGSS/GGSS4L/9/9/9/9/9/9/4k4[] w - - 0 1";
/** The same for the second side, once the first has moved. */
const NET_DECLARES = "4K4/9/9/9/9/9/9/l4ssgg/ssggk+b+b+r+r[] w - - 0 1";

/** A hint that is asked for twice at once is shown, and nothing more than it. */
async function hintTwice(site) {
  const page = await site.visit(TABLE);
  await settled(page);
  await page.evaluate(() => {
    const button = document.getElementById("hint");
    button.click();
    button.click();
  });
  await page.waitForFunction(() => document.getElementById("announced").textContent !== "");
  assert.equal(await page.locator("#board .arrows").count(), 1, "the hint is shown");
  assert.equal(await page.evaluate(() => scripts["game.js"].game.isViewed), false, "once");
  await site.leave(page);
}

/** Where a declaration wins there is no other hint, and what the net has declared is taken back with the move before. */
async function declarations(site) {
  const page = await site.visit("/play?net=published:shogi");
  await settled(page);
  await arrange(page, "csa27", MAY_DECLARE);
  await page.click("#hint");
  await page.waitForFunction(() => {
    const { state } = document.getElementById("status").dataset;
    return state === "failed" || document.getElementById("announced").textContent !== "";
  });
  assert.equal((await settled(page)).state, "person");

  await arrange(page, "csa27", NET_DECLARES);
  await page.click('[data-square="e9"]');
  await page.click('[data-square="e8"]');
  await page.waitForSelector('#status[data-state="over"]');
  await page.click("#undo");
  await page.waitForFunction(() => scripts["game.js"].game.moves.length === 0);
  assert.equal((await settled(page)).state, "person");
  await site.leave(page);
}

/** In the page: puts so many seconds on the clocks. */
async function setClocks(left) {
  const [{ setClock }, { go }] = [await script("clock.js"), await script("game.js")];
  setClock({ base: 60, increment: 0, left });
  await go();
}

/** The net at full strength keeps to its clock; an end on time is not taken back. */
async function clocks(site) {
  const page = await site.visit(TABLE);
  await settled(page);
  await begin(page, { level: "time10" });
  await noteBudgets(page);
  await page.evaluate(setClocks, [60, 5]);
  await page.evaluate(async () => {
    const { now, play } = await script("game.js");
    await play(now().moves[0]);
  });
  const found = await settled(page);
  assert.deepEqual([found.state, found.plies], ["person", 2], found.text);
  const [{ time }] = await page.evaluate(() => budgets);
  assert.ok(time > 0 && time <= 200, `${time} ms of 5 s`);

  await page.evaluate(setClocks, [0, 5]);
  await page.waitForSelector('#status[data-state="over"]');
  assert.equal(await page.isDisabled("#undo"), true, "the clock would end it again");
  await site.leave(page);
}

/** In the page: events of pointers, each `[type, pointer, square, isPrimary]`, one after the other; the faces that hang on. */
function point(events) {
  for (const [type, pointerId, square, isPrimary, pointerType = "touch"] of events) {
    const target = document.querySelector(`[data-square="${square}"]`);
    const { left, top, width, height } = target.getBoundingClientRect();
    const [clientX, clientY] = [left + width / 2, top + height / 2];
    const told = { bubbles: true, pointerId, isPrimary, pointerType, button: 0, clientX, clientY };
    target.dispatchEvent(new PointerEvent(type, told));
  }
  return document.querySelectorAll(".dragged").length;
}

/** Of two fingers the first one drags, and so does a pen under a palm; a finger whose end nobody told drags no more. */
async function fingers(site) {
  const page = await site.visit(TABLE);
  await settled(page);
  const drag = (...events) => page.evaluate(point, events);
  assert.equal(await drag(["pointerdown", 1, "b2", true], ["pointermove", 1, "b4", true]), 1, "a piece is lifted");
  assert.equal(await drag(["pointerdown", 2, "c1", false], ["pointermove", 2, "c4", false]), 1, "not another one");
  assert.equal(await drag(["pointerup", 2, "b3", false]), 1, "the first finger has it still");
  assert.equal(await drag(["pointerup", 1, "b4", true]), 0);
  assert.equal((await state(page)).plies, 0);

  assert.equal(await drag(["pointerdown", 3, "b2", true], ["pointermove", 3, "b4", true]), 1);
  assert.equal(await drag(["pointerdown", 4, "c1", true]), 0, "nothing is left of a drag that was lost");
  assert.equal(await drag(["pointermove", 4, "c4", true]), 1, "and the next one goes");
  assert.equal(await drag(["pointercancel", 4, "c4", true]), 0);

  assert.equal(await drag(["pointerdown", 5, "b2", true, "pen"], ["pointermove", 5, "b4", true, "pen"]), 1);
  assert.equal(await drag(["pointerdown", 6, "c3", true], ["pointerup", 6, "c3", true]), 1, "a palm takes nothing away");
  assert.equal(await drag(["pointercancel", 5, "b4", true, "pen"]), 0);
  assert.equal((await settled(page)).plies, 0);
  await site.leave(page);
}

/** A saved game whose moves are written in another form goes on. */
async function otherForms(site) {
  const page = await site.visit("/review");
  const status = await page.evaluate(async () => {
    const game = {
      game: "janggi", rules: "points", first: "human", second: "published:janggi",
      start: "rnba1abnr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/RNBA1ABNR w - - 0 1", moves: "a4b4  pass",
      seating: { net: "published:janggi", level: "level1", person: "first" },
    };
    const headers = { "Content-Type": "application/json" };
    return (await fetch("/games/passed", { method: "PUT", headers, body: JSON.stringify(game) })).status;
  });
  assert.equal(status, 204);
  await page.goto(`${site.base}/play/passed`);
  assert.deepEqual((await settled(page)).moves, ["a4b4", "e9e9"]);
  await site.leave(page);
}

/** Of two pages with one game the one that is behind does not overwrite it. */
async function twoPages(site) {
  const first = await site.visit(TABLE);
  await settled(first);
  const move = async (page, place) => {
    await page.evaluate(async (place) => {
      const { now, play } = await script("game.js");
      await play(now().moves.at(place));
    }, place);
    const { moves } = await settled(page);
    await page.waitForSelector('#kept[data-state="kept"]');
    return moves;
  };
  await move(first, 0);
  const { pathname } = new URL(first.url());
  const second = await site.visit(pathname);
  await settled(second);
  const played = await move(second, 0);

  const apart = await move(first, -1);
  assert.match(await first.textContent("#kept"), /a game of its own/);
  assert.notEqual(new URL(first.url()).pathname, pathname);
  const kept = (path) => second.evaluate(async (path) => {
    const answer = await fetch(path.replace("/play/", "/games/"));
    return (await answer.json()).moves.split(" ");
  }, path);
  assert.deepEqual(await kept(pathname), played);
  assert.deepEqual(await kept(new URL(first.url()).pathname), apart);
  assert.match(first.wrong.join(), /^412 [^,]*$/, "it was refused once");
  first.wrong = [];
  await site.leave(first);
  await site.leave(second);
}

export async function person(site) {
  await hintTwice(site);
  await declarations(site);
  await clocks(site);
  await fingers(site);
  await otherForms(site);
  await twoPages(site);
}
