// A game with its branches: positions as nodes, moves as edges. The tree knows no rules; who adds a move has asked the service.

/** What the service has said about one position. */
export interface PositionInfo {
  /** Row by row from the top left: `X` black, `O` white, `-` empty. */
  board: string;
  side: Side;
  status: "in_progress" | "must_pass" | "finished";
  /** `null` while only the board is known and the legal moves are still on their way. */
  legal: ReadonlyMap<string, LegalMove> | null;
  opening: string | null;
  result: GameResult | null;
  /** Gomoku: squares that the side to move may not take, with the reason. */
  forbidden?: ReadonlyMap<string, string>;
  /** Gomoku: the stones that won. */
  winningLine?: readonly string[];
}

export type Side = "black" | "white";

export interface LegalMove {
  boardAfter: string;
  sideAfter: Side;
  /** Discs that it turns. */
  flips: readonly string[];
}

export interface GameResult {
  winner: Side | "draw";
  /** Discs by which the winner won; `null` where a game knows no margin. */
  margin: number | null;
}

export interface Node {
  readonly id: number;
  /** The move that led here; `null` at the root. */
  readonly move: string | null;
  readonly parent: Node | null;
  readonly children: Node[];
  position: PositionInfo | null;
}

/** Where a game starts: the usual start of its game, or a position that was set up. */
export type Start = { kind: "standard" } | { kind: "board"; board: string; side: Side };

export class GameTree {
  readonly root: Node;
  current: Node;
  /** The leaf that stepping forward leads to. */
  private tip: Node;
  private nextId = 1;

  constructor(readonly start: Start) {
    this.root = { id: 0, move: null, parent: null, children: [], position: null };
    this.current = this.root;
    this.tip = this.root;
  }

  /** Plays a move after the current position, or steps into it where it has been played before. */
  play(move: string): Node {
    this.current = this.append(this.current, move);
    if (!this.line().includes(this.current)) this.tip = this.leafBelow(this.current);
    return this.current;
  }

  /** Adds moves after a node without going there; the last one is returned. */
  extend(from: Node, moves: readonly string[]): Node {
    let node = from;
    for (const move of moves) node = this.append(node, move);
    return node;
  }

  private append(parent: Node, move: string): Node {
    const known = parent.children.find((child) => child.move === move);
    if (known) return known;
    const child: Node = { id: this.nextId++, move, parent, children: [], position: null };
    parent.children.push(child);
    return child;
  }

  goTo(node: Node): void {
    this.current = node;
    if (!this.line().includes(node)) this.tip = this.leafBelow(node);
  }

  /** Removes a node with everything after it. The root stays. */
  remove(node: Node): void {
    if (!node.parent) return;
    const onPath = pathTo(this.current).includes(node);
    node.parent.children.splice(node.parent.children.indexOf(node), 1);
    if (onPath) this.current = node.parent;
    if (pathTo(this.tip).includes(node)) this.tip = this.leafBelow(this.current);
  }

  /** The line shown: from the root through the current node on to its tip. */
  line(): Node[] {
    return pathTo(this.tip);
  }

  /** The node `steps` ahead on the shown line, held within it. */
  ahead(steps: number): Node {
    const line = this.line();
    const at = line.indexOf(this.current);
    return line[Math.max(0, Math.min(line.length - 1, at + steps))] ?? this.current;
  }

  private leafBelow(node: Node): Node {
    let leaf = node;
    while (leaf.children[0]) leaf = leaf.children[0];
    return leaf;
  }
}

/** All nodes from the root to this one, both included. */
export function pathTo(node: Node): Node[] {
  const path: Node[] = [];
  for (let at: Node | null = node; at; at = at.parent) path.push(at);
  return path.reverse();
}

/** The moves that lead to a node. */
export function movesTo(node: Node): string[] {
  return pathTo(node).flatMap((at) => (at.move === null ? [] : [at.move]));
}

/** Moves of a node counted from the root. */
export function plyOf(node: Node): number {
  return pathTo(node).length - 1;
}

/** Names a position: the same for the same stones and side to move. */
export function positionKey(position: PositionInfo): string {
  return `${position.board} ${position.side}`;
}
