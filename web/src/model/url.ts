// A position and a game are a link: what is on the board, as query parameters.

import type { Side, Start } from "./tree";

export type Game = "othello" | "gomoku";
export type GomokuRule = "freestyle" | "standard" | "renju";

export interface LinkState {
  game: Game;
  rule: GomokuRule;
  start: Start;
  moves: string[];
  /** Which position of the line is shown, counted in moves from its start. */
  ply: number;
  flipped: boolean;
  /** The panel that is open. */
  view: string | null;
}

const RULES: readonly GomokuRule[] = ["freestyle", "standard", "renju"];

/** Moves without separators: `f5d6`, a pass as `--`. */
export function joinMoves(moves: readonly string[]): string {
  return moves.map((move) => (move === "pass" ? "--" : move)).join("");
}

/** The moves of a link; what follows the first thing that is no move is left out. */
export function splitMoves(text: string): string[] {
  const moves: string[] = [];
  const pattern = /\s*(--|[a-t]\d{1,2})/iy;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    moves.push(match[1] === "--" ? "pass" : match[1]!.toLowerCase());
  }
  return moves;
}

export function toQuery(state: LinkState): string {
  const query = new URLSearchParams();
  if (state.game !== "othello") {
    query.set("game", state.game);
    query.set("rule", state.rule);
  }
  if (state.start.kind === "board") {
    query.set("board", state.start.board);
    query.set("side", state.start.side);
  }
  if (state.moves.length > 0) query.set("moves", joinMoves(state.moves));
  if (state.ply < state.moves.length) query.set("ply", String(state.ply));
  if (state.flipped) query.set("flip", "1");
  if (state.view) query.set("view", state.view);
  const text = query.toString();
  return text === "" ? "" : `?${text}`;
}

export function fromQuery(text: string): LinkState {
  const query = new URLSearchParams(text);
  const moves = splitMoves(query.get("moves") ?? "");
  const board = query.get("board");
  const side: Side = query.get("side") === "white" ? "white" : "black";
  const ply = Number.parseInt(query.get("ply") ?? "", 10);
  const rule = RULES.find((known) => known === query.get("rule")) ?? "freestyle";
  return {
    game: query.get("game") === "gomoku" ? "gomoku" : "othello",
    rule,
    start: board ? { kind: "board", board, side } : { kind: "standard" },
    moves,
    ply: Number.isFinite(ply) ? Math.max(0, Math.min(moves.length, ply)) : moves.length,
    flipped: query.get("flip") === "1",
    view: query.get("view"),
  };
}
