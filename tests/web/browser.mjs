// Plays a whole game on each page in Chromium, by clicks, and one of dobutsu by keys:
// `node browser.mjs CHROMIUM PLAYWRIGHT PICTURES PAGE...`.
// PLAYWRIGHT is the folder in which npm has installed playwright-core; pictures of the pages go to the folder PICTURES.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [executablePath, playwright, pictures, ...pages] = process.argv.slice(2);
const { chromium } = createRequire(join(resolve(playwright), "here.js"))("playwright-core");

const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync"];
const DESKTOP = { width: 1280, height: 900 };
const PHONE = { width: 390, height: 844 };
/** Milliseconds that the page has for an answer. */
const PATIENCE = 30_000;
const MOST_PLIES = 600;

/** Numbers from 0 to 1 that are the same in every run (Park and Miller, 1988). */
function numbers(seed) {
  let state = seed;
  return () => (state = (state * 48271) % 2147483647) / 2147483647;
}

/** In the page: `script` gives what one of its scripts exports, `scripts` has what was given. */
function exports() {
  window.scripts = {};
  window.script = async (name) => (window.scripts[name] = await import(name));
}

function state(page) {
  return page.evaluate(async () => {
    const { game, now } = await script("game.js");
    return {
      state: document.getElementById("status").dataset.state,
      text: document.getElementById("status").textContent,
      plies: game.moves.length,
      moves: now()?.moves,
      turn: now()?.turn,
      passing: now()?.passing,
    };
  });
}

/** Waits until it is the person's turn, or the game is over. */
async function settled(page) {
  await page.waitForSelector('#status:is([data-state="person"], [data-state="over"], [data-state="failed"])',
    { timeout: PATIENCE });
  const found = await state(page);
  assert.notEqual(found.state, "failed", found.text);
  return found;
}

/** Plays a move by clicks, as a person would. */
async function click(page, move, turn) {
  const [, kind, from, to] = /^(?:([A-Z])@|([a-i]\d+))([a-i]\d+)\+?$/.exec(move);
  if (from === to) {
    // Where it ends the game, it is asked for twice.
    const { passing } = await state(page);
    await page.click("#pass");
    if (passing) await page.click("#pass");
    return undefined;
  }
  const hand = kind && (turn === 0 ? kind : kind.toLowerCase());
  await page.click(kind ? `[data-hand="${hand}"]` : `[data-square="${from}"]`);
  assert.equal(await page.locator(".mark.target").count() > 0, true, `targets of ${move}`);
  await page.click(`[data-square="${to}"]`);
  if (await page.locator("#promotion[open]").count()) await page.click(`#pieces [data-move="${move}"]`);
  return undefined;
}

/** In the page: whether the game has more moves than `plies`. */
function hasMoved(plies) {
  return scripts["game.js"].game.moves.length > plies;
}

/** Plays any moves to the end of the game. */
async function playOut(page, random, onMove) {
  let found = await settled(page);
  while (found.state === "person" && found.plies < MOST_PLIES) {
    const move = found.moves[Math.floor(random() * found.moves.length)];
    await click(page, move, found.turn);
    await page.waitForFunction(hasMoved, found.plies, { timeout: PATIENCE });
    await onMove(await settled(page));
    found = await settled(page);
  }
  return found;
}

/** The game's address, opened in another tab, shows that game. */
async function openShared(context, page) {
  const [address, moves] = await page.evaluate(async () => {
    const { address } = await script("share.js");
    return [address(), scripts["game.js"].game.moves];
  });
  assert.ok(moves.length > 0);
  const other = await context.newPage();
  await other.addInitScript(exports);
  await other.goto(address);
  await settled(other);
  await state(other);
  const shown = await other.evaluate(() => {
    const { moves, person } = scripts["game.js"].game;
    return { moves, person };
  });
  assert.deepEqual(shown, { moves, person: "both" });
  await other.close();
}

async function picture(page, name) {
  await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
}

/** Takes back the last move and the answer, and turns the board twice. */
async function undoAndFlip(page) {
  const before = await state(page);
  await page.click("#undo");
  const after = await settled(page);
  assert.equal(after.plies, before.plies - 2, "an undo takes back a move and its answer");
  const top = () => page.evaluate(() => document.querySelector('[data-square="a1"]').getBoundingClientRect().top);
  const [low, high] = [await top(), (await page.click("#flip"), await top())];
  assert.equal(high < low, true, "a flip puts the first rank on top");
  await page.click("#flip");
}

