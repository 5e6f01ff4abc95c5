// What is tried, each in a page of its own with fresh settings. Every scenario ends by looking for errors on the console
// and requests to elsewhere.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { NETWORK, PATIENCE, clean, discs, done, fresh, gone, headline, moves, square, valued } from "./steps.mjs";
import { startServer } from "./support.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
async function accessible(page, what) {
  // Handed in by the debugger: the page's own policy would rightly refuse it as a script.
  await page.evaluate(AXE);
  const found = await page.evaluate(async () => {
    const results = await window.axe.run(document, { resultTypes: ["violations"] });
    return results.violations
      .filter((violation) => ["serious", "critical"].includes(violation.impact))
      .map((violation) => `${violation.id}: ${violation.nodes.map((node) => `${node.target} ${node.failureSummary ?? ""}`).slice(0, 3).join(" | ")}`);
  });
  assert.deepEqual(found, [], what);
}

/** From here the first legal square each time leads through a pass to the end. */
const LATE = "d3c3b3e3f3c5f6g2b5c6f4a5h1f5d6e7d7e6d8c4c7b7a8b6a4f8g4b4e8a3a7g5g8c2h4g3a2h3c1d1d2e1f1f7a6h6b1g1b2a1e2f2";
const LATE_PLY = LATE.length / 2;

async function playsToTheEnd({ browser, server }) {
  const opened = await fresh(browser, server.origin, { path: `/?moves=${LATE}` }, { autoPass: false });
  const { page } = opened;
  let passes = 0;
  for (let step = 0; step < 20; step += 1) {
    await page.waitForSelector('.square.playable, .pass-bar, .headline .verdict:text-matches("won by|Draw")', PATIENCE);
    if (await page.locator(".pass-bar").count()) {
      assert.match(await page.locator(".strip-text").innerText(), /must pass/);
      passes += 1;
      await page.click('[data-action="pass"]');
    } else if (await page.locator(".square.playable").count()) {
      await page.locator(".square.playable").first().click();
    } else break;
    await page.waitForFunction((count) => document.querySelectorAll(".moves .move").length === count, LATE_PLY + step + 1, PATIENCE);
  }
  assert.match(await headline(page), /won by \d+|Draw/);
  assert.ok(passes > 0, "the game was meant to hold a pass");
  assert.equal((await moves(page)).filter((move) => move === "pass").length, passes);
  const [black, white] = await discs(page);
  assert.ok(black + white <= 64 && black + white > 20);
  await gone(page, ".drawing .value");
  clean(opened);
}

const PASTED = [
  ["a transcript", "f5d6c3d3c4", 5],
  ["a numbered list", "1. f5 d6 2. c3 d3 3. c4", 5],
  ["capitals with a pass left out", "F5 D6 C3", 3],
  ["a board with its side", "---------------------------OX------XXX-------------------------- O", 0],
  ["a board in rows", "........\n........\n........\n...OX...\n...XO...\n........\n........\n........ X", 0],
  ["an OBF line", "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; G8:+18;", 0],
  ["two bitboards", "0x0000000810000000 0x0000001008000000", 0],
];

async function readsEveryFormat({ browser, server }) {
  const opened = await fresh(browser, server.origin, { ignore: NETWORK });
  const { page } = opened;
  for (const [what, text, count] of PASTED) {
    await page.click('[data-view="setup"]');
    await page.fill("#paste", text);
    await page.click('.paste button[type="submit"]');
    await page.waitForSelector("#paste", { state: "detached", ...PATIENCE }).catch(async () => assert.fail(`${what}: ${await page.locator(".fault").innerText()}`));
    await page.waitForFunction((wanted) => document.querySelectorAll(".moves .move").length === wanted, count, PATIENCE);
  }
  await page.click('[data-view="setup"]');
  await page.fill("#paste", "f5 d6 c9 d3");
  await page.click('.paste button[type="submit"]');
  await page.waitForSelector(".fault mark", PATIENCE);
  assert.equal(await page.locator(".fault mark").innerText(), "c9");
  assert.match(await page.locator(".fault").innerText(), /c9/);
  clean(opened);
}

