// The live analysis of the shown position. A new position ends the old search; an answer is kept with the position it
// belongs to and shown nowhere else.

import { computed, effect, signal, untracked } from "@preact/signals";
import { type Analysis, type Iteration, withIteration } from "../model/analysis";
import type { Ask } from "../model/games";
import { type Failure, ServiceError } from "../model/service";
import type { Score } from "../model/score";
import { positionKey } from "../model/tree";
import { returns } from "./offline";
import { connection, currentKey, game, here, legalKnown, pause, rule, rules, settings, tree } from "./store";

export type Phase =
  /** The engine rests: analysis is switched off. */
  | { kind: "paused" }
  /** Asked; nothing has come back yet. */
  | { kind: "asked" }
  /** Something has come back and more is on its way. */
  | { kind: "searching" }
  /** The last word on this position at these limits. */
  | { kind: "done" }
  | { kind: "busy"; until: number; detail: string }
  | { kind: "offline" }
  | { kind: "refused"; detail: string };

export interface Shown {
  /** The position that all of this is about. */
  key: string;
  phase: Phase;
  answer: Analysis | null;
  iterations: readonly Iteration[];
}

export const running = signal(true);
/** Raised by "think longer": how many times the time of the settings a position gets. */
const patience = signal<{ key: string; times: number } | null>(null);
const latest = signal<Shown | null>(null);

/** What is known about the shown position; `null` as soon as another one is shown. */
export const shown = computed<Shown | null>(() => {
  const of = latest.value;
  return of && of.key === currentKey.value ? of : null;
});

/** Values of positions by key: the surest known, for the graph and the move list. */
export const values = signal<ReadonlyMap<string, Score>>(new Map());

const MOST_KEPT = 400;
const kept = new Map<string, { answer: Analysis; iterations: readonly Iteration[]; asked: string }>();

export function remember(key: string, score: Score | null): void {
  if (!score) return;
  const before = values.value.get(key);
  const surer = !before || score.kind !== "estimate" || (before.kind === "estimate" && score.depth >= before.depth);
  if (surer) values.value = new Map(values.value).set(key, score);
}

/** The key that a position of the current game has. */
export function keyOf(position: { board: string; side: "black" | "white" }): string {
  return `${game.value} ${game.value === "gomoku" ? rule.value : ""} ${positionKey(position as Parameters<typeof positionKey>[0])}`;
}

/** The search that runs, and what it was asked. */
let active: { key: string; asked: string; abort: AbortController } | null = null;

/** Moves of the board that are stepped through quickly should not each cost a search. */
const SETTLE_MS = 120;

effect(() => {
  const key = currentKey.value;
  const { timeMs, threads, empties, apiKey, engine } = settings.value;
  const on = running.value;
  const times = patience.value && patience.value.key === key ? patience.value.times : 1;
  if (key === null || !legalKnown.value) return;
  const asked = JSON.stringify([timeMs * times, threads, empties, apiKey, engine, returns.value]);
  if (active?.key === key && active.asked === asked && on) return;
  active?.abort.abort();
  active = null;
  const known = kept.get(key);
  if (known && known.asked === asked) {
    latest.value = { key, phase: { kind: "done" }, answer: known.answer, iterations: known.iterations };
    return;
  }
  if (!on) {
    const before = untracked(() => shown.value);
    latest.value = { key, phase: { kind: "paused" }, answer: before?.answer ?? null, iterations: before?.iterations ?? [] };
    return;
  }
  const abort = new AbortController();
  active = { key, asked, abort };
  const before = untracked(() => shown.value);
  latest.value = { key, phase: { kind: "asked" }, answer: before?.answer ?? null, iterations: before?.iterations ?? [] };
  const what: Ask = { goal: "all_moves", timeMs: timeMs * times, threads, cutoffs: true };
  untracked(() => void follow(key, asked, what, abort.signal));
});

async function follow(key: string, asked: string, what: Ask, signal: AbortSignal): Promise<void> {
  const { node } = here.value;
  const asker = rules.value;
  const body = asker.analysisBody(tree.value, node, what, settings.value);
  const update = (change: Partial<Shown>) => {
    const now = latest.value;
    if (!signal.aborted && now?.key === key) latest.value = { ...now, ...change };
  };
  await pause(SETTLE_MS);
  while (!signal.aborted) {
    let iterations: readonly Iteration[] = [];
    try {
      await asker.analyse(
        body,
        (answer) => {
          if (signal.aborted) return;
          iterations = withIteration(iterations, answer);
          update({ answer, iterations, phase: { kind: answer.final ? "done" : "searching" } });
          remember(key, answer.score);
          if (answer.final) keep(key, { answer, iterations, asked });
        },
        signal,
      );
      // A stream that ends without its last word was cut off: the service has gone away.
      if (!signal.aborted && latest.value?.key === key && latest.value.phase.kind !== "done") throw new ServiceError({ kind: "offline" });
      return;
    } catch (error) {
      if (signal.aborted) return;
      const failure: Failure | null = error instanceof ServiceError ? error.failure : null;
      if (failure === null || failure.kind === "problem") {
        update({ phase: { kind: "refused", detail: failure ? failure.problem.detail : String(error) } });
        return;
      }
      if (failure.kind === "offline") {
        connection.value = "offline";
        update({ phase: { kind: "offline" } });
        await pause(RETRY_OFFLINE_MS);
      } else {
        update({ phase: { kind: "busy", until: Date.now() + failure.retryMs, detail: failure.detail } });
        await pause(failure.retryMs);
      }
    }
  }
}

const RETRY_OFFLINE_MS = 1_500;

function keep(key: string, entry: { answer: Analysis; iterations: readonly Iteration[]; asked: string }): void {
  kept.delete(key);
  kept.set(key, entry);
  for (const oldest of kept.keys()) {
    if (kept.size <= MOST_KEPT) break;
    kept.delete(oldest);
  }
}

/** Gives the shown position four times as long as before. */
export function thinkLonger(): void {
  const key = currentKey.value;
  if (key === null) return;
  const before = patience.value && patience.value.key === key ? patience.value.times : 1;
  patience.value = { key, times: before * LONGER };
  running.value = true;
}

const LONGER = 4;

/** Whether the shown position may still be given more time. */
export const mayThinkLonger = computed(() => {
  const times = patience.value && patience.value.key === currentKey.value ? patience.value.times : 1;
  return settings.value.timeMs * times * LONGER <= MOST_MS;
});

/** The service's own cap on the time of one answer. */
const MOST_MS = 60_000;
