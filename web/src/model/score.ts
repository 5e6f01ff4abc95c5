// Values as people read them. A value never loses its kind: exact and estimated ones look different in every language.

import type { Side } from "./tree";

export type ScoreKind = "exact" | "estimate" | "sign" | "win" | "loss";

/** One value, of either game, for the side to move. */
export interface Score {
  kind: ScoreKind;
  /** Discs or the engine's points; a sign is -1, 0 or 1. `null` for a proven win or loss in a number of moves. */
  value: number | null;
  /** The winner's own moves up to the five, for `win` and `loss`. */
  moves: number | null;
  bound: "exact" | "lower" | "upper";
  depth: number;
  /** Percent. */
  confidence: number;
  /** 0 to 1; `null` where it is not known. */
  winProbability: number | null;
  /** What `value` counts: discs, or percent points of the chance to win above one half. */
  unit: "discs" | "chance";
}

/** Where no number can be drawn, a proven win counts as the most that its unit has. */
const WON = { discs: 64, chance: 50 } as const;

/** Whether the value is proven and no mere bound. */
export function isProven(score: Score): boolean {
  return score.kind !== "estimate" && score.bound === "exact";
}

/** The number to compare and draw, for the side to move. */
export function magnitude(score: Score): number {
  switch (score.kind) {
    case "win":
      return WON[score.unit];
    case "loss":
      return -WON[score.unit];
    case "sign":
      return (score.value ?? 0) * WON[score.unit];
    default:
      return score.value ?? 0;
  }
}

const MINUS = "\u2212";

/** A signed number: whole when `digits` is 0. Nothing is ever "-0". */
export function signed(value: number, digits: number): string {
  const text = Math.abs(value).toFixed(digits);
  if (Number(text) === 0) return text;
  return (value < 0 ? MINUS : "+") + text;
}

/** A value in a few characters: `+4`, `−0.4`, `≥+2`, `W3` for a win in three, `56%` for a chance. */
export function shortScore(score: Score): string {
  const bound = score.bound === "lower" ? "≥" : score.bound === "upper" ? "≤" : "";
  switch (score.kind) {
    case "win":
      return score.moves === null ? "W" : `W${score.moves}`;
    case "loss":
      return score.moves === null ? "L" : `L${score.moves}`;
    case "sign":
      return bound + (score.value === null ? "" : score.value > 0 ? "W" : score.value < 0 ? "L" : "=");
    case "exact":
      return bound + signed(score.value ?? 0, 0);
    case "estimate": {
      const value = score.value ?? 0;
      if (score.unit === "chance") return `${bound}${Math.round(50 + value)}%`;
      return bound + signed(value, Math.abs(value) < 9.95 ? 1 : 0);
    }
  }
}

/** The value as Black sees it. */
export function blackView(score: Score, side: Side): number {
  return side === "black" ? magnitude(score) : -magnitude(score);
}

/** How much of the balance bar is Black's, 0 to 1. Small leads show; great ones still differ. */
export function balance(black: number): number {
  return 0.5 + Math.atan(black / 10) / Math.PI;
}

/** A count in at most four figures: `950`, `12.3 k`, `4.0 M`, `1.2 G`. */
export function compact(count: number): string {
  const units = ["", " k", " M", " G", " T"];
  let value = count;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return (unit === 0 ? String(Math.round(value)) : value.toFixed(value < 99.95 ? 1 : 0)) + units[unit];
}

/** Milliseconds as people say them: `85 ms`, `1.2 s`, `48 s`. */
export function duration(milliseconds: number): string {
  if (milliseconds < 995) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1000;
  return `${seconds.toFixed(seconds < 9.95 ? 1 : 0)} s`;
}

/** How bad a loss in discs, or in percent points of the chance to win, is. */
export type Verdict = "best" | "slip" | "mistake" | "blunder";

/** From this many discs on a move is called a slip, a mistake, a blunder: about half a disc is what an estimate may err by. */
const SLIP = 1;
const MISTAKE = 4;
const BLUNDER = 10;

export function verdict(loss: number): Verdict {
  if (loss >= BLUNDER) return "blunder";
  if (loss >= MISTAKE) return "mistake";
  return loss >= SLIP ? "slip" : "best";
}