async function setsUpAPosition({ browser, server }) {
  const opened = await fresh(browser, server.origin);
  const { page } = opened;
  await page.click('[data-view="setup"]');
  await page.getByRole("button", { name: "Empty", exact: true }).click();
  assert.deepEqual(await discs(page), [0, 0]);
  for (const name of ["a1", "b1"]) await page.click(square(name));
  await page.click(square("b1"));
  await page.click(square("h8"), { modifiers: ["Shift"] });
  assert.deepEqual(await discs(page), [1, 2]);
  await page.getByRole("button", { name: "Mirror" }).click();
  await page.getByRole("button", { name: "Use this position" }).click();
  await page.waitForSelector(square("f1") + ".playable", PATIENCE);
  assert.match(page.url(), /board=------OX/);
  await page.click(square("f1"));
  await page.waitForFunction(() => document.querySelector('[data-count="black"] b').textContent === "3", null, PATIENCE);
  clean(opened);
}

async function followsAStream({ browser, server }) {
  const opened = await fresh(browser, server.origin, {}, { timeMs: 5000 });
  const { page } = opened;
  await page.waitForSelector(".headline .doing.active .progress", PATIENCE);
  await valued(page);
  const depth = async () => Number(/depth (\d+)/.exec(await page.locator(".facts").innerText())[1]);
  const first = await depth();
  await page.waitForFunction((known) => Number(/depth (\d+)/.exec(document.querySelector(".facts").textContent)?.[1] ?? 99) > known, first, PATIENCE);
  assert.equal(await page.locator(".drawing .value").count(), 4);
  await page.click("#tab-table");
  assert.ok((await page.locator("#tab-panel tbody tr").count()) > 1, "one row an iteration");
  // A value never outlives its position.
  const [values, text] = await page.evaluate(async () => {
    document.querySelector('[data-square="f5"]').click();
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    return [document.querySelectorAll(".drawing .value").length, document.querySelector(".headline .verdict").textContent];
  });
  assert.deepEqual([values, text], [0, "No value yet"]);
  await valued(page);
  assert.equal(await page.locator(".drawing .value").count(), 3);
  clean(opened);
}

async function tellsExactFromEstimated({ browser, server }) {
  const board = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO--";
  const opened = await fresh(browser, server.origin, { path: `/?board=${board}&side=black` }, { timeMs: 15_000 });
  const { page } = opened;
  await page.waitForSelector(".headline .kind.proven", PATIENCE);
  await done(page);
  assert.equal(await page.locator(".drawing .value.proven").count(), await page.locator(".drawing .value").count());
  assert.equal(await page.locator(".drawing .dots").count(), 0);
  assert.match(await page.locator(square("g8")).getAttribute("aria-label"), /legal, .*exact/);
  clean(opened);
}

async function speaksThreeLanguages({ browser, server }) {
  const opened = await fresh(browser, server.origin, { path: "/?view=settings" });
  const { page } = opened;
  for (const [code, words] of [["ja", "黒の番"], ["zh", "轮到黑方"], ["en", "Black to move"]]) {
    await page.selectOption('[data-setting="language"]', code);
    await page.waitForFunction((wanted) => document.querySelector(".strip-text").textContent === wanted, words, PATIENCE);
    assert.equal(await page.evaluate(() => document.documentElement.lang), code);
  }
  await page.selectOption('[data-setting="language"]', "ja");
  await page.reload();
  await page.waitForFunction(() => document.querySelector(".strip-text")?.textContent === "黒の番", null, PATIENCE);
  clean(opened);
}

async function survivesARestart({ browser }) {
  const first = await startServer();
  const opened = await fresh(browser, first.origin, { ignore: NETWORK });
  const { page } = opened;
  await valued(page);
  await first.stop();
  await page.click(square("f5"));
  await page.waitForFunction(() => document.querySelector(".panel-zone").textContent.includes("cannot be reached"), null, PATIENCE);
  await gone(page, ".drawing .value");
  const second = await startServer({ listen: first.origin.replace("http://", "") });
  try {
    await valued(page);
    await page.waitForFunction(() => !document.querySelector(".panel-zone").textContent.includes("cannot be reached"), null, PATIENCE);
    assert.deepEqual(await moves(page), ["f5"]);
    clean(opened);
  } finally {
    await page.close();
    await second.stop();
  }
}

