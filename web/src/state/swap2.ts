// A swap2 opening on the board: the person's part waits for clicks, the engine's is asked from the service. When a colour is
// taken, the match begins.

import { computed, effect, signal, untracked } from "@preact/signals";
import { type Schemas, ask } from "../model/service";
import { type Actor, type Due, due } from "../model/swap2";
import { type GameTree, type Side, plyOf } from "../model/tree";
import { endMatch, failed, match, opening, startMatch, withRetries } from "./opponent";
import { begin, game, here, legalKnown, play, rule, rules, tree } from "./store";

type Choice = Schemas["Swap2Choice"];

/** Whether the engine is asked at this moment. */
export const deciding = signal(false);

/** What the opening waits for; `null` without one. */
export const next = computed<Due | null>(() => {
  const now = opening.value;
  return now && now.tree === tree.value && game.value === "gomoku" ? due(now.layer, now.adding, plyOf(here.value.node)) : null;
});

/** Begins an opening; the match at this level follows it. */
export function startOpening(layer: Actor, level: number): void {
  match.value = null;
  begin({ kind: "standard" }, []);
  opening.value = { layer, level, adding: false, tree: tree.value };
}

/** The one who is to choose takes a colour, or adds two stones. */
export function choose(who: Actor, choice: Choice): void {
  const now = opening.value;
  if (!now) return;
  if (choice === "place_two") {
    opening.value = { ...now, adding: true };
    return;
  }
  const taken: Side = choice === "take_black" ? "black" : "white";
  const rest: Side = taken === "black" ? "white" : "black";
  opening.value = null;
  startMatch(who === "you" ? taken : rest, now.level, "here");
}

/** Another game on the board ends the opening. */
effect(() => {
  const owner: GameTree | undefined = opening.value?.tree;
  if (owner && owner !== tree.value) untracked(endMatch);
});

let asked: AbortController | null = null;

effect(() => {
  const now = next.value;
  const known = legalKnown.value && here.value.node.children.length === 0;
  untracked(() => {
    // Stones that the engine is laying come one after the other; only its first one is a reason to ask.
    if (deciding.value && now?.who === "engine") return;
    asked?.abort();
    asked = null;
    if (now?.who === "engine" && known) void decide(now);
  });
});

async function decide(now: Due): Promise<void> {
  const abort = new AbortController();
  asked = abort;
  deciding.value = true;
  try {
    const body = rules.value.question(tree.value, here.value.node);
    const reply = await withRetries(abort.signal, () => ask<Schemas["Swap2Reply"]>("/v1/gomoku/swap2", { ...body, rule: rule.value }, abort.signal));
    if (abort.signal.aborted) return;
    if (now.what === "choose") choose("engine", reply.choice);
    for (const stone of reply.stones) {
      if (abort.signal.aborted || !(await laid(stone))) return;
    }
  } catch (error) {
    if (!abort.signal.aborted) failed(error);
  } finally {
    if (asked === abort) asked = null;
    deciding.value = false;
  }
}

/** Lays one stone of the opening as soon as the rules for it are known. */
async function laid(stone: string): Promise<boolean> {
  const owner = tree.value;
  await new Promise<void>((resolve) => {
    const stop = effect(() => {
      if (legalKnown.value || tree.value !== owner) queueMicrotask(() => (stop(), resolve()));
    });
  });
  return tree.value === owner && play(stone);
}
