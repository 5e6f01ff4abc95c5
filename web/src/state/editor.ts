// A position being set up by hand. Nothing of it counts until it is used.

import { effect, signal } from "@preact/signals";
import type { Side } from "../model/tree";
import { squareIndex } from "../model/squares";
import { begin, here, rules, view } from "./store";

export interface Draft {
  board: string;
  side: Side;
}

export const draft = signal<Draft | null>(null);

/** Opening the panel starts from what is on the board; leaving it drops the draft. */
effect(() => {
  const open = view.value === "setup";
  const position = here.value.position;
  const now = draft.peek();
  if (open && !now && position) draft.value = { board: position.board, side: position.side };
  if (!open && now) draft.value = null;
});

const CYCLE = "-XO";

/** The next content of a square: empty, black, white; or the other way round. */
export function cycle(square: string, backwards: boolean): void {
  const now = draft.value;
  const index = now ? squareIndex(square, rules.value.size) : null;
  if (!now || index === null) return;
  const at = CYCLE.indexOf(now.board[index] ?? "-");
  const next = CYCLE[(at + (backwards ? CYCLE.length - 1 : 1)) % CYCLE.length]!;
  draft.value = { ...now, board: now.board.slice(0, index) + next + now.board.slice(index + 1) };
}

export function swapColors(board: string): string {
  return [...board].map((cell) => (cell === "X" ? "O" : cell === "O" ? "X" : cell)).join("");
}

export function mirrored(board: string, size: number): string {
  return Array.from({ length: size }, (_, row) => [...board.slice(row * size, (row + 1) * size)].reverse().join("")).join("");
}

/** Puts the draft on the board as the start of a new game. */
export function useDraft(): void {
  const now = draft.value;
  if (!now) return;
  const standard = now.board === rules.value.startBoard && now.side === "black";
  view.value = "moves";
  begin(standard ? { kind: "standard" } : { kind: "board", board: now.board, side: now.side }, []);
}
