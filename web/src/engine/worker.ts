// A worker with one copy of the engine. It answers one question after the other; to end a search is to end the worker.

import { Instance } from "./instance";
import type { FromWorker, ToWorker } from "./messages";

const say = (message: FromWorker) => postMessage(message);
const failed = (error: unknown) => say({ kind: "failed", why: String(error) });

/** Questions may arrive before the engine is there: they wait for it. */
let engine: Promise<Instance> = Promise.reject(new Error("not started"));
engine.catch(() => {});

async function start(from: string | WebAssembly.Module): Promise<Instance> {
  const module = typeof from === "string" ? await WebAssembly.compileStreaming(fetch(from)) : from;
  const instance = await Instance.of(module);
  say({ kind: "ready", module });
  return instance;
}

async function answer({ id, path, body }: ToWorker & { kind: "ask" }): Promise<void> {
  const { status, text } = (await engine).ask(path, body, (step) => say({ kind: "step", id, text: step }));
  say({ kind: "answer", id, status, text });
}

addEventListener("message", ({ data }: MessageEvent<ToWorker>) => {
  if (data.kind === "start") {
    engine = start(data.from);
    engine.catch(failed);
  } else {
    answer(data).catch(failed);
  }
});
