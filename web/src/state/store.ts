// What is on the board and how it got there. Views read signals; everything that changes them is a function here.

import { batch, computed, effect, signal } from "@preact/signals";
import { type GameRules, type ReadGame, rulesOf } from "../model/games";
import { type Failure, ServiceError, identify } from "../model/service";
import { load, save, type Settings } from "../model/settings";
import { GameTree, type Node, type PositionInfo, type Start, movesTo, plyOf, pathTo, positionKey } from "../model/tree";
import { type Game, type GomokuRule, fromQuery, toQuery } from "../model/url";

export type View = "moves" | "table" | "graph" | "evaluation" | "pruning" | "play" | "setup" | "share" | "settings" | "keys";

const VIEWS: readonly View[] = ["moves", "table", "graph", "evaluation", "pruning", "play", "setup", "share", "settings", "keys"];
/** Views that only make sense for Othello. */
export const OTHELLO_VIEWS: readonly View[] = ["evaluation", "pruning"];

export const settings = signal<Settings>(load());
export const game = signal<Game>("othello");
export const rule = signal<GomokuRule>("freestyle");
export const flipped = signal(false);
export const view = signal<View>("moves");
export const connection = signal<"online" | "offline">("online");
/** A sentence about the last thing that went wrong while setting up or playing; cleared by the next move. */
export const notice = signal<string | null>(null);

const treeSignal = signal(new GameTree({ kind: "standard" }));
/** Counts changes inside the tree, which signals cannot see. */
const version = signal(0);

export const rules = computed<GameRules>(() => rulesOf(game.value, rule.value));
export const tree = computed<GameTree>(() => {
  version.value;
  return treeSignal.value;
});
/** Where we are; a fresh object after every change, so that whoever reads it is told. */
export const here = computed(() => {
  version.value;
  const node = treeSignal.value.current;
  return { node, position: node.position };
});
export const currentKey = computed<string | null>(() => {
  const position = here.value.position;
  return position ? `${game.value} ${game.value === "gomoku" ? rule.value : ""} ${positionKey(position)}` : null;
});
export const legalKnown = computed(() => here.value.position?.legal != null);
/** The last named opening on the way here. */
export const opening = computed<string | null>(() => {
  const named = pathTo(here.value.node).reverse().find((node) => node.position?.opening);
  return named?.position?.opening ?? null;
});
export const line = computed<Node[]>(() => {
  version.value;
  return treeSignal.value.line();
});

/** Says that something inside the tree has changed. */
export function touched(): void {
  version.value += 1;
}

// --- positions -------------------------------------------------------------------------------------------------------

const asking = new Map<Node, Promise<void>>();

/** Makes sure that the node's position is known with its legal moves. Waits out a service that cannot be reached. */
export function ensure(node: Node): Promise<void> {
  if (node.position?.legal) return Promise.resolve();
  const known = asking.get(node);
  if (known) return known;
  const started = fetchPosition(node).finally(() => asking.delete(node));
  asking.set(node, started);
  return started;
}

const RETRY_OFFLINE_MS = 1_500;
/** The status of a position that is none; other refusals (a key is missing) may pass. */
const UNPROCESSABLE = 422;

async function fetchPosition(node: Node): Promise<void> {
  const owner = treeSignal.value;
  const asked = rules.value;
  let told: string | null = null;
  for (;;) {
    try {
      const position = await asked.position(owner, node);
      if (treeSignal.value !== owner) return;
      node.position = position;
      batch(() => {
        if (told !== null && notice.value === told) notice.value = null;
        touched();
      });
      return;
    } catch (error) {
      const failure: Failure = error instanceof ServiceError ? error.failure : { kind: "offline" };
      if (treeSignal.value !== owner) return;
      if (failure.kind === "problem") {
        if (failure.problem.status === UNPROCESSABLE) giveUp(owner, node);
        told = failure.problem.detail;
        notice.value = told;
        if (failure.problem.status === UNPROCESSABLE) return;
      }
      if (failure.kind === "offline") connection.value = "offline";
      await pause(failure.kind === "busy" ? failure.retryMs : RETRY_OFFLINE_MS);
      if (treeSignal.value !== owner) return;
    }
  }
}

