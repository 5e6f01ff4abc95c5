// The whole game at a glance: a value for each position of the shown line, asked one after the other.

import { computed, signal } from "@preact/signals";
import { review } from "../model/review";
import { ServiceError } from "../model/service";
import { type Node } from "../model/tree";
import { keyOf, remember, values } from "./analysis";
import { ensure, line, pause, rules, settings, tree } from "./store";

/** Milliseconds for each position of a reviewed game. */
const TIME_MS = 600;

export const progress = signal<{ done: number; of: number } | null>(null);
let stop: AbortController | null = null;

/** Value and loss along the shown line, as far as they are known. */
export const points = computed(() =>
  review(
    line.value.map((node) => ({
      side: node.position?.side ?? "black",
      score: node.position ? (values.value.get(keyOf(node.position)) ?? null) : null,
      move: node.move,
      mover: node.parent?.position?.side ?? null,
    })),
  ),
);

export function stopReview(): void {
  stop?.abort();
  stop = null;
  progress.value = null;
}

/** Asks for the value of every position on the shown line that has none yet, the last first: there the solver is quick. */
export async function startReview(): Promise<void> {
  stopReview();
  const abort = new AbortController();
  stop = abort;
  const owner = tree.value;
  const nodes = [...line.value].reverse();
  progress.value = { done: 0, of: nodes.length };
  for (const node of nodes) {
    if (abort.signal.aborted || tree.value !== owner) break;
    await valueOf(node, abort.signal);
    if (!abort.signal.aborted && progress.value) progress.value = { ...progress.value, done: progress.value.done + 1 };
  }
  if (stop === abort) stopReview();
}

async function valueOf(node: Node, signal: AbortSignal): Promise<void> {
  await ensure(node);
  const position = node.position;
  if (!position || signal.aborted) return;
  const key = keyOf(position);
  const known = values.value.get(key);
  if (known && known.bound === "exact") return;
  const what = { goal: "best_move" as const, timeMs: TIME_MS, threads: settings.value.threads, batch: true };
  const body = rules.value.analysisBody(tree.value, node, what, settings.value);
  for (let tries = 0; tries < MOST_TRIES && !signal.aborted; tries += 1) {
    try {
      await rules.value.analyse(body, (answer) => answer.final && remember(key, answer.score), signal);
      return;
    } catch (error) {
      if (signal.aborted) return;
      const failure = error instanceof ServiceError ? error.failure : null;
      if (failure?.kind === "problem") return;
      await pause(failure?.kind === "busy" ? failure.retryMs : RETRY_MS);
    }
  }
}

const MOST_TRIES = 5;
const RETRY_MS = 1_500;
