// The page reached in other ways: through a forwarded port, behind a proxy with TLS, from the file that opens the
// browser, and by pages of other people.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { createServer, request } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { connect, createServer as createTunnel } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { PATIENCE } from "./site.mjs";

/** Waits until a server listens on a port of its own, and gives the port. */
function listening(server) {
  return new Promise((done) => server.listen(0, "127.0.0.1", () => done(server.address().port)));
}

/** A port that leads to another one, as `ssh -L` and containers make it. */
function tunnel(port) {
  return createTunnel((near) => {
    const far = connect(port, "127.0.0.1");
    near.pipe(far).pipe(near);
    for (const end of [near, far]) end.on("error", () => { near.destroy(); far.destroy(); });
  });
}

/** Waits until something is so. */
async function until(isSo) {
  const begin = performance.now();
  while (!isSo() && performance.now() - begin < PATIENCE) await new Promise((done) => setTimeout(done, 20));
}

/** Changes something on the page, asks for a measurement, and follows a stream. */
async function use(page, base) {
  await page.goto(`${base}/contests`);
  await page.selectOption("#a", "random");
  await page.selectOption("#b", "random");
  await page.fill('#match input[name="games"]', "2");
  await page.click("#start-match");
  await page.waitForURL("**/contests/dobutsu-*");
  await page.waitForSelector('#panel[data-activity="idle"]');
  await page.waitForSelector('#score[data-games="2"]');
  await page.goto(`${base}/new?game=dobutsu&minutes=1`);
  await page.waitForFunction(() => /\d/.test(document.getElementById("expect").textContent));
}

async function throughATunnel(site) {
  const server = tunnel(site.port);
  const base = `http://localhost:${await listening(server)}`;
  const context = await site.browser.newContext();
  const page = await context.newPage();
  assert.equal((await page.goto(base)).status(), 403, "the token is needed");
  await page.goto(`${base}/review?token=${site.token}`);
  assert.equal(page.url(), `${base}/review`, "and is no more in sight");
  await use(page, base);
  await context.close();
  server.close();
}

/** A server whose page a proxy shows, and where it listens. */
async function proxied(site, address) {
  const server = spawn(site.program, ["serve", "--port", "0", "--public-url", address], { cwd: site.folder });
  let text = "";
  await new Promise((done) => server.stdout.on("data", (data) => {
    text += data;
    if (text.includes("Ctrl-C")) done();
  }));
  return { server, token: /token=(\w+)/.exec(text)[1], port: Number(/asks for it at \S+:(\d+)/.exec(text)[1]) };
}

async function behindAProxy(site) {
  const folder = mkdtempSync(join(tmpdir(), "sanki-"));
  const [key, cert] = ["key", "cert"].map((name) => join(folder, name));
  execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost", "-keyout",
    key, "-out", cert], { stdio: "ignore" });
  let sanki;
  const proxy = createSecureServer({ key: readFileSync(key), cert: readFileSync(cert) }, (near, answer) => {
    const headers = { ...near.headers, "x-forwarded-for": "127.0.0.1", "x-forwarded-proto": "https" };
    const far = request({ port: sanki.port, path: near.url, method: near.method, headers }, (told) => {
      answer.writeHead(told.statusCode, told.rawHeaders);
      told.pipe(answer);
      answer.on("close", () => told.destroy());
    });
    far.on("error", () => answer.destroy());
    near.pipe(far);
  });
  const base = `https://localhost:${await listening(proxy)}`;
  sanki = await proxied(site, base);
  const context = await site.browser.newContext({ ignoreHTTPSErrors: true });
  const page = await context.newPage();
  await page.goto(`${base}/?token=${sanki.token}`);
  const [cookie] = await context.cookies();
  assert.deepEqual([cookie.secure, cookie.httpOnly, cookie.sameSite], [true, true, "Lax"]);
  await use(page, base);
  await context.close();
  proxy.closeAllConnections();
  proxy.close();
  sanki.server.kill();
}

/** The file that opens the browser leads to a page that was let in, once. */
async function fromAFile(site) {
  const folder = mkdtempSync(join(tmpdir(), "sanki-"));
  const programs = mkdtempSync(join(tmpdir(), "sanki-"));
  execFileSync("sh", ["-c", 'printf "#!/bin/sh\\necho \\$1 > %s/opened\\n" "$1" > "$1/xdg-open"; chmod +x "$1/xdg-open"', "sh", programs]);
  const environment = { ...process.env, PATH: `${programs}:${process.env.PATH}` };
  const server = spawn(site.program, ["serve", "--port", "0", "--open"], { cwd: folder, env: environment });
  const opened = join(programs, "opened");
  const look = () => {
    try {
      return readFileSync(opened, "utf8").trim();
    } catch {
      return "";
    }
  };
  await until(look);
  const file = pathToFileURL(look()).href;
  const context = await site.browser.newContext();
  const page = await context.newPage();
  await page.goto(file);
  await page.waitForSelector("ul.boards");
  assert.equal(new URL(page.url()).search, "");
  const other = await site.browser.newContext();
  const stranger = await other.newPage();
  await stranger.goto(file);
  await stranger.waitForURL("http://127.0.0.1:*/**");
  assert.match(await stranger.textContent("body"), /token/);
  await Promise.all([context, other].map((context) => context.close()));
  server.kill();
}

/** A page of somebody else, on another port of this host and on another site. */
async function fromOtherPages(site) {
  const page = await site.visit("/");
  const evil = createServer((_, answer) => answer.writeHead(200, { "Content-Type": "text/html" }).end("<!DOCTYPE html><p>hello"));
  const port = await listening(evil);
  // As the server answers: pages do not even hear of an answer that is kept from them.
  const client = await page.context().newCDPSession(page);
  await client.send("Network.enable");
  const [asked, answers] = [new Map(), new Map()];
  client.on("Network.requestWillBeSent", ({ requestId, request }) => asked.set(requestId, `${request.method} ${request.url}`));
  client.on("Network.responseReceivedExtraInfo", ({ requestId, statusCode }) => answers.set(requestId, statusCode));
  for (const host of ["127.0.0.1", "localhost"]) {
    await page.goto(`http://${host}:${port}/`);
    asked.clear();
    await page.evaluate(async (base) => {
      const expect = `${base}/new/expect`;
      const given = { mode: "no-cors", credentials: "include" };
      await Promise.allSettled([
        fetch(expect, given),
        fetch(expect, { ...given, method: "POST" }),
        fetch(`${base}/contests/match`, { ...given, method: "POST", body: new URLSearchParams({ a: "random", b: "random" }) }),
        new Promise((done) => Object.assign(new Image(), { src: `${base}/review`, onload: done, onerror: done })),
      ]);
    }, site.base);
    const ours = [...asked].filter(([, what]) => what.includes(site.base));
    assert.equal(ours.length, 4, JSON.stringify(ours));
    for (const [id, what] of ours) {
      await until(() => answers.has(id));
      assert.equal(answers.get(id), 403, `${what} from ${host}`);
    }
    // It may link to the page.
    await page.setContent(`<a href="${site.base}/review">there</a>`);
    await page.click("a");
    await page.waitForSelector("#upload");
  }
  evil.close();
  await page.context().close();
}

export async function elsewhere(site) {
  await throughATunnel(site);
  await behindAProxy(site);
  await fromAFile(site);
  await fromOtherPages(site);
}
