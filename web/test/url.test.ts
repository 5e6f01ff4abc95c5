import { describe, expect, it } from "vitest";
import { fromQuery, joinMoves, splitMoves, toQuery, type LinkState } from "../src/model/url";

const state: LinkState = { game: "othello", rule: "freestyle", start: { kind: "standard" }, moves: ["f5", "d6", "pass", "c3"], ply: 2, flipped: true, view: "graph" };

describe("links", () => {
  it("carry a game, the position shown and the open panel there and back", () => {
    expect(fromQuery(toQuery(state))).toEqual(state);
  });
  it("carry a set-up position and the other game", () => {
    const other: LinkState = { ...state, game: "gomoku", rule: "renju", start: { kind: "board", board: "X".repeat(225), side: "white" }, moves: ["h8", "i10"], ply: 2, flipped: false, view: null };
    expect(fromQuery(toQuery(other))).toEqual(other);
  });
  it("of the start are empty", () => {
    expect(toQuery({ ...state, moves: [], ply: 0, flipped: false, view: null })).toBe("");
  });
  it("with nonsense in them still open", () => {
    expect(fromQuery("?ply=-4&moves=f5zz&game=chess&rule=x")).toMatchObject({ game: "othello", rule: "freestyle", moves: ["f5"], ply: 0 });
    expect(fromQuery("?moves=f5d6&ply=99").ply).toBe(2);
  });
});

describe("moves without separators", () => {
  it("are cut where a move ends", () => {
    expect(splitMoves("h8i10J3")).toEqual(["h8", "i10", "j3"]);
    expect(splitMoves("f5 d6 -- c3")).toEqual(["f5", "d6", "pass", "c3"]);
    expect(joinMoves(["f5", "pass", "c3"])).toBe("f5--c3");
  });
});
