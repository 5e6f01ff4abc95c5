// The real binary on a free port, and Debian's Chromium looking at it.

import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { chromium } from "playwright-core";

const ROOT = new URL("../..", import.meta.url).pathname;
const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

function binary() {
  const named = process.env.DISCERN_BIN;
  const candidates = named ? [named] : ["target/debug/discern", "target/release/discern"].map((path) => join(ROOT, path));
  const found = candidates.find((path) => existsSync(path));
  if (!found) throw new Error(`no discern binary at ${candidates.join(" or ")}: cargo build --bin discern`);
  return found;
}

/** Starts the service; `listen` keeps an address over a restart. */
export async function startServer({ listen = "127.0.0.1:0", args = [] } = {}) {
  const child = spawn(binary(), ["serve", "--listen", listen, "--admin-listen", "127.0.0.1:0", ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("DISCERN_"))),
  });
  const log = [];
  child.stderr.on("data", (piece) => log.push(String(piece)));
  const origin = await new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      const [word, address] = line.split(/\s+/);
      if (word === "listening") resolve(address);
    });
    child.once("exit", (code) => reject(new Error(`the service ended with ${code}: ${log.join("")}`)));
  });
  const stop = () =>
    new Promise((resolve) => {
      if (child.exitCode !== null) return resolve();
      child.once("exit", resolve);
      child.kill("SIGTERM");
    });
  return { origin, stop, log };
}

/** A browser with a profile of its own, which goes with it. */
export async function startBrowser() {
  const profile = mkdtempSync(join(tmpdir(), "discern-board-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: FLAGS,
    viewport: { width: 1366, height: 850 },
    locale: "en-GB",
    permissions: ["clipboard-read", "clipboard-write"],
  });
  return {
    context,
    close: async () => {
      await context.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
}

/** A page that keeps what it must not do: errors on the console, requests to elsewhere. */
export async function openPage(browser, origin, { path = "/", width = 1366, height = 850, scheme = "light", ignore = [], settings = {} } = {}) {
  const page = await browser.context.newPage();
  const faults = [];
  // Once for each page, so that what a scenario changes itself outlives a reload.
  await page.addInitScript((text) => {
    if (sessionStorage.getItem("seeded")) return;
    sessionStorage.setItem("seeded", "yes");
    localStorage.setItem("discern.board", text);
  }, JSON.stringify(settings));
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
  page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
  page.on("console", (message) => {
    const text = `${message.text()} ${message.location().url}`;
    if (message.type() === "error" && !ignore.some((pattern) => pattern.test(text))) faults.push(`console: ${text}`);
  });
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(origin) && !/^(data|blob):/.test(url)) faults.push(`request to elsewhere: ${url}`);
  });
  const go = async (address) => {
    await page.goto(origin + address);
    await page.waitForSelector('[data-square="a1"]', { timeout: 30_000 }).catch((error) => {
      throw new Error(`the board did not appear: ${faults.join("; ")}`, { cause: error });
    });
  };
  await go(path);
  return { page, faults, go };
}
