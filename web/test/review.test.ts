import { describe, expect, it } from "vitest";
import type { Score } from "../src/model/score";
import { review, totals, type Valued } from "../src/model/review";

const score = (value: number, part: Partial<Score> = {}): Score => ({ kind: "estimate", value, moves: null, bound: "exact", depth: 10, confidence: 73, winProbability: null, unit: "discs", ...part });
const at = (side: "black" | "white", value: Score | null, move: string | null = null, mover: "black" | "white" | null = null): Valued => ({ side, score: value, move, mover });

describe("a review", () => {
  it("charges the mover with what the value fell by", () => {
    // Black stood at +2, plays, and White to move is now at +3: Black has lost five discs.
    const points = review([at("black", score(2)), at("white", score(3), "f5", "black"), at("black", score(-3), "d6", "white")]);
    expect(points.map((point) => point.value)).toEqual([2, -3, -3]);
    expect(points.map((point) => point.loss)).toEqual([null, 5, 0]);
  });
  it("never calls a gain a loss, nor a pass a mistake", () => {
    const points = review([at("white", score(-4)), at("black", score(6), "c3", "white"), at("white", score(1), "pass", "black")]);
    expect(points[1]!.loss).toBe(2);
    expect(points[2]!.loss).toBeNull();
  });
  it("knows no loss beside an unknown value or a bound", () => {
    const points = review([at("black", null), at("white", score(0), "f5", "black"), at("black", score(5, { bound: "lower" }), "d6", "white")]);
    expect(points.map((point) => point.loss)).toEqual([null, null, null]);
    expect(points[2]!.value).toBeNull();
  });
  it("says which values are proven", () => {
    const points = review([at("black", score(2, { kind: "exact" })), at("white", score(-2), "f5", "black")]);
    expect(points.map((point) => point.exact)).toEqual([true, false]);
  });
  it("adds up each side's losses", () => {
    const points = review([at("black", score(0)), at("white", score(2), "f5", "black"), at("black", score(1), "d6", "white")]);
    expect(totals(points)).toEqual({ black: { loss: 2, moves: 1 }, white: { loss: 3, moves: 1 } });
  });
});
