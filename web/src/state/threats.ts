// Gomoku: whether a side can win by fours from here, asked for both sides whenever another position is shown.

import { effect, signal, untracked } from "@preact/signals";
import { type Schemas, ask } from "../model/service";
import type { Side } from "../model/tree";
import { hidden } from "./opponent";
import { currentKey, game, here, legalKnown, pause, rule } from "./store";

export interface Threat {
  side: Side;
  /** The attacker's first move to the five, with the answers between. */
  line: readonly string[];
  /** Moves of the attacker up to the five. */
  moves: number;
}

/** Proven wins by fours in the shown position; `key` says which position that is. */
export const threats = signal<{ key: string; found: readonly Threat[] } | null>(null);

const SETTLE_MS = 200;
const LIMITS = { nodes: 50_000, time_ms: 1_500 };

effect(() => {
  const key = currentKey.value;
  const asks = game.value === "gomoku" && legalKnown.value && !hidden.value;
  if (key === null || !asks) return;
  const abort = new AbortController();
  untracked(() => void look(key, abort.signal));
  return () => abort.abort();
});

async function look(key: string, signal: AbortSignal): Promise<void> {
  await pause(SETTLE_MS);
  const position = here.value.position;
  if (signal.aborted || !position || position.status !== "in_progress") return;
  const size = Math.round(Math.sqrt(position.board.length));
  const rows = (position.board.match(new RegExp(`.{${size}}`, "g")) ?? []).map((row) => row.replaceAll("-", "."));
  const found: Threat[] = [];
  for (const side of ["black", "white"] as const) {
    try {
      const body = { board: rows, side_to_move: side, rule: rule.value, kind: "vcf", limits: LIMITS };
      const reply = await ask<Schemas["ThreatsReply"]>("/v1/gomoku/threats", body, signal);
      const line = reply.winning_line ?? [];
      if (reply.status === "win" && line.length > 0) found.push({ side, line, moves: reply.attacker_moves ?? Math.ceil(line.length / 2) });
    } catch {
      // Marks are a help; without an answer there are none.
    }
    if (signal.aborted) return;
  }
  threats.value = { key, found };
}
