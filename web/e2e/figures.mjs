// How much the page weighs and how soon it shows a board, in Markdown for docs/BENCHMARKS.md: `npm --prefix web run figures`.

import { startBrowser, startServer } from "./support.mjs";

const RUNS = 5;
const server = await startServer();
const browser = await startBrowser();
const median = (numbers) => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** One visit with an empty cache: bytes by kind, and milliseconds to paint and board. */
async function visit(path) {
  const page = await browser.context.newPage();
  const session = await browser.context.newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.clearBrowserCache");
  const bytes = { page: 0, answers: 0 };
  const kinds = new Map();
  session.on("Network.responseReceived", ({ requestId, response }) => kinds.set(requestId, response.url.includes("/v1/") ? "answers" : "page"));
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => (bytes[kinds.get(requestId) ?? "page"] += encodedDataLength));
  await page.addInitScript(() => {
    const seen = new MutationObserver(() => {
      if (!document.querySelector(".drawing .disc")) return;
      window.boardAt ??= performance.now();
      seen.disconnect();
    });
    seen.observe(document, { childList: true, subtree: true });
  });
  await page.goto(server.origin + path);
  await page.waitForFunction(() => window.boardAt !== undefined);
  await page.waitForTimeout(500);
  const times = await page.evaluate(() => ({
    paint: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? null,
    board: window.boardAt,
  }));
  await page.close();
  return { bytes, ...times };
}

try {
  console.log("| visit | page, kB | first paint, ms | first board, ms |\n| --- | --- | --- | --- |");
  for (const [name, path] of [["start", "/"], ["a game with its graph", "/?moves=f5d6c3d3c4&view=graph"]]) {
    const visits = [];
    for (let run = 0; run < RUNS; run += 1) visits.push(await visit(path));
    const of = (pick) => Math.round(median(visits.map(pick)));
    console.log(`| ${name} | ${(median(visits.map((one) => one.bytes.page)) / 1000).toFixed(1)} | ${of((one) => one.paint ?? 0)} | ${of((one) => one.board)} |`);
  }
} finally {
  await browser.close();
  await server.stop();
}
