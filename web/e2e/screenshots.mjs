// Pictures of the main states for docs/screenshots, from the real binary: `npm --prefix web run screenshots`.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { PATIENCE, fresh } from "./steps.mjs";
import { startBrowser, startServer } from "./support.mjs";

const OUT = new URL("../../docs/screenshots/", import.meta.url).pathname;
const GAME = "f5d6c3d3c4f4f6f3e6e7d7g6g5c5b6c6";
const ENDGAME = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO--";
const CORNERS = "XXXXXXXXXXXXXXXXXOXXOX--XOOXOX--XOOXX---XOOXX---XOO-----X-------";
const GOMOKU = "/?game=gomoku&rule=freestyle&moves=h8g8h9g9h10g10i7a1";
const searched = (page) => page.waitForSelector(".headline .doing:not(.active)", PATIENCE);

/** Name, address, size, colours, and what to do before the picture is taken. */
const SHOTS = [
  ["analysis-light", `/?moves=${GAME}`, [1366, 850], "light", searched],
  ["exact-dark", `/?board=${ENDGAME}&side=black`, [1366, 850], "dark", searched],
  ["evaluation-light", `/?board=${CORNERS}&side=white&view=evaluation`, [1366, 850], "light", searched],
  ["graph-dark", `/?moves=${GAME}&view=graph`, [1366, 850], "dark", async (page) => {
    await page.getByRole("button", { name: "Review the whole game" }).click();
    await page.getByRole("button", { name: "Review the whole game" }).waitFor({ timeout: 120_000 });
    await searched(page);
  }],
  ["gomoku-light", GOMOKU, [1366, 850], "light", async (page) => {
    await page.waitForSelector(".threats", PATIENCE);
    await searched(page);
  }],
  ["offline-light", `/?moves=${GAME}`, [1366, 850], "light", async (page, stop) => {
    await page.click('[data-view="settings"]');
    await page.click('[data-action="get-engine"]');
    await page.waitForSelector('[data-readiness="ready"]', PATIENCE);
    await page.click("#tab-moves");
    await stop();
    await page.locator('.square.playable').first().click();
    await page.waitForSelector('[data-answers="here"]', PATIENCE);
    await searched(page);
  }],
  ["match-dark", "/?view=play", [1366, 850], "dark", async (page) => {
    await page.locator('[data-setting="valuesInMatch"]').check();
    await page.locator(".panel .button.primary").click();
    for (const played of [2, 4, 6]) {
      await page.waitForSelector(".square.playable", PATIENCE);
      await page.locator(".square.playable").first().click();
      await page.waitForFunction((played) => document.querySelectorAll(".moves .move").length === played, played, PATIENCE);
    }
    await page.waitForSelector(".square.playable", PATIENCE);
    await searched(page);
  }],
  ["swap2-light", "/?game=gomoku&rule=freestyle&view=play", [1366, 850], "light", async (page) => {
    await page.click('[data-swap2="engine"]');
    await page.waitForSelector('[data-choice="place_two"]', PATIENCE);
  }],
  ["phone-light", `/?moves=${GAME}`, [390, 844], "light", searched],
  ["phone-dark", GOMOKU, [390, 844], "dark", searched],
];

mkdirSync(OUT, { recursive: true });
const only = process.argv[2];
const browser = await startBrowser();
let server = await startServer();
try {
  for (const [name, path, [width, height], scheme, prepare] of SHOTS.filter(([name]) => !only || name.includes(only))) {
    const { page } = await fresh(browser, server.origin, { path, width, height, scheme }, { timeMs: 5000 });
    let stopped = false;
    await prepare(page, async () => {
      await server.stop();
      stopped = true;
    });
    await page.waitForTimeout(300);
    await page.screenshot({ path: join(OUT, `${name}.jpg`), type: "jpeg", quality: 60 });
    console.log(name);
    await page.close();
    if (stopped) server = await startServer();
  }
} finally {
  await browser.close();
  await server.stop();
}