async function newGame(page, choices) {
  for (const [name, value] of Object.entries(choices)) await page.selectOption(`#${name}`, value);
  await page.click("#begin");
}

/** The cell in focus: its name, and the middle of it on the screen. */
function focused(page) {
  return page.evaluate(() => {
    const { square, hand } = document.activeElement.dataset;
    const { x, y, width, height } = document.activeElement.getBoundingClientRect();
    return { name: square ?? hand, x: x + width / 2, y: y + height / 2 };
  });
}

/** Goes to a cell by arrow keys alone. */
async function goTo(page, name) {
  const box = await page.locator(`[data-square="${name}"], [data-hand="${name}"]`).boundingBox();
  const goal = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  for (let keys = 0; keys < 40; keys++) {
    const here = await focused(page);
    assert.notEqual(here.name, undefined, `the focus is on the board, on the way to ${name}`);
    if (here.name === name) return;
    const [across, along] = [goal.x - here.x, goal.y - here.y];
    if (Math.abs(along) > 5) await page.keyboard.press(along > 0 ? "ArrowDown" : "ArrowUp");
    else await page.keyboard.press(across > 0 ? "ArrowRight" : "ArrowLeft");
  }
  assert.fail(`no way to ${name}`);
}

/** Plays a whole game without the mouse, from the top of the page. */
async function playByKeys(page) {
  await page.reload();
  let found = await settled(page);
  for (let tabs = 0; (await focused(page)).name === undefined; tabs++) {
    assert.equal(tabs < 10, true, "the tab key finds the board");
    await page.keyboard.press("Tab");
  }
  const random = numbers(5);
  let gaveUp = false;
  while (found.state === "person" && found.plies < MOST_PLIES) {
    const move = found.moves[Math.floor(random() * found.moves.length)];
    const [, kind, from, to] = /^(?:([A-Z])@|([a-c]\d))([a-c]\d)/.exec(move);
    await goTo(page, kind ?? from);
    await page.keyboard.press("Enter");
    assert.equal(await page.locator('[aria-selected="true"]').count(), 1, `${move} begins`);
    if (!gaveUp) {
      await page.keyboard.press("Escape");
      assert.equal(await page.locator('[aria-selected="true"]').count(), 0, "Escape gives up the choice");
      await page.keyboard.press(" ");
      gaveUp = true;
    }
    await goTo(page, to);
    assert.match(await page.evaluate(() => document.activeElement.ariaLabel), /can (move here|be taken)/);
    await page.keyboard.press("Enter");
    await page.waitForFunction(hasMoved, found.plies, { timeout: PATIENCE });
    found = await settled(page);
    assert.equal((await focused(page)).name, to, "the focus stays");
  }
  assert.equal(found.state, "over", found.text);
  assert.notEqual(await page.textContent("#announced"), "", "the net's moves are said");
  assert.equal(await page.locator('#board [tabindex="0"]').count(), 1, "one stop of the tab key");
}

/** Both faces of the pieces are drawn without a font, and the choice between them is remembered. */
async function chooseFaces(page) {
  const seen = (face) => page.locator(`.piece .${face}`).first().isVisible();
  assert.equal(await page.locator(".piece text").count(), 0, "pieces need no font");
  assert.deepEqual([await seen("character"), await seen("pictogram")], [true, false]);
  await page.selectOption('[name="faces"]', "pictograms");
  assert.deepEqual([await seen("character"), await seen("pictogram")], [false, true]);
  await page.reload();
  await settled(page);
  assert.deepEqual([await seen("character"), await seen("pictogram")], [false, true], "remembered");
  await page.selectOption('[name="faces"]', "characters");
}

/** In minishogi: a silver that may promote is asked whether it does, and may stay where it is. */
async function promote(page) {
  await page.evaluate(async (fen) => {
    const [{ game, go, soFar, stop }, { ask }] = [await script("game.js"), await script("link.js")];
    await stop();
    Object.assign(game, { start: { rules: "standard", fen }, moves: [], ended: null, selected: null, person: "0" });
    game.positions = [await ask({ do: "position", line: soFar() })];
    await go();
  }, "4k/S4/5/5/K4[] w - - 0 1");
  const { turn } = await settled(page);
  await page.click('[data-square="a4"]');
  await page.click('[data-square="a5"]');
  await page.keyboard.press("Escape");
  assert.equal((await state(page)).plies, 0, "nobody has to decide");
  await page.click('[data-square="a4"]');
  await click(page, "a4a5+", turn);
  await page.waitForFunction(() => scripts["game.js"].game.moves[0] === "a4a5+", undefined, { timeout: PATIENCE });
  await settled(page);
}

