// The second game on the same board, and both games against the engine.

import assert from "node:assert/strict";
import { PATIENCE, clean, fresh, gone, headline, moves, square, valued } from "./steps.mjs";

/** Cells of a row as the link writes them. */
const empty = "-".repeat(15);
const row = (marks) => [...empty].map((cell, column) => marks[column] ?? cell).join("");
const board = (rows) => Array.from({ length: 15 }, (_, index) => (rows[index] ? row(rows[index]) : empty)).join("");

async function playsToFive({ browser, server }) {
  const opened = await fresh(browser, server.origin, { path: "/?game=gomoku&rule=freestyle" });
  const { page } = opened;
  for (const [index, name] of ["h8", "h9", "i8", "i9", "g8", "g9", "j8", "j9", "k8"].entries()) {
    await page.waitForSelector(`${square(name)}.playable`, PATIENCE);
    await page.click(square(name));
    await page.waitForFunction((count) => document.querySelectorAll(".moves .move").length === count, index + 1, PATIENCE);
  }
  await page.waitForSelector(".drawing .winning", { state: "attached", ...PATIENCE });
  assert.equal(await headline(page), "Black wins");
  assert.equal(await page.locator(".square.playable").count(), 0);
  assert.equal((await moves(page)).at(-1), "k8");
  clean(opened);
}

async function marksForbiddenPoints({ browser, server }) {
  const position = board({ 6: { 7: "X" }, 8: { 7: "X" }, 7: { 6: "X", 8: "X" }, 0: { 0: "O", 14: "O" }, 14: { 0: "O", 14: "O" } });
  const opened = await fresh(browser, server.origin, { path: `/?game=gomoku&rule=renju&board=${position}&side=black` });
  const { page } = opened;
  await page.waitForSelector(".drawing .forbidden", PATIENCE);
  assert.match(await page.locator(square("h8")).getAttribute("aria-label"), /forbidden: double three/);
  await page.click(square("h8"), { force: true });
  await page.waitForTimeout(200);
  assert.equal(await page.locator(".moves .move").count(), 0, "a forbidden point is not played");
  await page.selectOption(".controls select", "freestyle");
  await page.waitForFunction(() => !location.search.includes("renju"), null, PATIENCE);
  await gone(page, ".drawing .forbidden");
  clean(opened);
}

async function showsThreatsAndValues({ browser, server }) {
  const opened = await fresh(browser, server.origin, { path: "/?game=gomoku&rule=freestyle&moves=h8g8h9g9h10g10i7a1" });
  const { page } = opened;
  await page.waitForSelector(".threats", PATIENCE);
  assert.match(await page.locator(".threats").innerText(), /Black wins by fours in 2/);
  await valued(page);
  assert.match(await headline(page), /Black wins in 2|Black \d+ %/);
  clean(opened);
}

/** A match against the engine from the first move on: nothing of its opinion is seen, hints come in steps, undo takes back both moves. */
const playsAgainstTheEngine = (path, first) => async ({ browser, server }) => {
  const opened = await fresh(browser, server.origin, { path });
  const { page } = opened;
  await page.locator(".panel .button.primary").click();
  await page.waitForSelector(`${square(first)}.playable`, PATIENCE);
  await page.click(square(first));
  await page.waitForFunction(() => document.querySelectorAll(".moves .move").length === 2, null, PATIENCE);
  assert.equal(await page.locator(".drawing .value").count(), 0, "nothing tells what the engine thinks");
  assert.match(await headline(page), /Your move, Black/);
  await page.click('[data-action="hint"]');
  await page.waitForSelector(".drawing .hinted", PATIENCE);
  // The drawing follows a moment after the click.
  const atMost = (most) =>
    page.waitForFunction((most) => document.querySelectorAll(".drawing .hinted").length <= most, most, PATIENCE);
  await page.click('[data-action="hint"]');
  await atMost(3);
  await page.click('[data-action="hint"]');
  await atMost(1);
  assert.equal(await page.locator(".drawing .hinted").count(), 1);
  await page.click('[data-action="undo"]');
  await page.waitForFunction(() => document.querySelector(".strip-text").textContent === "Black to move", null, PATIENCE);
  await page.getByRole("button", { name: "End the match" }).click();
  await valued(page);
  clean(opened);
};

/** The engine lays three stones, two are added, the engine takes a colour, and the match goes on with the other. */
async function playsTheSwap2Opening({ browser, server }) {
  const opened = await fresh(browser, server.origin, { path: "/?game=gomoku&rule=freestyle&view=play" });
  const { page } = opened;
  const laid = (count) => page.waitForFunction((count) => document.querySelectorAll(".moves .move").length === count, count, PATIENCE);
  await page.click('[data-swap2="engine"]');
  await laid(3);
  await page.waitForSelector('[data-choice="place_two"]', PATIENCE);
  await page.click(square("a1"), { force: true });
  assert.equal(await page.locator(".moves .move").count(), 3, "first comes the choice");
  await page.click('[data-choice="place_two"]');
  await page.click(square("a15"));
  await laid(4);
  await page.waitForSelector(`${square("o15")}.playable`, PATIENCE);
  await page.click(square("o15"));
  await page.waitForFunction(() => /Your move|Level 5 is thinking|engine is to move/.test(document.querySelector(".headline").textContent), null, PATIENCE);
  await page.waitForFunction(() => /Your move/.test(document.querySelector(".headline").textContent), null, PATIENCE);
  assert.equal(await page.locator(".drawing .value").count(), 0, "nothing tells what the engine thinks");
  await page.locator('[data-setting="valuesInMatch"]').check();
  await valued(page);
  clean(opened);
}

export const games = [
  ["gomoku: plays to five in a row", playsToFive],
  ["gomoku: marks forbidden points with their reason", marksForbiddenPoints],
  ["gomoku: shows threats and values", showsThreatsAndValues],
  ["gomoku: plays against the engine, with hints", playsAgainstTheEngine("/?game=gomoku&rule=freestyle&view=play", "h8")],
  ["gomoku: plays the swap2 opening, and shows values in the match", playsTheSwap2Opening],
  ["othello: plays against the engine, with hints", playsAgainstTheEngine("/?view=play", "f5")],
];
