// An analysis whose root moves are shared out over several engines, put together again. Values are only set side by side when
// every engine has searched its moves equally deep and equally surely; the deepest such step is the answer.

import type { components } from "../generated/api";

type Reply = components["schemas"]["AnalysisReply"];
type Move = Reply["moves"][number];

/** Deals moves out in turn, so that neighbours in the list, which often are alike, go to different engines. */
export function deal<T>(moves: readonly T[], engines: number): T[][] {
  const hands: T[][] = Array.from({ length: Math.max(1, Math.min(engines, moves.length)) }, () => []);
  moves.forEach((move, index) => hands[index % hands.length]!.push(move));
  return hands;
}

/** Names a step of the iteration: the same for all engines. */
const stepOf = ({ search }: Reply) => `${search.depth} ${search.selectivity_percent}`;

export class Parts {
  /** The steps that each engine has taken, in order; of equal steps the last. */
  private readonly steps: Map<string, Reply>[];
  private readonly latest: (Reply | null)[];

  constructor(count: number) {
    this.steps = Array.from({ length: count }, () => new Map());
    this.latest = Array.from({ length: count }, () => null);
  }

  /** Takes in what one engine says; the whole answer as of now, or `null` while some engine has not said anything. */
  take(part: number, reply: Reply): Reply | null {
    this.latest[part] = reply;
    const steps = this.steps[part]!;
    steps.delete(stepOf(reply));
    steps.set(stepOf(reply), reply);
    return this.together();
  }

  private together(): Reply | null {
    const latest = this.latest.filter((reply) => reply !== null);
    if (latest.length < this.latest.length) return null;
    const common = [...this.steps[0]!.keys()].reverse().find((step) => this.steps.every((steps) => steps.has(step)));
    if (common === undefined) return null;
    const parts = this.steps.map((steps) => steps.get(common)!);
    const moves = ranked(parts.flatMap((part) => part.moves));
    const final = latest.every((reply) => reply.final);
    const best = moves[0];
    return {
      ...parts[0]!,
      final,
      best_move: best?.move ?? null,
      score: best?.score ?? null,
      principal_variation: best?.principal_variation ?? [],
      moves,
      search: { ...added(latest), depth: parts[0]!.search.depth, selectivity_percent: parts[0]!.search.selectivity_percent, stop_reason: final ? reason(latest) : null },
    };
  }
}

/** Best first, equal values by square, with what each loses against the best. */
function ranked(moves: readonly Move[]): Move[] {
  const sorted = [...moves].sort((a, b) => worth(b) - worth(a) || place(a.move) - place(b.move));
  const best = sorted[0]?.score;
  return sorted.map((move, index) => {
    const { score } = move;
    const comparable = best?.bound === "exact" && score?.bound === "exact" && best.kind === score.kind && best.discs != null && score.discs != null;
    return { ...move, rank: index + 1, loss: comparable ? Math.round((best.discs! - score.discs!) * 100) / 100 : null };
  });
}

/** A move without a value comes after all others. */
function worth({ score }: Move): number {
  return score?.discs ?? (score?.sign == null ? -Infinity : score.sign * 64);
}

/** The order of squares on the board, row by row; a pass stands alone. */
function place(name: string): number {
  return name === "pass" ? 0 : (Number(name.slice(1)) - 1) * 8 + name.charCodeAt(0) - 97;
}

/** Why all have ended: one that ran out of time decides. */
function reason(replies: readonly Reply[]): Reply["search"]["stop_reason"] {
  const reasons = replies.map((reply) => reply.search.stop_reason);
  return reasons.find((one) => one === "time") ?? reasons[0] ?? null;
}

/** What all engines did together. */
function added(replies: readonly Reply[]): Reply["search"] {
  const searches = replies.map((reply) => reply.search);
  const sum = (pick: (search: Reply["search"]) => number) => searches.reduce((total, search) => total + pick(search), 0);
  const elapsed = Math.max(...searches.map((search) => search.elapsed_ms ?? 0));
  const nodes = sum((search) => search.nodes);
  const first = searches[0]!;
  return {
    ...first,
    complete: searches.every((search) => search.complete),
    nodes,
    nodes_per_second: Math.round((nodes * 1000) / Math.max(1, elapsed)),
    elapsed_ms: elapsed,
    threads: replies.length,
    table: {
      probes: sum((search) => search.table.probes),
      hits: sum((search) => search.table.hits),
      stores: sum((search) => search.table.stores),
      fill_permille: Math.max(...searches.map((search) => search.table.fill_permille)),
    },
    ...(first.cutoffs ? { cutoffs: cutoffs(searches.flatMap((search) => (search.cutoffs ? [search.cutoffs] : []))) } : {}),
  };
}

type Cutoffs = NonNullable<Reply["search"]["cutoffs"]>;

function cutoffs(all: readonly Cutoffs[]): Cutoffs {
  const sum = (pick: (one: Cutoffs) => number) => all.reduce((total, one) => total + pick(one), 0);
  const [beta, first] = [sum((one) => one.beta), sum((one) => one.first_move)];
  return {
    table: sum((one) => one.table),
    stability: sum((one) => one.stability),
    probcut: sum((one) => one.probcut),
    enhanced_table: sum((one) => one.enhanced_table),
    beta,
    first_move: first,
    first_move_rate: beta > 0 ? first / beta : null,
    re_searches: sum((one) => one.re_searches),
  };
}
