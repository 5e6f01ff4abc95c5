// The engine of this browser: it answers the service's questions in the service's words, with one worker for the rules, which
// is never kept waiting, and others that search.

import type { components } from "../generated/api";
import { type Backup, ServiceError, type Problem } from "../model/service";
import { Hand } from "./hand";
import type { Answer } from "./instance";
import { Parts, deal } from "./parts";

type Body = Record<string, unknown>;
type Analysis = components["schemas"]["AnalysisReply"];

/** What of a question is the position. */
const POSITION = ["moves", "board", "text", "coding", "side_to_move", "size", "rule"] as const;

/** What takes a search; everything else is answered at once by the worker for the rules. */
const SEARCHES = /\/(analysis|comparison|threats|swap2)$/;

const OTHELLO_ANALYSIS = "/v1/othello/analysis";
const LEGAL_MOVES = "/v1/othello/legal-moves";

/** More workers than this cost more memory (some 45 MB each) than they bring. */
const MOST_WORKERS = 8;

export class LocalEngine implements Backup {
  private free: Hand[] = [];

  private constructor(
    private rules: Hand,
    private readonly module: WebAssembly.Module,
    private readonly workers: () => number,
  ) {}

  /** Loads the engine; `workers` says how many may search at once. */
  static async load(address: string, workers: () => number): Promise<LocalEngine> {
    const rules = new Hand(address);
    return new LocalEngine(rules, await rules.started, workers);
  }

  async ask<Reply>(path: string, body: unknown, signal?: AbortSignal): Promise<Reply> {
    const text = JSON.stringify(body);
    if (!SEARCHES.test(path)) return read(await this.rulesHand().ask(path, text));
    return this.lent(1, signal, async ([hand]) => read<Reply>(await hand!.ask(path, text)));
  }

  async stream<Reply>(path: string, body: unknown, onReply: (reply: Reply) => void, signal: AbortSignal): Promise<void> {
    // An engine has one thread, and here nobody waits in a queue.
    const { threads: _threads, class: _class, ...question } = body as Body;
    const shares = await this.shares(path, question);
    if (shares.length < 2) {
      const text = JSON.stringify(question);
      await this.lent(1, signal, async ([hand]) => onReply(read(await hand!.ask(path, text, (step) => onReply(JSON.parse(step))))));
      return;
    }
    const parts = new Parts(shares.length);
    const take = (part: number, reply: Analysis) => {
      const whole = parts.take(part, reply);
      if (whole && !signal.aborted) onReply(whole as Reply);
    };
    await this.lent(shares.length, signal, (hands) =>
      Promise.all(
        shares.map(async (only, part) => {
          const text = JSON.stringify({ ...question, only });
          take(part, read(await hands[part]!.ask(path, text, (step) => take(part, JSON.parse(step)))));
        }),
      ),
    );
  }

  /** Gives the memory of workers that have nothing to do back. */
  rest(): void {
    for (const hand of this.free.splice(0)) hand.stop();
  }

  /** The root moves for each worker. Only where every move is valued for itself does it not matter who searches it. */
  private async shares(path: string, question: Body): Promise<string[][]> {
    const workers = Math.min(MOST_WORKERS, this.workers());
    if (path !== OTHELLO_ANALYSIS || question["goal"] !== "all_moves" || question["level"] !== undefined || workers < 2) return [];
    const position = Object.fromEntries(POSITION.flatMap((name) => (name in question ? [[name, question[name]]] : [])));
    const { moves } = await this.ask<components["schemas"]["LegalMovesReply"]>(LEGAL_MOVES, position);
    return deal(moves.map(({ move }) => move), workers);
  }

  private rulesHand(): Hand {
    if (!this.rules.works) this.rules = new Hand(this.module);
    return this.rules;
  }

  /** Lends workers for one search. They are ended with it when nobody waits for it any more. */
  private async lent<T>(count: number, signal: AbortSignal | undefined, work: (hands: readonly Hand[]) => Promise<T>): Promise<T> {
    signal?.throwIfAborted();
    const hands = this.free.splice(0, count);
    while (hands.length < count) hands.push(new Hand(this.module));
    const stop = () => hands.forEach((hand) => hand.stop());
    signal?.addEventListener("abort", stop, { once: true });
    try {
      return await work(hands);
    } catch (error) {
      stop();
      throw error;
    } finally {
      signal?.removeEventListener("abort", stop);
      const room = Math.max(0, MOST_WORKERS - this.free.length);
      this.free.push(...hands.filter((hand) => hand.works).slice(0, room));
    }
  }
}

function read<Reply>({ status, text }: Answer): Reply {
  if (status === 200) return JSON.parse(text) as Reply;
  throw new ServiceError({ kind: "problem", problem: JSON.parse(text) as Problem });
}
