// A worker with one copy of the engine. It answers one question after the other; to end a search is to end the worker.

import { Instance } from "./instance";
import type { FromWorker, ToWorker } from "./messages";

const say = (message: FromWorker) => postMessage(message);
let engine: Instance | null = null;

async function start(from: string | WebAssembly.Module): Promise<void> {
  const module = typeof from === "string" ? await WebAssembly.compileStreaming(fetch(from)) : from;
  engine = await Instance.of(module);
  say({ kind: "ready", module });
}

addEventListener("message", ({ data }: MessageEvent<ToWorker>) => {
  const failed = (error: unknown) => say({ kind: "failed", why: String(error) });
  if (data.kind === "start") {
    start(data.from).catch(failed);
    return;
  }
  try {
    const { id, path, body } = data;
    if (!engine) throw new Error("not started");
    const { status, text } = engine.ask(path, body, (step) => say({ kind: "step", id, text: step }));
    say({ kind: "answer", id, status, text });
  } catch (error) {
    failed(error);
  }
});