/** Whether nothing is wider than the window. */
async function fits(page) {
  return page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth);
}

/** In the page: notes how many milliseconds after its opening it is the person's turn. */
function noteOpening() {
  const look = () => {
    if (!window.opened && document.querySelector('#status[data-state="person"]')) window.opened = performance.now();
  };
  new MutationObserver(look).observe(document, { subtree: true, childList: true, attributes: true });
}

/** In the page: plays a move, and tells how many milliseconds later the net has answered. */
async function firstAnswer() {
  const { now, play } = await script("game.js");
  const begin = performance.now();
  await play(now().moves[0]);
  return performance.now() - begin;
}

async function test(browser, file) {
  const name = basename(file, ".html");
  const context = await browser.newContext({ viewport: DESKTOP, offline: true });
  const page = await context.newPage();
  const wrong = [];
  page.on("pageerror", (error) => wrong.push(String(error)));
  page.on("console", (message) => message.type() === "error" && wrong.push(message.text()));
  page.on("request", (request) => /^(file|blob|data):/.test(request.url()) || wrong.push(request.url()));
  await page.addInitScript(exports);
  await page.addInitScript(noteOpening);
  await page.goto(pathToFileURL(resolve(file)).href);
  await settled(page);
  const opened = await page.evaluate(() => window.opened);
  const answered = await page.evaluate(firstAnswer);

  // Begun from the other side, the net moves first.
  await newGame(page, { side: "1", level: "level9" });
  await page.waitForFunction(() => scripts["game.js"].game.moves.length === 1, undefined,
    { timeout: PATIENCE });
  const choices = { janggi: { setup0: "bnbn", setup1: "nbnb" }, shogi: { handicap: "rook" } };
  await newGame(page, { side: "0", ...choices[name] });
  if (name === "shogi") {
    // In a handicap game the net, which gives, moves first.
    await page.waitForFunction(() => {
      const { moves, positions } = scripts["game.js"].game;
      return moves.length === 1 && positions[0].fen.startsWith("lnsgkgsnl/7b1/");
    }, undefined, { timeout: PATIENCE });
    // Moves and the edges of the board are as western players of shogi write them.
    assert.match(await page.textContent("#moves li"), /^[PLNSGBK](\d[a-i])?[-x]\d[a-i]\+?$/);
    assert.equal((await page.locator(".coordinate").allTextContents()).join(""), "987654321abcdefghi");
  }
  let taken = false;
  const end = await playOut(page, numbers(name.length * 7919), async ({ plies, state }) => {
    if (taken || plies < 8 || state !== "person") return;
    taken = true;
    await undoAndFlip(page);
    await page.click(`.live[data-square]`);
    await picture(page, `${name}-desktop`);
    await page.setViewportSize(PHONE);
    assert.equal(await fits(page), true, "the page is no wider than a phone");
    await picture(page, `${name}-phone`);
    await page.emulateMedia({ colorScheme: "dark" });
    await picture(page, `${name}-phone-dark`);
    await page.emulateMedia({ colorScheme: "light" });
    await page.setViewportSize(DESKTOP);
    await page.click(`[data-square]:not(.live)`, { force: true });
  });
  assert.equal(end.state, "over", `${name} after ${end.plies} plies: ${end.text}`);
  await openShared(context, page);
  await picture(page, `${name}-end`);
  if (name === "minishogi") await promote(page);
  if (name === "dobutsu") {
    await chooseFaces(page);
    await playByKeys(page);
    await picture(page, `${name}-keys`);
  }
  assert.deepEqual(wrong, []);
  await context.close();
  console.log(`${name}: opened in ${Math.round(opened)} ms, a first answer after ${Math.round(answered)} ms more; ` +
    `${end.plies} plies; ${end.text}`);
}

const browser = await chromium.launch({ executablePath, args: FLAGS });
try {
  for (const file of pages) await test(browser, file);
} finally {
  await browser.close();
}
