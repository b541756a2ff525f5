// What the pages cost: the first paint of the start, and the bytes of each page before a net is loaded.

const TRIES = 5;
const PAGES = ["/", "/new?game=janggi", "/play?net=published:janggi", "/review", "/contests"];

export async function measures(site) {
  const paints = [];
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const page = await site.visit("/");
    const paint = () => page.evaluate(() => performance.getEntriesByName("first-paint")[0]?.startTime);
    await page.waitForFunction(() => performance.getEntriesByName("first-paint").length > 0);
    paints.push(await paint());
    await page.context().close();
  }
  paints.sort((a, b) => a - b);
  console.log(`  first paint of the start: ${paints.map(Math.round).join(", ")} ms`);
  for (const address of PAGES) {
    const context = await site.browser.newContext();
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
