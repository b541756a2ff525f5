// The form of a new run: what to expect is asked for all that is chosen.

import assert from "node:assert/strict";

/** What the server says, without measuring. */
const EXPECTED = { positions_per_s: 1, published: null, disk: "1 MB", free: "2 MB", fits: true };

export async function order(site) {
  const page = await site.visit("/");
  const asked = [];
  let answer = { json: EXPECTED };
  await page.route("**/new/expect", (route) => {
    asked.push(route.request().postDataJSON());
    return route.fulfill(answer);
  });
  const says = async (words) => {
    await page.waitForFunction((words) => document.getElementById("expect").textContent.includes(words), words);
  };
  await page.goto(`${site.base}/new?game=shogi&minutes=60`);
  await says("About 3.6K positions");
  const { game, minutes, from, config } = asked.at(-1);
  assert.deepEqual({ game, minutes, from, config }, { game: "shogi", minutes: 60, from: "", config: "" });

  await page.selectOption('[name="from"]', "published");
  await page.selectOption("#minutes", "1");
  await says("About 60 positions");
  assert.equal(asked.at(-1).from, "published");

  answer = { status: 400, contentType: "text/plain", body: "learner.batch = 0: must be at least 1" };
  await page.click("summary");
  const edited = `${await page.inputValue("#config")}\n# edited\n`;
  await page.fill("#config", edited);
  await page.dispatchEvent("#config", "change");
  await says("learner.batch = 0");
  assert.equal(asked.at(-1).config.trim(), edited.trim());
  await changeGame(page);
  page.wrong = [];
  await site.leave(page);
}

/** Another game keeps what is chosen beside it; settings that were edited are given up only by a person who says so. */
async function changeGame(page) {
  await page.fill('[name="name"]', "mine");
  await page.selectOption('[name="cores"]', "1");
  page.once("dialog", (dialog) => dialog.dismiss());
  await page.selectOption("#game", "janggi");
  assert.equal(await page.inputValue("#game"), "shogi");
  assert.match(await page.inputValue("#config"), /# edited/);

  page.once("dialog", (dialog) => dialog.accept());
  await page.selectOption("#game", "janggi");
  await page.waitForURL(/[?&]game=janggi/);
  const kept = await Promise.all(["name", "cores", "from", "minutes"].map((name) => page.inputValue(`[name="${name}"]`)));
  assert.deepEqual(kept, ["mine", "1", "published", "1"]);
}
