// The board as a person meets it: the real binary, Debian's Chromium, one scenario after the other. The last line is
// "N passed, N failed"; the exit code is 1 when anything failed.

import { startBrowser, startServer } from "./support.mjs";
import { games } from "./games.mjs";
import { hasEngine, offline } from "./offline.mjs";
import { scenarios } from "./scenarios.mjs";

const only = process.argv[2];
if (!hasEngine) console.log("skipped the offline mode: this build has no engine for the browser");
const chosen = [...scenarios, ...games, ...(hasEngine ? offline : [])].filter(([name]) => !only || name.includes(only));
let failed = 0;
const browser = await startBrowser();
const server = await startServer();
try {
  for (const [name, run] of chosen) {
    const started = Date.now();
    try {
      await run({ browser, server });
      console.log(`ok      ${name} (${Date.now() - started} ms)`);
    } catch (error) {
      failed += 1;
      console.log(`FAILED  ${name} (${Date.now() - started} ms): ${error.stack ?? error}`);
    } finally {
      for (const page of browser.context.pages()) await page.close();
      await browser.context.clearCookies();
    }
  }
} finally {
  await browser.close();
  await server.stop();
}
console.log(`${chosen.length - failed} passed, ${failed} failed`);
process.exitCode = failed > 0 || chosen.length === 0 ? 1 : 0;
