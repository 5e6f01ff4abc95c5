// Playing against the engine: whose turn it is, how strong it plays, and hints in three steps.

import { computed, effect, signal, untracked } from "@preact/signals";
import type { Analysis } from "../model/analysis";
import { ServiceError } from "../model/service";
import type { Actor } from "../model/swap2";
import type { GameTree, Side } from "../model/tree";
import { begin, currentKey, ensure, here, lastStep, legalKnown, pause, play, rules, settings, step, tree, undo } from "./store";
import { running } from "./analysis";

export interface Match {
  /** The person's colour. */
  you: Side;
  level: number;
  /** Makes the engine's choices repeatable within one game and different between two. */
  seed: number;
}

export const match = signal<Match | null>(null);
export const thinking = signal(false);
export const trouble = signal<string | null>(null);

export interface Hint {
  key: string;
  /** 1: the part of the board, 2: the best few moves, 3: the move. */
  step: 1 | 2 | 3;
  moves: readonly string[];
}

export const hint = signal<Hint | null>(null);
export const hintAsked = signal(false);

/** Whether the engine is to move in the match. */
export const enginesTurn = computed(() => {
  const position = here.value.position;
  return match.value !== null && position !== null && position.status !== "finished" && position.side !== match.value.you;
});

/** A swap2 opening before a match of Gomoku: whose stones these are, and whether two are being added. */
export interface Opening {
  layer: Actor;
  level: number;
  adding: boolean;
  tree: GameTree;
}

export const opening = signal<Opening | null>(null);

/** During a match nothing may tell the person what the engine thinks, unless that is wanted. */
export const hidden = computed(() => (match.value !== null || opening.value !== null) && !settings.value.valuesInMatch && here.value.position?.status !== "finished");

/** In a match the engine only looks at positions for the person when its values are shown. */
effect(() => {
  const values = settings.value.valuesInMatch;
  if (match.value !== null || opening.value !== null) running.value = values;
});

const SEEDS = 1 << 20;

/** Starts a match: from the start, or from what is on the board. */
export function startMatch(you: Side, level: number, from: "start" | "here"): void {
  hint.value = null;
  trouble.value = null;
  match.value = { you, level, seed: Math.floor(Math.random() * SEEDS) };
  if (from === "start") begin({ kind: "standard" }, []);
}

export function endMatch(): void {
  match.value = null;
  opening.value = null;
  hint.value = null;
  trouble.value = null;
  running.value = true;
}

/** Takes back to the person's own last move: the engine's answer goes with it. */
export function takeBack(): void {
  const you = match.value?.you;
  if (you === undefined) {
    undo();
    return;
  }
  let back = 0;
  let node = here.value.node.parent;
  while (node) {
    back += 1;
    if (node.position?.side === you && node.position.status === "in_progress") break;
    node = node.parent;
  }
  if (node) step(-back);
}

/** Whether the engine may move by itself: after the person's move or at the end of the line, never while looking back. */
const mayMove = computed(() => {
  const { node } = here.value;
  const step = lastStep.value;
  return enginesTurn.value && legalKnown.value && (node.children.length === 0 || (step?.node === node && step.forward));
});

let search: AbortController | null = null;

effect(() => {
  const key = currentKey.value;
  const turn = mayMove.value;
  const now = match.value;
  untracked(() => {
    search?.abort();
    search = null;
    thinking.value = false;
    hint.value = null;
    if (key !== null && turn && now) void move(now);
  });
});

/** A reply that comes at once feels like none: the person should see the own move first. */
const LEAST_MS = 350;

/** Says what went wrong. */
export function failed(error: unknown): void {
  trouble.value = error instanceof Error ? error.message : String(error);
}

async function move(now: Match): Promise<void> {
  const abort = new AbortController();
  search = abort;
  const { node, position } = here.value;
  thinking.value = true;
  trouble.value = null;
  const began = performance.now();
  try {
    let choice: string | null = position?.status === "must_pass" ? "pass" : null;
    if (choice === null) {
      const what = { goal: "best_move" as const, timeMs: settings.value.timeMs, threads: null, level: { level: now.level, seed: now.seed } };
      choice = await withRetries(abort.signal, async () => {
        let answer: Analysis | null = null;
        const body = rules.value.analysisBody(tree.value, node, what, settings.value);
        await rules.value.analyse(body, (step) => (answer = step), abort.signal);
        return (answer as Analysis | null)?.bestMove ?? null;
      });
    }
    await pause(Math.max(0, LEAST_MS - (performance.now() - began)));
    if (!abort.signal.aborted && choice !== null) play(choice);
  } catch (error) {
    if (abort.signal.aborted) return;
    failed(error);
  } finally {
    if (search === abort) thinking.value = false;
  }
}

export async function withRetries<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const failure = error instanceof ServiceError ? error.failure : null;
      if (signal.aborted || failure?.kind === "problem" || failure === null) throw error;
      await pause(failure.kind === "busy" ? failure.retryMs : RETRY_MS);
      if (signal.aborted) throw error;
    }
  }
}

const RETRY_MS = 1_500;

// --- hints -----------------------------------------------------------------------------------------------------------

const HINT_MS = 1_000;
const CANDIDATES = 3;

/** The first hint, or the next, clearer one. */
export async function askHint(): Promise<void> {
  const key = currentKey.value;
  const known = hint.value;
  if (key === null || hintAsked.value) return;
  if (known && known.key === key) {
    hint.value = { ...known, step: known.step === 1 ? 2 : 3 };
    return;
  }
  const { node } = here.value;
  await ensure(node);
  hintAsked.value = true;
  const abort = new AbortController();
  try {
    const what = { goal: "all_moves" as const, timeMs: HINT_MS, threads: null };
    let best: string[] = [];
    await withRetries(abort.signal, () =>
      rules.value.analyse(
        rules.value.analysisBody(tree.value, node, what, settings.value),
        (answer) => (best = answer.moves.slice(0, CANDIDATES).map((move) => move.move)),
        abort.signal,
      ),
    );
    if (currentKey.value === key && best.length > 0) hint.value = { key, step: 1, moves: best };
  } catch (error) {
    trouble.value = error instanceof Error ? error.message : String(error);
  } finally {
    hintAsked.value = false;
  }
}

// --- passes ----------------------------------------------------------------------------------------------------------

/** Long enough to read that a side has no move. */
const PASS_AFTER_MS = 1_400;

/** The position whose pass is to be taken without asking. */
const passing = computed(() => {
  const { node, position } = here.value;
  const step = lastStep.value;
  const due = settings.value.autoPass && !enginesTurn.value && position?.status === "must_pass";
  return due && step?.node === node && step.forward ? node : null;
});

effect(() => {
  const node = passing.value;
  if (!node) return;
  const timer = setTimeout(() => here.value.node === node && play("pass"), PASS_AFTER_MS);
  return () => clearTimeout(timer);
});
