// The two games behind one face: how each is asked about a position, and how its answers become what the page shows.

import { type Analysis, gomokuAnalysis, othelloAnalysis } from "./analysis";
import { type Schemas, ask, askStream } from "./service";
import { joinMoves, type Game, type GomokuRule } from "./url";
import { type GameTree, type LegalMove, type Node, type PositionInfo, type Start, movesTo } from "./tree";
import type { Settings } from "./settings";

/** A game or position as the service read it from a text. */
export interface ReadGame {
  start: Start;
  moves: string[];
  /** The form that the service saw, by its name. */
  format: string;
  assumed: string[];
}

/** How much to ask for, besides the position. */
export interface Ask {
  goal: "all_moves" | "best_move";
  timeMs: number;
  threads: number | null;
  level?: { level: number; seed: number };
  batch?: boolean;
  cutoffs?: boolean;
}

export interface GameRules {
  readonly game: Game;
  readonly size: number;
  /** The position as the service wants it, for a node of this tree. */
  question(tree: GameTree, node: Node): Record<string, unknown>;
  position(tree: GameTree, node: Node, signal?: AbortSignal): Promise<PositionInfo>;
  read(text: string): Promise<ReadGame>;
  analysisBody(tree: GameTree, node: Node, what: Ask, settings: Settings): Record<string, unknown>;
  analyse(body: Record<string, unknown>, onAnswer: (answer: Analysis) => void, signal: AbortSignal): Promise<void>;
  /** The board before the first move. */
  readonly startBoard: string;
  /** Path and parameters of the picture of a position. */
  picture(tree: GameTree, node: Node): { path: string; query: URLSearchParams };
}

/** Only what differs from the service's defaults. */
function asked(what: Ask, settings: Settings): Record<string, unknown> {
  const body: Record<string, unknown> = { goal: what.goal };
  if (what.level) {
    body["level"] = what.level.level;
    body["seed"] = what.level.seed;
  } else {
    body["limits"] = { time_ms: what.timeMs };
  }
  if (what.threads !== null) body["threads"] = what.threads;
  if (what.batch) body["class"] = "batch";
  if (what.cutoffs) body["include"] = ["cutoffs"];
  if (settings.empties !== "winner") body["empties"] = settings.empties;
  return body;
}

type OthelloPosition = Schemas["LegalMovesReply"];

function othelloPosition(reply: OthelloPosition): PositionInfo {
  const legal = new Map<string, LegalMove>();
  for (const move of reply.moves) {
    legal.set(move.move, { boardAfter: move.board_after, sideAfter: move.side_after, flips: move.flips });
  }
  return {
    board: reply.position.board,
    side: reply.position.side_to_move,
    status: reply.status,
    legal,
    opening: reply.position.opening?.name ?? null,
    result: reply.result ? { winner: reply.result.winner, margin: reply.result.margin } : null,
  };
}

export const OTHELLO: GameRules = {
  game: "othello",
  size: 8,
  startBoard: "---------------------------OX------XO---------------------------",

  question(tree, node) {
    const moves = joinMoves(movesTo(node));
    if (tree.start.kind === "standard") return { moves };
    const board = { board: tree.start.board, side_to_move: tree.start.side };
    return moves === "" ? board : { ...board, moves };
  },

  async position(tree, node, signal) {
    return othelloPosition(await ask<OthelloPosition>("/v1/othello/legal-moves", this.question(tree, node), signal));
  },

  async read(text) {
    const reply = await ask<Schemas["PlayReply"]>("/v1/othello/play", { text });
    const fromStart = reply.position.format === "transcript";
    return {
      start: fromStart
        ? { kind: "standard" }
        : { kind: "board", board: reply.position.board, side: reply.position.side_to_move },
      moves: fromStart ? reply.played : [],
      format: reply.position.format,
      assumed: reply.assumed.map((assumption) => assumption.message),
    };
  },

  analysisBody(tree, node, what, settings) {
    return { ...this.question(tree, node), ...asked(what, settings) };
  },

  async analyse(body, onAnswer, signal) {
    await askStream<Schemas["AnalysisReply"]>("/v1/othello/analysis", body, (reply, where) => onAnswer(othelloAnalysis(reply, where)), signal);
  },

  picture(tree, node) {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(this.question(tree, node))) query.set(name, String(value));
    return { path: "/v1/othello/board.svg", query };
  },
};

