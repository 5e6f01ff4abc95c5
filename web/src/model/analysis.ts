// One answer of the engine as the page shows it, the same for both games and for each step of a stream.

import type { components } from "../generated/api";
import type { Score } from "./score";
import type { Where } from "./service";

type Schemas = components["schemas"];

export interface AnalysedMove {
  move: string;
  rank: number;
  score: Score | null;
  loss: number | null;
  line: readonly string[];
  nodes: number | null;
}

export interface Analysis {
  final: boolean;
  bestMove: string | null;
  score: Score | null;
  line: readonly string[];
  moves: readonly AnalysedMove[];
  depth: number;
  /** Percent; `null` for an engine that makes no such claim. */
  confidence: number | null;
  complete: boolean;
  nodes: number;
  nodesPerSecond: number | null;
  elapsedMs: number | null;
  queuedMs: number | null;
  threads: number;
  stopReason: string | null;
  table: { probes: number; hits: number; fillPermille: number } | null;
  cutoffs: Readonly<Record<string, number>> | null;
  evaluation: string;
  where: Where;
}

function othelloScore(score: Schemas["Score"] | null | undefined): Score | null {
  if (!score) return null;
  const value = score.kind === "sign" ? (score.sign ?? null) : (score.discs ?? null);
  return {
    kind: score.kind,
    value,
    moves: null,
    bound: score.bound,
    depth: score.depth,
    confidence: score.selectivity_percent,
    winProbability: score.win_probability ?? null,
    unit: "discs",
  };
}

/** The engine's points mean little to a person; the chance to win that they stand for does. */
function gomokuScore(score: Schemas["GomokuScore"] | null | undefined): Score | null {
  if (!score) return null;
  const chance = score.win_probability ?? null;
  const decided = score.kind === "win_in" || score.kind === "loss_in";
  // A bound has no chance of its own, and a proven draw no number.
  if (!decided && chance === null) return null;
  return {
    kind: score.kind === "win_in" ? "win" : score.kind === "loss_in" ? "loss" : score.kind === "exact" ? "sign" : "estimate",
    value: decided ? null : score.kind === "exact" ? 0 : (chance! - 0.5) * 100,
    moves: score.moves ?? null,
    // "In at most so many moves" is as good as a proof of who wins.
    bound: decided ? "exact" : score.bound,
    depth: score.depth,
    confidence: 100,
    winProbability: chance,
    unit: "chance",
  };
}

/** A Gomoku answer as the page shows it. */
export function gomokuAnalysis(reply: Schemas["GomokuAnalysisReply"], where: Where): Analysis {
  const { search } = reply;
  const best = reply.score?.win_probability ?? null;
  const moves = reply.moves.map((move) => {
    const score = gomokuScore(move.score);
    const loss = best !== null && score?.winProbability != null && score.bound === "exact" ? Math.max(0, (best - score.winProbability) * 100) : null;
    return { move: move.move, rank: move.rank, score, loss, line: move.principal_variation, nodes: move.nodes };
  });
  const cutoffs = search.cutoffs ? Object.fromEntries(Object.entries(search.cutoffs).filter((entry): entry is [string, number] => typeof entry[1] === "number" && entry[0] !== "rate")) : null;
  return {
    final: reply.final,
    bestMove: reply.best_move ?? null,
    score: gomokuScore(reply.score),
    line: reply.principal_variation,
    moves: moves.filter((move) => move.score !== null),
    depth: search.depth,
    confidence: null,
    complete: search.complete,
    nodes: search.nodes,
    nodesPerSecond: search.nodes_per_second ?? null,
    elapsedMs: search.elapsed_ms ?? null,
    queuedMs: search.queued_ms ?? null,
    threads: search.threads,
    stopReason: search.stop_reason ?? null,
    table: { probes: search.table.probes, hits: search.table.hits, fillPermille: search.table.fill_permille },
    cutoffs,
    evaluation: reply.engine.evaluation,
    where,
  };
}

/** An Othello answer as the page shows it. */
export function othelloAnalysis(reply: Schemas["AnalysisReply"], where: Where): Analysis {
  const { search } = reply;
  const cutoffs = search.cutoffs
    ? Object.fromEntries(Object.entries(search.cutoffs).filter((entry): entry is [string, number] => typeof entry[1] === "number" && entry[0] !== "first_move_rate"))
    : null;
  return {
    final: reply.final,
    bestMove: reply.best_move ?? null,
    score: othelloScore(reply.score),
    line: reply.principal_variation,
    moves: reply.moves.map((move) => ({
      move: move.move,
      rank: move.rank,
      score: othelloScore(move.score),
      loss: move.loss ?? null,
      line: move.principal_variation,
      nodes: move.nodes,
    })),
    depth: search.depth,
    confidence: search.selectivity_percent,
    complete: search.complete,
    nodes: search.nodes,
    nodesPerSecond: search.nodes_per_second ?? null,
    elapsedMs: search.elapsed_ms ?? null,
    queuedMs: search.queued_ms ?? null,
    threads: search.threads,
    stopReason: search.stop_reason ?? null,
    table: { probes: search.table.probes, hits: search.table.hits, fillPermille: search.table.fill_permille },
    cutoffs,
    evaluation: reply.engine.evaluation,
    where,
  };
}

/** One row of the search table: what was known when an iteration ended. */
export interface Iteration {
  depth: number;
  confidence: number | null;
  bestMove: string | null;
  score: Score | null;
  nodes: number;
  nodesPerSecond: number | null;
  elapsedMs: number | null;
  tableHits: number | null;
  probes: number | null;
  cutoffs: number | null;
}

/** The table with this answer in it: a step deeper or surer is a new row, the same step replaces its row. */
export function withIteration(rows: readonly Iteration[], answer: Analysis): Iteration[] {
  const row: Iteration = {
    depth: answer.depth,
    confidence: answer.confidence,
    bestMove: answer.bestMove,
    score: answer.score,
    nodes: answer.nodes,
    nodesPerSecond: answer.nodesPerSecond,
    elapsedMs: answer.elapsedMs,
    tableHits: answer.table?.hits ?? null,
    probes: answer.table?.probes ?? null,
    cutoffs: answer.cutoffs ? Object.entries(answer.cutoffs).reduce((sum, [name, count]) => (name === "first_move" || name === "re_searches" ? sum : sum + count), 0) : null,
  };
  const last = rows.at(-1);
  const same = last && last.depth === row.depth && last.confidence === row.confidence;
  return same ? [...rows.slice(0, -1), row] : [...rows, row];
}
