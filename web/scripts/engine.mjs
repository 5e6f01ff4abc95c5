// Tells the board where its engine is, if this build has one: scripts/board-engine makes it, and leaves an empty file where
// WebAssembly cannot be built. Without either the board is built all the same and says that it has no offline mode.
import { mkdirSync, statSync, writeFileSync } from "node:fs";

const GENERATED = new URL("../src/generated/", import.meta.url);
const bytes = statSync(new URL("engine.wasm", GENERATED), { throwIfNoEntry: false })?.size ?? 0;
if (bytes === 0) console.log("board: no engine for the browser (scripts/board-engine web/src/generated/engine.wasm): built without the offline mode");

const declared = "/** The engine for the browser: its address and its size in bytes; `null` in a build without it. */";
const source =
  bytes === 0
    ? `${declared}\nexport const engineFile: { address: string; bytes: number } | null = null;\n`
    : `import address from "./engine.wasm?url";\n\n${declared}\nexport const engineFile: { address: string; bytes: number } | null = { address, bytes: ${bytes} };\n`;
mkdirSync(GENERATED, { recursive: true });
writeFileSync(new URL("engine.ts", GENERATED), source);
