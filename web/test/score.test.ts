import { describe, expect, it } from "vitest";
import { type Score, balance, blackView, compact, duration, isProven, shortScore, signed, verdict } from "../src/model/score";

const score = (part: Partial<Score>): Score => ({ kind: "estimate", value: 0, moves: null, bound: "exact", depth: 10, confidence: 73, winProbability: null, unit: "discs", ...part });

describe("short scores", () => {
  it("writes estimates with one decimal while small, exact values whole", () => {
    expect(shortScore(score({ value: -0.41 }))).toBe("−0.4");
    expect(shortScore(score({ value: 12.4 }))).toBe("+12");
    expect(shortScore(score({ kind: "exact", value: 4 }))).toBe("+4");
  });
  it("marks bounds, and never writes a signed zero", () => {
    expect(shortScore(score({ kind: "exact", value: -6, bound: "upper" }))).toBe("≤−6");
    expect(shortScore(score({ value: 3, bound: "lower" }))).toBe("≥+3.0");
    expect(shortScore(score({ value: -0.04 }))).toBe("0.0");
    expect(signed(-0.2, 0)).toBe("0");
  });
  it("writes wins and signs as letters", () => {
    expect(shortScore(score({ kind: "win", value: null, moves: 3 }))).toBe("W3");
    expect(shortScore(score({ kind: "loss", value: null, moves: 5 }))).toBe("L5");
    expect(shortScore(score({ kind: "sign", value: 0 }))).toBe("=");
  });
  it("writes chances as percent", () => {
    expect(shortScore(score({ value: 6.2, unit: "chance" }))).toBe("56%");
  });
});

describe("what a value means", () => {
  it("is proven only as an exact bound of a proven kind", () => {
    expect(isProven(score({ kind: "exact", value: 2 }))).toBe(true);
    expect(isProven(score({ kind: "exact", value: 2, bound: "lower" }))).toBe(false);
    expect(isProven(score({ value: 2 }))).toBe(false);
  });
  it("turns with the side to move", () => {
    expect(blackView(score({ value: 5 }), "white")).toBe(-5);
    expect(blackView(score({ kind: "loss", value: null, moves: 4 }), "white")).toBe(64);
    expect(blackView(score({ kind: "win", value: null, moves: 4, unit: "chance" }), "black")).toBe(50);
  });
  it("keeps the bar between its ends and even in the middle", () => {
    expect(balance(0)).toBeCloseTo(0.5);
    expect(balance(64)).toBeGreaterThan(0.9);
    expect(balance(64)).toBeLessThan(1);
    expect(balance(-10) + balance(10)).toBeCloseTo(1);
  });
  it("calls losses by their size", () => {
    expect([0, 0.9, 1, 4, 10].map(verdict)).toEqual(["best", "best", "slip", "mistake", "blunder"]);
  });
});

describe("numbers for people", () => {
  it("shortens counts", () => {
    expect([0, 950, 12_345, 999_960, 4_000_000, 1_250_000_000].map(compact)).toEqual(["0", "950", "12.3 k", "1.0 M", "4.0 M", "1.3 G"]);
  });
  it("says times as people do", () => {
    expect([85, 1_234, 48_000].map(duration)).toEqual(["85 ms", "1.2 s", "48 s"]);
  });
});
