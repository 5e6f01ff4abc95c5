// The board without the service: its own engine says what the service says, and goes on where the service has gone.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { NETWORK, PATIENCE, clean, done, fresh, moves, square, valued } from "./steps.mjs";
import { startServer } from "./support.mjs";

const SITE = new URL("../dist/site/assets/", import.meta.url);
const built = (pattern) => readdirSync(SITE).find((name) => pattern.test(name));
const ENGINE = built(/^engine-.*\.wasm$/);
/** A machine without the target for WebAssembly has built the board without its engine. */
export const hasEngine = ENGINE !== undefined;

const POSITIONS = readFileSync(new URL("../test/data/positions.tsv", import.meta.url), "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => line.split("\t"))
  .map(([game, depth, played]) => ({ game, depth: Number(depth), moves: played }));

const post = async (origin, path, body) => {
  const response = await fetch(origin + path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
  return { status: response.status, body: await response.json() };
};

/** What must be the same wherever an engine runs. Chances are rounded from logarithms, which may differ in their last digit. */
const essence = ({ best_move, moves: found, principal_variation, search }) => ({
  best_move,
  principal_variation,
  nodes: search.nodes,
  depth: search.depth,
  moves: found.map(({ move, rank, score: { win_probability: _, ...score }, loss }) => ({ move, rank, score, loss })),
});

/** Asks the board's own worker these questions, in the page. */
const askWorker = (page, questions) =>
  page.evaluate(
    async ({ script, engine, questions }) => {
      const worker = new Worker(`/assets/${script}`, { type: "module" });
      const heard = (message) => new Promise((resolve, reject) => {
        worker.onmessage = ({ data }) => (data.kind === "failed" ? reject(new Error(data.why)) : data.kind !== "step" && resolve(data));
        worker.postMessage(message);
      });
      await heard({ kind: "start", from: `/assets/${engine}` });
      const answers = [];
      for (const [id, question] of questions.entries()) {
        const { status, text } = await heard({ kind: "ask", id, path: "/v1/othello/analysis", body: JSON.stringify(question) });
        answers.push({ status, body: JSON.parse(text) });
      }
      worker.terminate();
      return answers;
    },
    { script: built(/^worker-.*\.js$/), engine: ENGINE, questions },
  );

/** One thread, no selective pruning: the same values, lines and counts as the service's, to the last node. */
async function saysWhatTheServiceSays({ browser, server }) {
  const opened = await fresh(browser, server.origin);
  const questions = POSITIONS.map(({ depth, moves: played }) => ({ moves: played, goal: "all_moves", deterministic: true, limits: { depth, selectivity_percent: 100 } }));
  assert.equal(questions.length, 50);
  const answers = await askWorker(opened.page, questions);
  for (const [index, question] of questions.entries()) {
    const service = await post(server.origin, "/v1/othello/analysis", question);
    const game = `game ${POSITIONS[index].game}`;
    assert.equal(service.status, 200, `${game}: ${JSON.stringify(service.body)}`);
    assert.equal(answers[index].status, 200, `${game}: ${JSON.stringify(answers[index].body)}`);
    assert.deepEqual(essence(answers[index].body), essence(service.body), game);
  }
  clean(opened);
}

const here = '[data-answers="here"]';

/** The service goes for good in the middle of a game: rules, values and an opponent go on; when it is back, it is asked again. */
async function goesOnWithoutTheService({ browser }) {
  const first = await startServer();
  const opened = await fresh(browser, first.origin, { path: "/?view=settings", ignore: NETWORK }, { threads: 2 });
  const { page } = opened;
  await valued(page);
  await page.click('[data-action="get-engine"]');
  await page.waitForSelector('[data-readiness="ready"]', PATIENCE);
  await first.stop();
  await page.click("#tab-moves");
  await page.click(square("f5"));
  await page.waitForSelector(here, PATIENCE);
  assert.match(await page.locator(here).innerText(), /^Offline: the service cannot be reached\. The engine in this browser answers\.$/);
  await valued(page);
  await done(page);
  assert.equal(await page.locator(".drawing .value").count(), 3, "every legal move has its value");
  assert.match(await page.locator(".facts").innerText(), /in this browser, 2 at work/, "the root moves are shared out");
  // The rules as well: the reply, its turned disc, and a text with a fault.
  await page.click(square("d6"));
  await page.waitForSelector(`${square("c3")}.playable`, PATIENCE);
  await page.click('[data-view="setup"]');
  await page.fill("#paste", "f5 d6 c9 d3");
  await page.click('.paste button[type="submit"]');
  await page.waitForSelector(".fault mark", PATIENCE);
  assert.equal(await page.locator(".fault mark").innerText(), "c9");
  await page.click('[data-view="share"]');
  const [picture] = await Promise.all([page.waitForEvent("download", PATIENCE), page.getByRole("button", { name: "PNG" }).click()]);
  assert.match(picture.suggestedFilename(), /f5d6\.png$/);
  await page.click('[data-view="play"]');
  await page.getByRole("button", { name: "From this position" }).click();
  await page.waitForSelector(`${square("c3")}.playable`, PATIENCE);
  await page.click(square("c3"));
  await page.waitForFunction(() => document.querySelectorAll(".moves .move").length === 4, null, PATIENCE);
  await page.getByRole("button", { name: "End the match" }).click();
  await page.getByRole("button", { name: "Gomoku" }).click();
  await page.waitForSelector(`${square("h8")}.playable`, PATIENCE);
  await page.click(square("h8"));
  await valued(page);
  const second = await startServer({ listen: first.origin.replace("http://", "") });
  try {
    await page.waitForSelector(here, { state: "detached", ...PATIENCE });
    await page.waitForFunction(() => document.querySelector(".facts") && !/in this browser/.test(document.querySelector(".facts").textContent), null, PATIENCE);
    assert.deepEqual(await moves(page), ["h8"]);
    clean(opened);
  } finally {
    await page.close();
    await second.stop();
  }
}

export const offline = [
  ["offline: the engine in the browser says what the service says, on 50 positions", saysWhatTheServiceSays],
  ["offline: goes on without the service, and back to it", goesOnWithoutTheService],
];