async function waitsOutOverload({ browser }) {
  const busy = await startServer({ args: ["--threads", "1", "--queue-max", "1"] });
  const hold = new AbortController();
  try {
    // One search on the only thread and one in the only place of the queue.
    const ask = (moves) =>
      fetch(`${busy.origin}/v1/othello/analysis`, { method: "POST", signal: hold.signal, headers: { "content-type": "application/json" }, body: JSON.stringify({ moves, goal: "all_moves", limits: { time_ms: 5_000 } }) }).catch(() => {});
    void ask("f5d6");
    await new Promise((resolve) => setTimeout(resolve, 300));
    void ask("f5f6");
    await new Promise((resolve) => setTimeout(resolve, 300));
    const opened = await fresh(browser, busy.origin, { ignore: NETWORK });
    const { page } = opened;
    await page.waitForFunction(() => /busy\. Trying again in \d+ s/.test(document.querySelector(".headline").textContent), null, PATIENCE);
    await valued(page);
    clean(opened);
    await page.close();
  } finally {
    hold.abort();
    await busy.stop();
  }
}

async function fitsAPhone({ browser, server }) {
  const opened = await fresh(browser, server.origin, { width: 390, height: 844, scheme: "dark" });
  const { page } = opened;
  const wide = () => page.evaluate(() => document.documentElement.scrollWidth);
  await page.click(square("f5"));
  await valued(page);
  for (const view of ["table", "graph", "evaluation", "pruning", "moves"]) {
    await page.click(`#tab-${view}`);
    assert.ok((await wide()) <= 390, `${view} is wider than the screen: ${await wide()}`);
  }
  for (const view of ["play", "setup", "share", "settings"]) {
    await page.click(`[data-view="${view}"]`);
    assert.ok((await wide()) <= 390, `${view} is wider than the screen: ${await wide()}`);
  }
  const box = await page.locator(square("f5")).boundingBox();
  assert.ok(box.width >= 40 && box.height >= 40, "a square is large enough for a finger");
  await page.getByRole("button", { name: "Gomoku" }).click();
  for (const view of ["play", "setup"]) {
    await page.click(`[data-view="${view}"]`);
    assert.ok((await wide()) <= 390, `${view} of Gomoku is wider than the screen: ${await wide()}`);
  }
  await accessible(page, "phone, dark");
  clean(opened);
}

async function worksByKeyboard({ browser, server }) {
  const opened = await fresh(browser, server.origin);
  const { page } = opened;
  await page.waitForSelector(square("f5") + ".playable", PATIENCE);
  await page.focus(square("e5"));
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.evaluate(() => document.activeElement.dataset.square), "f5");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelectorAll(".moves .move").length === 1, null, PATIENCE);
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press("ArrowLeft");
  assert.equal(await page.locator(".strip-text").innerText(), "Black to move");
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.locator(".strip-text").innerText(), "White to move");
  await page.keyboard.press("f");
  assert.equal(await page.locator(".square").first().getAttribute("data-square"), "h8");
  await page.keyboard.press("u");
  await page.keyboard.press("?");
  assert.ok(await page.locator("kbd").first().isVisible());
  await page.keyboard.press("Escape");
  await page.keyboard.press(" ");
  await page.waitForFunction(() => /Paused|Time is up|limit|Done/.test(document.querySelector(".headline").textContent), null, PATIENCE);
  clean(opened);
}

async function keepsBranchesAndLinks({ browser, server }) {
  const opened = await fresh(browser, server.origin, { path: "/?moves=f5d6c3&ply=1" });
  const { page } = opened;
  await page.waitForSelector(square("f6") + ".playable", PATIENCE);
  await page.click(square("f6"));
  await page.waitForSelector(".branch", PATIENCE);
  assert.deepEqual(await moves(page), ["f5", "f6", "d6", "c3"]);
  await page.locator(".branch .move").last().click();
  await page.waitForFunction(() => location.search.includes("f5d6c3"), null, PATIENCE);
  const address = page.url();
  const before = await page.locator(".squares").evaluate((grid) => [...grid.querySelectorAll("button")].map((button) => button.ariaLabel.split(",").slice(0, 2).join()).join());
  await opened.go(address.slice(server.origin.length));
  await page.waitForFunction(() => document.querySelectorAll(".moves .move").length === 3, null, PATIENCE);
  await page.waitForSelector(".square.playable", PATIENCE);
  const after = await page.locator(".squares").evaluate((grid) => [...grid.querySelectorAll("button")].map((button) => button.ariaLabel.split(",").slice(0, 2).join()).join());
  assert.equal(after, before);
  clean(opened);
}