const GOMOKU_SIZE = 15;
/** Points that get a value of their own. */
const GOMOKU_VALUED = 8;

function gomokuPosition(reply: Schemas["GomokuLegalMovesReply"]): PositionInfo {
  const board = reply.position.board.join("").replaceAll(".", "-");
  const side = reply.position.side_to_move;
  const legal = new Map<string, LegalMove>();
  for (const move of reply.moves) {
    const at = move.row * GOMOKU_SIZE + move.col;
    legal.set(move.move, {
      boardAfter: board.slice(0, at) + (side === "black" ? "X" : "O") + board.slice(at + 1),
      sideAfter: side === "black" ? "white" : "black",
      flips: [],
    });
  }
  return {
    board,
    side,
    status: reply.status,
    legal,
    opening: null,
    result: reply.result ? { winner: reply.result.winner, margin: null } : null,
    forbidden: new Map(reply.forbidden.map((point) => [point.move, point.reason])),
    winningLine: reply.result?.row ?? [],
  };
}

function gomoku(rule: GomokuRule): GameRules {
  return {
    game: "gomoku",
    size: GOMOKU_SIZE,
    startBoard: "-".repeat(GOMOKU_SIZE * GOMOKU_SIZE),

    question(tree, node) {
      const moves = movesTo(node).join("");
      if (tree.start.kind === "standard") return { moves, rule, size: GOMOKU_SIZE };
      const rows = tree.start.board.match(new RegExp(`.{${GOMOKU_SIZE}}`, "g")) ?? [];
      const board = { board: rows.map((row) => row.replaceAll("-", ".")), side_to_move: tree.start.side, rule };
      return moves === "" ? board : { ...board, moves };
    },

    async position(tree, node, signal) {
      return gomokuPosition(await ask<Schemas["GomokuLegalMovesReply"]>("/v1/gomoku/legal-moves", this.question(tree, node), signal));
    },

    async read(text) {
      const reply = await ask<Schemas["GomokuPlayReply"]>("/v1/gomoku/play", { text, rule });
      const board = reply.position.board.join("").replaceAll(".", "-");
      const fromStart = reply.position.size === GOMOKU_SIZE && reply.played.length === reply.position.stones.black + reply.position.stones.white;
      return {
        start: fromStart ? { kind: "standard" } : { kind: "board", board, side: reply.position.side_to_move },
        moves: fromStart ? reply.played : [],
        format: reply.position.format,
        assumed: reply.assumed.map((assumption) => assumption.message),
      };
    },

    analysisBody(tree, node, what, _settings) {
      const body: Record<string, unknown> = { ...this.question(tree, node), goal: what.goal === "best_move" ? "best_move" : "top_n" };
      if (what.goal === "all_moves") body["count"] = GOMOKU_VALUED;
      if (what.level) Object.assign(body, what.level);
      else body["limits"] = { time_ms: what.timeMs };
      if (what.threads !== null) body["threads"] = what.threads;
      if (what.batch) body["class"] = "batch";
      if (what.cutoffs) body["include"] = ["cutoffs"];
      return body;
    },

    async analyse(body, onAnswer, signal) {
      await askStream<Schemas["GomokuAnalysisReply"]>("/v1/gomoku/analysis", body, (reply, where) => onAnswer(gomokuAnalysis(reply, where)), signal);
    },

    picture(tree, node) {
      const query = new URLSearchParams({ rule });
      const question = this.question(tree, node);
      for (const [name, value] of Object.entries(question)) query.set(name, Array.isArray(value) ? value.join("") : String(value));
      return { path: "/v1/gomoku/board.svg", query };
    },
  };
}

const GOMOKU: Readonly<Record<GomokuRule, GameRules>> = { freestyle: gomoku("freestyle"), standard: gomoku("standard"), renju: gomoku("renju") };

export function rulesOf(game: Game, rule: GomokuRule): GameRules {
  return game === "gomoku" ? GOMOKU[rule] : OTHELLO;
}
