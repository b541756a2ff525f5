// The page of `sanki serve` in Chromium: `node browser.mjs CHROMIUM PLAYWRIGHT PICTURES PROGRAM FOLDER [PART...]`.
// PLAYWRIGHT is the folder in which npm has installed playwright-core and axe-core; pictures go to the folder PICTURES;
// PROGRAM is sanki, which works in FOLDER. PARTs are those of PARTS that are wanted; by default all of them.

import { killed } from "./killed.mjs";
import { contests } from "./contests.mjs";
import { elsewhere } from "./elsewhere.mjs";
import { games, keyboard, special } from "./games.mjs";
import { links } from "./links.mjs";
import { measures } from "./measures.mjs";
import { newcomer } from "./newcomer.mjs";
import { order } from "./order.mjs";
import { person } from "./person.mjs";
import { review } from "./review.mjs";
import { screens } from "./screens.mjs";
import { Site } from "./site.mjs";

/** In this order: later ones look at what earlier ones have left. */
const PARTS = {
  measures, newcomer, review, contests, order, links, games, special, person, keyboard, killed, elsewhere, screens,
};

const [chromium, playwright, pictures, program, folder, ...wanted] = process.argv.slice(2);
const site = await Site.open({ chromium, playwright, pictures, program, folder });
try {
  for (const [name, test] of Object.entries(PARTS)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const begin = performance.now();
    await test(site);
    console.log(`${name}: good, after ${Math.round((performance.now() - begin) / 1000)} s`);
  }
} finally {
  await site.close();
}