async function sharesTextsAndPictures({ browser, server }) {
  const opened = await fresh(browser, server.origin, { path: "/?moves=f5d6c3&view=share" });
  const { page } = opened;
  await valued(page);
  await page.click('[data-copy="share_moves"]');
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), "f5d6c3");
  await page.click('[data-copy="share_json"]');
  const question = JSON.parse(await page.evaluate(() => navigator.clipboard.readText()));
  const answer = await fetch(`${server.origin}/v1/othello/analysis`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ ...question, limits: { depth: 2 } }) });
  assert.equal(answer.status, 200);
  const svg = await fetch(server.origin + (await page.locator("a[download]").getAttribute("href")));
  assert.equal(svg.headers.get("content-type"), "image/svg+xml");
  assert.match(await svg.text(), /<svg[^]*stroke-dasharray/);
  const [download] = await Promise.all([page.waitForEvent("download", PATIENCE), page.getByRole("button", { name: "PNG" }).click()]);
  assert.match(download.suggestedFilename(), /f5d6c3\.png$/);
  clean(opened);
}

async function explainsThePosition({ browser, server }) {
  const opened = await fresh(browser, server.origin, { path: "/?board=XXXXXXXXXXXXXXXXXOXXOX--XOOXOX--XOOXX---XOOXX---XOO-----X-------&side=white&view=evaluation" });
  const { page } = opened;
  await page.waitForSelector(".terms tbody tr", PATIENCE);
  assert.equal(await page.locator(".terms tbody tr").count(), 8);
  assert.ok((await page.locator(".drawing .stable").count()) > 8, "stable discs are marked");
  assert.equal(await page.locator(".balance-bracket").count(), 1);
  await page.click("#tab-pruning");
  // The marks go with their panel.
  await gone(page, ".drawing .stable");
  await page.selectOption("#tab-panel select", "4");
  await page.getByRole("button", { name: "Compare" }).click();
  await page.waitForSelector(".pruning tbody tr", PATIENCE);
  assert.equal(await page.locator(".pruning tbody tr").count(), 4);
  assert.match(await page.locator(".pruning tbody tr").first().innerText(), /reference/);
  clean(opened);
}

async function reviewsAGame({ browser, server }) {
  const opened = await fresh(browser, server.origin, { path: "/?moves=f5f6e6f4g5&view=graph" });
  const { page } = opened;
  await page.getByRole("button", { name: "Review the whole game" }).click();
  await page.waitForSelector(".curve canvas", PATIENCE);
  await page.getByRole("button", { name: "Review the whole game" }).waitFor(PATIENCE);
  assert.match(await page.locator(".totals").innerText(), /lost in 3 moves[^]*lost in 2 moves/);
  await page.locator(".curve .u-over").click({ position: { x: 4, y: 60 } });
  await page.waitForFunction(() => document.querySelector(".strip-text").textContent === "Black to move", null, PATIENCE);
  assert.match(page.url(), /ply=0/);
  clean(opened);
}

async function isAccessible({ browser, server }) {
  const opened = await fresh(browser, server.origin, { path: "/?moves=f5d6c3d3c4" });
  const { page } = opened;
  await valued(page);
  for (const view of ["moves", "table", "evaluation"]) {
    await page.click(`#tab-${view}`);
    await page.waitForSelector(".table", PATIENCE);
    await accessible(page, view);
  }
  for (const view of ["play", "setup", "share", "settings", "keys"]) {
    await page.click(`[data-view="${view}"]`);
    await accessible(page, view);
  }
  await page.emulateMedia({ colorScheme: "dark" });
  await page.click("#tab-moves");
  await accessible(page, "dark");
  clean(opened);
}

export const scenarios = [
  ["plays a game to its end, with passes", playsToTheEnd],
  ["reads every format and marks the faulty token", readsEveryFormat],
  ["sets up a position", setsUpAPosition],
  ["follows a stream, and no value outlives its position", followsAStream],
  ["tells exact values from estimates", tellsExactFromEstimated],
  ["speaks three languages", speaksThreeLanguages],
  ["survives a restart of the service", survivesARestart],
  ["waits out an overload", waitsOutOverload],
  ["fits a phone", fitsAPhone],
  ["works by keyboard", worksByKeyboard],
  ["keeps branches, and a game is a link", keepsBranchesAndLinks],
  ["shares texts and pictures", sharesTextsAndPictures],
  ["explains the position and compares techniques", explainsThePosition],
  ["reviews a game", reviewsAGame],
  ["has no serious accessibility fault", isAccessible],
];
