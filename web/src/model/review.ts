// What each move of a game cost, from values of the positions before and after it.

import { type Score, blackView, isProven } from "./score";
import type { Side } from "./tree";

/** One position of a game with its value, as far as it is known. */
export interface Valued {
  side: Side;
  score: Score | null;
  /** The move that led here; `null` for the first. */
  move: string | null;
  /** Who made it. */
  mover: Side | null;
}

export interface ReviewPoint {
  ply: number;
  move: string | null;
  mover: Side | null;
  /** As Black sees it; `null` while unknown. */
  value: number | null;
  exact: boolean;
  /** What the move that led here cost its mover, in discs, never below 0; `null` while unknown or for a pass. */
  loss: number | null;
}

/** Values and losses along a line. A loss is known where both neighbours have one and neither is a mere bound. */
export function review(line: readonly Valued[]): ReviewPoint[] {
  return line.map((at, ply) => {
    const usable = at.score !== null && at.score.bound === "exact" ? at.score : null;
    const value = usable ? blackView(usable, at.side) : null;
    const before = line[ply - 1];
    const beforeScore = before?.score && before.score.bound === "exact" ? before.score : null;
    let loss: number | null = null;
    if (value !== null && before && beforeScore && at.mover && at.move !== "pass") {
      const gained = value - blackView(beforeScore, before.side);
      loss = Math.max(0, at.mover === "black" ? -gained : gained);
    }
    return { ply, move: at.move, mover: at.mover, value, exact: usable !== null && isProven(usable), loss };
  });
}

/** Total loss of each side over the moves whose loss is known, and how many those are. */
export function totals(points: readonly ReviewPoint[]): Record<Side, { loss: number; moves: number }> {
  const sum = { black: { loss: 0, moves: 0 }, white: { loss: 0, moves: 0 } };
  for (const point of points) {
    if (point.loss === null || !point.mover) continue;
    sum[point.mover].loss += point.loss;
    sum[point.mover].moves += 1;
  }
  return sum;
}
