// Every screen: axe finds no serious fault in light and dark, nothing is wider than a phone, and a picture of each in
// light, dark, on a phone, and in every language.

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";

import { RUN } from "./newcomer.mjs";
import { PHONE } from "./site.mjs";

const GRAVE = ["serious", "critical"];
const LANGUAGES = ["ko", "zh", "ja"];

/** The screens that there are, by name. */
function addresses(site) {
  const first = (folder) => readdirSync(join(site.folder, folder)).filter((name) => !name.startsWith(".")).sort()[0];
  const all = {
    start: "/", new: "/new", run: `/runs/${RUN}`, take: `/runs/${RUN}/take`, "take-published": "/take/published:janggi",
    play: "/play", "play-janggi": "/play?net=published:janggi", review: "/review", contests: "/contests",
    missing: "/no-such-page",
  };
  const [contest, game] = ["matches", "games"].map((folder) => {
    try {
      return first(folder);
    } catch {
      return undefined;
    }
  });
  if (contest) Object.assign(all, { contest: `/contests/${contest}`, openings: `/review/matches/${contest}/openings` });
  if (game) all.reviewed = `/review/games/${game.replace(/\.json$/, "")}`;
  return all;
}

/** Waits until what a page draws stands. */
async function drawn(page) {
  await page.waitForLoadState("load");
  if (await page.locator("#status[data-state]").count()) {
    await page.waitForSelector('#status:not([data-state="loading"])');
  }
  await page.waitForTimeout(300);
}

async function check(site, page, name) {
  await page.evaluate(site.axe);
  const { violations } = await page.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
  const grave = violations.filter(({ impact }) => GRAVE.includes(impact));
  const told = grave.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.slice(0, 3).map(({ html }) => html.slice(0, 200)).join(" | ")}`);
  return told.map((text) => `${name}: ${text}`);
}

export async function screens(site) {
  const faults = [];
  for (const [name, address] of Object.entries(addresses(site))) {
    for (const dark of [false, true]) {
      const page = await site.visit(address, { dark });
      await drawn(page);
      faults.push(...await check(site, page, `${name}, ${dark ? "dark" : "light"}`));
      await site.picture(page, `${name}-${dark ? "dark" : "light"}`);
      if (!dark) {
        await page.setViewportSize(PHONE);
        await page.waitForTimeout(100);
        const width = await page.evaluate(() => document.documentElement.scrollWidth);
        if (width > PHONE.width) faults.push(`${name} is ${width} wide on a phone`);
        await site.picture(page, `${name}-phone`);
      }
      if (name === "missing") page.wrong = [];
      await site.leave(page);
    }
    for (const language of LANGUAGES) {
      const page = await site.visit(address, { language });
      await drawn(page);
      assert.equal(await page.getAttribute("html", "lang"), language);
      await site.picture(page, `${name}-${language}`);
      await page.context().close();
    }
  }
  assert.deepEqual(faults, []);
}
