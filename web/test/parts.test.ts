import { describe, expect, it } from "vitest";
import { Parts, deal } from "../src/engine/parts";

type Reply = NonNullable<ReturnType<Parts["take"]>>;

/** What one engine says of its moves, each with its value in discs, after searching them to a depth. */
function said(depth: number, values: Record<string, number>, { final = false, stop = "depth" as const, nodes = 10 } = {}): Reply {
  const moves = Object.entries(values).map(([move, discs], index) => ({
    move,
    rank: index + 1,
    score: { kind: "estimate" as const, discs, sign: null, bound: "exact" as const, win_probability: 0.5, depth, selectivity_percent: 100 },
    loss: null,
    principal_variation: [move],
    nodes,
  }));
  return {
    final,
    moves,
    search: {
      depth, selectivity_percent: 100, complete: final, nodes, elapsed_ms: depth * 10, threads: 1, stop_reason: final ? stop : null,
      table: { probes: 1, hits: 1, stores: 1, fill_permille: depth },
    },
  } as unknown as Reply;
}

describe("root moves shared out over engines", () => {
  it("are dealt in turn, to no more engines than there are moves", () => {
    expect(deal(["a1", "b1", "c1", "d1", "e1"], 2)).toEqual([["a1", "c1", "e1"], ["b1", "d1"]]);
    expect(deal(["a1", "b1"], 8)).toEqual([["a1"], ["b1"]]);
    expect(deal([], 3)).toEqual([[]]);
  });

  it("make no answer until every engine has one", () => {
    const parts = new Parts(2);
    expect(parts.take(0, said(1, { c4: 1 }))).toBeNull();
    expect(parts.take(1, said(1, { d3: 2 }))?.moves.map((move) => move.move)).toEqual(["d3", "c4"]);
  });

  it("are set side by side at the depth that all have reached, whoever is ahead", () => {
    const parts = new Parts(2);
    parts.take(0, said(1, { c4: 1 }));
    parts.take(0, said(2, { c4: 9 }));
    const first = parts.take(1, said(1, { d3: 2 }))!;
    expect([first.search.depth, first.best_move, first.score?.discs]).toEqual([1, "d3", 2]);
    const second = parts.take(1, said(2, { d3: 3 }))!;
    expect([second.search.depth, second.best_move, second.score?.discs]).toEqual([2, "c4", 9]);
  });

  it("rank equal values by square and tell what each loses", () => {
    const parts = new Parts(2);
    parts.take(0, said(4, { f6: 0.5, d3: -1.25 }));
    const whole = parts.take(1, said(4, { c4: 0.5 }))!;
    expect(whole.moves.map(({ move, rank, loss }) => [move, rank, loss])).toEqual([["c4", 1, 0], ["f6", 2, 0], ["d3", 3, 1.75]]);
  });

  it("end when all have ended, for want of time if one has, with everything added up", () => {
    const parts = new Parts(2);
    parts.take(0, said(3, { c4: 1 }, { nodes: 100 }));
    expect(parts.take(1, said(3, { d3: 2 }, { final: true, nodes: 50 }))?.final).toBe(false);
    const last = parts.take(0, said(3, { c4: 1 }, { final: true, stop: "time" as never, nodes: 150 }))!;
    expect([last.final, last.search.stop_reason, last.search.nodes, last.search.threads, last.search.table.probes]).toEqual([true, "time", 200, 2, 2]);
  });
});
