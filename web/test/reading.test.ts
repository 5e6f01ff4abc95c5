import { describe, expect, it } from "vitest";
import { withIteration, type Analysis } from "../src/model/analysis";
import { LineCutter } from "../src/model/lines";
import { defaults, merge } from "../src/model/settings";
import { boardText, count, oriented, squareIndex, squareName } from "../src/model/squares";

describe("a stream cut into lines", () => {
  it("waits for the end of a line, wherever the pieces break", () => {
    const cutter = new LineCutter();
    expect(cutter.push('{"a":')).toEqual([]);
    expect(cutter.push('1}\n{"b":2}\n\n{"c"')).toEqual(['{"a":1}', '{"b":2}']);
    expect(cutter.end()).toEqual(['{"c"']);
    expect(cutter.end()).toEqual([]);
  });
});

describe("the table of iterations", () => {
  const answer = (depth: number, confidence: number, nodes: number) => ({ depth, confidence, nodes, bestMove: "f5", score: null, nodesPerSecond: null, elapsedMs: 1, table: null, cutoffs: { table: 2, beta: 5, first_move: 4, re_searches: 1 } }) as unknown as Analysis;
  it("has one row a step and the newest count in it", () => {
    let rows = withIteration([], answer(4, 73, 10));
    rows = withIteration(rows, answer(4, 73, 20));
    rows = withIteration(rows, answer(4, 87, 30));
    rows = withIteration(rows, answer(5, 73, 40));
    expect(rows.map((row) => [row.depth, row.confidence, row.nodes])).toEqual([[4, 73, 20], [4, 87, 30], [5, 73, 40]]);
    expect(rows[0]!.cutoffs).toBe(7);
  });
});

describe("squares", () => {
  it("are named by column letter and row number from the top", () => {
    expect(squareName(0, 8)).toBe("a1");
    expect(squareName(37, 8)).toBe("f5");
    expect(squareIndex("F5", 8)).toBe(37);
    expect(squareIndex("o15", 15)).toBe(224);
    expect(squareIndex("i1", 8)).toBeNull();
    expect(squareIndex("a0", 8)).toBeNull();
  });
  it("turn with the board", () => {
    expect(oriented(0, 8, true)).toBe(63);
    expect(oriented(oriented(13, 8, true), 8, true)).toBe(13);
  });
  it("make a board that can be read again", () => {
    expect(boardText("X".repeat(3) + "-".repeat(60) + "O", "white").split("\n")[1]).toBe("1 X X X - - - - -");
    expect(count("XX-O", "X")).toBe(2);
  });
});

describe("settings", () => {
  it("follow the browser's language, or fall back to English", () => {
    expect(defaults(["ja-JP", "en"]).language).toBe("ja");
    expect(defaults(["fr", "zh-TW"]).language).toBe("zh");
    expect(defaults(["fr"]).language).toBe("en");
  });
  it("take from the store only what makes sense", () => {
    const base = defaults(["en"]);
    expect(merge(base, null)).toEqual(base);
    expect(merge(base, { theme: "dark", timeMs: 7, threads: -1, language: "xx", autoPass: "no", showValues: false })).toEqual({ ...base, theme: "dark", showValues: false });
  });
});