/** The service refuses this position: step back to the last one that it takes, at worst to the usual start. */
function giveUp(owner: GameTree, node: Node): void {
  if (!node.parent) {
    if (owner.start.kind === "board") begin({ kind: "standard" }, []);
    return;
  }
  owner.remove(node);
  touched();
  void ensure(owner.current);
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Fills in the positions of a line that was loaded as moves, in the background. */
async function fillLine(): Promise<void> {
  const owner = treeSignal.value;
  for (const node of owner.line()) {
    if (treeSignal.value !== owner) return;
    await ensure(node);
  }
}

// --- moving ----------------------------------------------------------------------------------------------------------

/** Plays a move for the side to move, where the rules allow it. Returns whether they do. */
export function play(move: string): boolean {
  const { position } = here.value;
  if (!position?.legal) return false;
  let after: PositionInfo;
  if (move === "pass") {
    if (position.status !== "must_pass") return false;
    after = { ...position, side: position.side === "black" ? "white" : "black", status: "in_progress", legal: null, opening: null };
  } else {
    const legal = position.legal.get(move);
    if (!legal) return false;
    after = { board: legal.boardAfter, side: legal.sideAfter, status: "in_progress", legal: null, opening: null, result: null };
  }
  const child = treeSignal.value.play(move);
  child.position ??= after;
  batch(() => {
    notice.value = null;
    lastStep.value = { node: child, forward: true };
    touched();
  });
  void ensure(child);
  return true;
}

/** How the shown position was reached: passes are only taken by themselves after a move, never while looking back. */
export const lastStep = signal<{ node: Node; forward: boolean } | null>(null);

export function goTo(node: Node): void {
  treeSignal.value.goTo(node);
  batch(() => {
    notice.value = null;
    lastStep.value = { node, forward: false };
    touched();
  });
  void ensure(node);
}

export function step(steps: number): void {
  goTo(treeSignal.value.ahead(steps));
}

/** Takes back the last move shown; what was played stays as a branch. */
export function undo(): void {
  const parent = treeSignal.value.current.parent;
  if (parent) goTo(parent);
}

/** Plays several moves after the shown position, as far as the rules allow, and stops there. */
export async function playLine(moves: readonly string[]): Promise<void> {
  const owner = treeSignal.value;
  for (const move of moves) {
    await ensure(owner.current);
    if (treeSignal.value !== owner || !play(move)) return;
  }
  lastStep.value = null;
}

export function removeBranch(node: Node): void {
  treeSignal.value.remove(node);
  touched();
  void ensure(treeSignal.value.current);
}

// --- starting --------------------------------------------------------------------------------------------------------

/** Puts a game on the board: a start, moves, and which position of it to show. */
export function begin(start: Start, moves: readonly string[], ply = moves.length): void {
  const next = new GameTree(start);
  const last = next.extend(next.root, moves);
  next.goTo(last);
  next.goTo(next.line()[Math.min(ply, moves.length)] ?? last);
  batch(() => {
    treeSignal.value = next;
    notice.value = null;
    lastStep.value = null;
    touched();
  });
  void ensure(next.current).then(fillLine);
}

export function beginRead(read: ReadGame): void {
  begin(read.start, read.moves);
}

export function choose(nextGame: Game, nextRule: GomokuRule): void {
  if (nextGame === game.value && nextRule === rule.value) return;
  batch(() => {
    game.value = nextGame;
    rule.value = nextRule;
    if (nextGame !== "othello" && OTHELLO_VIEWS.includes(view.value)) view.value = "moves";
    begin({ kind: "standard" }, []);
  });
}

// --- the link ----------------------------------------------------------------------------------------------------------

function linkState() {
  const tip = line.value.at(-1) ?? here.value.node;
  return {
    game: game.value,
    rule: rule.value,
    start: tree.value.start,
    moves: movesTo(tip),
    ply: plyOf(here.value.node),
    flipped: flipped.value,
    view: view.value === "moves" ? null : view.value,
  };
}

export const link = computed(() => toQuery(linkState()));

/** Takes up what the address says, and keeps the address true from then on. */
export function followAddress(): void {
  const adopt = () => {
    const state = fromQuery(location.search);
    batch(() => {
      game.value = state.game;
      rule.value = state.rule;
      flipped.value = state.flipped;
      view.value = VIEWS.find((known) => known === state.view) ?? "moves";
      begin(state.start, state.moves, state.ply);
    });
  };
  adopt();
  addEventListener("popstate", adopt);
  effect(() => {
    const address = location.pathname + link.value;
    if (address !== location.pathname + location.search) history.replaceState(null, "", address);
  });
}

effect(() => {
  identify(settings.value.apiKey);
  save(settings.value);
});

export function set<Key extends keyof Settings>(key: Key, value: Settings[Key]): void {
  settings.value = { ...settings.value, [key]: value };
}
