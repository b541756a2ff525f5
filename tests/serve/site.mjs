// A server and a browser, and what all parts ask of them.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync"];
export const DESKTOP = { width: 1280, height: 900 };
export const PHONE = { width: 390, height: 844 };
/** Milliseconds that anything may take. */
export const PATIENCE = 60_000;

/** Numbers from 0 to 1 that are the same in every run (Park and Miller, 1988). */
export function numbers(seed) {
  let state = seed;
  return () => (state = (state * 48271) % 2147483647) / 2147483647;
}

/** In the page: `script` gives what one of its scripts exports, `scripts` has what was given. */
function exports() {
  window.scripts = {};
  window.script = async (name) => {
    const entry = new URL(document.querySelector("[data-entry]").dataset.entry, location);
    return (window.scripts[name] = await import(new URL(name, entry)));
  };
}

export class Site {
  /** Starts both. */
  static async open({ chromium, playwright, pictures, program, folder }) {
    const require = createRequire(join(resolve(playwright), "here.js"));
    const site = new Site();
    const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
    Object.assign(site, { program, folder: resolve(folder), pictures, axe, port: 0 });
    await site.start();
    site.browser = await require("playwright-core").chromium.launch({ executablePath: chromium, args: FLAGS });
    return site;
  }

  /** Starts the server; again at the port that it had. */
  async start() {
    this.server = spawn(this.program, ["serve", "--port", String(this.port)], { cwd: this.folder, stdio: ["ignore", "pipe", "inherit"] });
    const line = await new Promise((done, failed) => {
      this.server.stdout.once("data", (data) => done(String(data)));
      this.server.once("exit", () => failed(new Error("the server did not start")));
    });
    const address = new URL(/https?:\/\/\S+/.exec(line)[0]);
    this.base = address.origin;
    this.port = Number(address.port);
    this.token = address.searchParams.get("token");
  }

  /** Lets a visitor in, as one who opens the address that the server has printed. */
  async letIn(context) {
    const page = await context.newPage();
    await page.goto(`${this.base}/?token=${this.token}`);
    await page.close();
  }

  /** Ends the server as a loss of power would. */
  async kill() {
    if (this.server.exitCode !== null || this.server.signalCode !== null) return;
    const ended = new Promise((done) => this.server.once("exit", done));
    this.server.kill("SIGKILL");
    await ended;
  }

  async close() {
    await this.browser?.close();
    await this.kill();
  }

  /** A page of a visitor of its own. What goes wrong in it, and requests to others, are noted as `page.wrong`. */
  async visit(path, { language = "en", dark = false, viewport = DESKTOP } = {}) {
    const context = await this.browser.newContext({ viewport, colorScheme: dark ? "dark" : "light", acceptDownloads: true });
    await context.addCookies([{ name: "language", value: language, url: this.base }]);
    await context.addInitScript(exports);
    await this.letIn(context);
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE);
    page.wrong = [];
    page.on("pageerror", (error) => page.wrong.push(String(error)));
    page.on("console", (message) => {
      // Of answers the next ones tell more.
      if (message.type() === "error" && !message.text().startsWith("Failed to load")) page.wrong.push(message.text());
    });
    page.on("response", (answer) => {
      if (answer.status() >= 400) page.wrong.push(`${answer.status()} ${answer.url()}`);
    });
    page.on("request", (request) => {
      const { protocol, origin } = new URL(request.url());
      if (origin !== this.base && !["data:", "blob:"].includes(protocol)) page.wrong.push(request.url());
    });
    await page.goto(this.base + path);
    return page;
  }

  /** Ends a visit, in which nothing may have gone wrong. */
  async leave(page) {
    assert.deepEqual(page.wrong, [], page.url());
    await page.context().close();
  }

  async picture(page, name) {
    await page.screenshot({ path: join(this.pictures, `${name}.png`), fullPage: true });
  }

  /** Seconds of a processor that the server has used. */
  seconds() {
    const fields = readFileSync(`/proc/${this.server.pid}/stat`, "utf8").split(") ")[1].split(" ");
    return (Number(fields[11]) + Number(fields[12])) / 100;
  }
}
