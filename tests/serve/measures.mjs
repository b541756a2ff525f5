// What the pages cost: the first paint of the start, and the bytes of each page before a net is loaded.

const TRIES = 5;
const PAGES = ["/", "/new?game=janggi", "/play?net=published:janggi", "/review", "/contests"];

/** Milliseconds from the click to the first paint of the page that is open. */
async function firstPaint(page) {
  await page.waitForFunction(() => performance.getEntriesByName("first-paint").length > 0);
  return page.evaluate(() => Math.round(performance.getEntriesByName("first-paint")[0].startTime));
}

function told(paints) {
  return `${paints.sort((a, b) => a - b).join(", ")} ms`;
}

export async function measures(site) {
  const [cold, warm] = [[], []];
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const page = await site.visit("/");
    cold.push(await firstPaint(page));
    await page.goto(`${site.base}/review`);
    await page.goto(`${site.base}/`);
    warm.push(await firstPaint(page));
    await page.context().close();
  }
  console.log(`  first paint of the start: ${told(warm)}; in a process of the browser that has just begun: ${told(cold)}`);
  for (const address of PAGES) {
    const context = await site.browser.newContext();
    await site.letIn(context);
    const page = await context.newPage();
    const client = await context.newCDPSession(page);
    await client.send("Network.enable");
    const requests = new Map();
    let bytes = 0;
    client.on("Network.requestWillBeSent", ({ requestId, request }) => requests.set(requestId, request.url));
    client.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
      if (!requests.get(requestId)?.includes("/nets/")) bytes += encodedDataLength;
    });
    await page.goto(site.base + address);
    await page.waitForTimeout(500);
    console.log(`  ${address}: ${Math.round(bytes / 1000)} KB`);
    await context.close();
  }
}
