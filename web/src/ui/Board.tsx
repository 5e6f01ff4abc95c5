// The board: a drawing, and over it one real button for each square, so that every square can be reached, named and pressed.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { t, type Key } from "../i18n";
import { type Analysis } from "../model/analysis";
import { type Score, isProven, shortScore } from "../model/score";
import { oriented, sizeOf, squareIndex, squareName } from "../model/squares";
import type { PositionInfo } from "../model/tree";

/** From this loss on a value is coloured as one to avoid. */
const MISTAKE_DISCS = 4;

/** One cell in units of the drawing. */
const CELL = 100;

export interface BoardProps {
  game: "othello" | "gomoku";
  position: PositionInfo;
  /** The move that led here. */
  lastMove: string | null;
  /** Discs that it turned. */
  turned: readonly string[];
  analysis: Analysis | null;
  showValues: boolean;
  /** Whether it is the person's turn: legal squares are marked and can be pressed. */
  showLegal: boolean;
  flipped: boolean;
  /** A line to preview: numbered ghosts. */
  ghosts: readonly string[];
  /** Squares to mark as stable. */
  stable: ReadonlySet<string>;
  /** Squares of a hint. */
  hinted: ReadonlySet<string>;
  /** Small marks of threats, by square. */
  threats: ReadonlyMap<string, string>;
  /** Numbers of stones, by square. */
  numbers: ReadonlyMap<string, number>;
  editing: boolean;
  onSquare: (square: string, backwards: boolean) => void;
}

export function Board(props: BoardProps) {
  const size = sizeOf(props.position.board);
  const scores = new Map(props.analysis?.moves.map((move) => [move.move, move]) ?? []);
  const best = props.analysis?.bestMove ?? null;
  const columns = Array.from({ length: size }, (_, index) => String.fromCharCode(97 + index));
  const rows = Array.from({ length: size }, (_, index) => index + 1);
  if (props.flipped) {
    columns.reverse();
    rows.reverse();
  }
  return (
    <div class={`board ${props.game}`} style={{ "--n": size }}>
      <div class="letters" aria-hidden="true">{columns.map((letter) => <span key={letter}>{letter}</span>)}</div>
      <div class="figures" aria-hidden="true">{rows.map((row) => <span key={row}>{row}</span>)}</div>
      <div class="field">
        <Drawing {...props} size={size} />
        <Squares {...props} size={size} scores={scores} best={best} />
      </div>
    </div>
  );
}

type Scored = { score: Score | null; loss: number | null };

function Drawing(props: BoardProps & { size: number }) {
  const { size, position, flipped } = props;
  const place = (name: string) => {
    const index = squareIndex(name, size);
    if (index === null) return null;
    const at = oriented(index, size, flipped);
    return { x: (at % size) * CELL + CELL / 2, y: Math.floor(at / size) * CELL + CELL / 2 };
  };
  const turned = new Set(props.turned);
  const scores = new Map(props.analysis?.moves.map((move) => [move.move, move]) ?? []);
  const best = props.analysis?.bestMove ?? null;
  const ghosts = new Map<string, number>();
  props.ghosts.forEach((move, index) => {
    if (move !== "pass" && !ghosts.has(move)) ghosts.set(move, index);
  });
  return (
    <svg class="drawing" viewBox={`0 0 ${size * CELL} ${size * CELL}`} aria-hidden="true" focusable="false">
      <Grid game={props.game} size={size} />
      {[...position.board].map((cell, index) => {
        const name = squareName(index, size);
        const at = place(name)!;
        if (cell === "-") return null;
        return (
          <g key={`${name}${cell}`} class={`disc ${cell === "X" ? "black" : "white"}${turned.has(name) ? " turned" : ""}${name === props.lastMove ? " fresh" : ""}`}>
            <circle cx={at.x} cy={at.y} r={props.game === "gomoku" ? 45 : 41} />
            {props.stable.has(name) && <rect class="stable" x={at.x - 11} y={at.y - 11} width="22" height="22" rx="4" />}
            {props.numbers.has(name) && <text class="number newest" x={at.x} y={at.y}>{props.numbers.get(name)}</text>}
            {name === props.lastMove && !props.numbers.has(name) && <circle class="last" cx={at.x} cy={at.y} r="11" />}
          </g>
        );
      })}
      {props.position.winningLine && <WinningLine squares={props.position.winningLine} place={place} />}
      {[...props.hinted].map((name) => {
        const at = place(name);
        return at && <rect key={`h${name}`} class="hinted" x={at.x - 46} y={at.y - 46} width="92" height="92" rx="14" />;
      })}
      {position.board.split("").map((cell, index) => {
        const name = squareName(index, size);
        if (cell !== "-" || ghosts.has(name) || props.editing) return null;
        const at = place(name)!;
        const scored = scores.get(name);
        const threat = props.threats.get(name);
        if (position.forbidden?.has(name)) return <Cross key={name} {...at} />;
        if (props.showValues && scored?.score) return <Value key={name} {...at} scored={scored} best={name === best} small={size > 8} threat={threat} />;
        if (props.showLegal && position.legal?.has(name) && props.game === "othello") return <circle key={name} class="legal" cx={at.x} cy={at.y} r="9" />;
        return threat ? <Threat key={name} {...at} kind={threat} /> : null;
      })}
      {[...ghosts].map(([name, index]) => {
        const at = place(name);
        const black = (position.side === "black") === (index % 2 === 0);
        return (
          at && (
            <g key={`g${name}`} class={`ghost ${black ? "black" : "white"}`}>
              <circle cx={at.x} cy={at.y} r="38" />
              <text x={at.x} y={at.y}>{index + 1}</text>
            </g>
          )
        );
      })}
    </svg>
  );
}

function Grid({ game, size }: { game: "othello" | "gomoku"; size: number }) {
  const steps = Array.from({ length: size + 1 }, (_, index) => index);
  const end = size * CELL;
  if (game === "othello") {
    const dots = size === 8 ? [[2, 2], [6, 2], [2, 6], [6, 6]] : [];
    return (
      <g class="grid">
        <rect class="felt" width={end} height={end} />
        {steps.slice(1, -1).map((step) => (
          <path key={step} d={`M${step * CELL} 0V${end}M0 ${step * CELL}H${end}`} />
        ))}
        {dots.map(([x, y]) => <circle key={`${x}${y}`} class="dot" cx={x! * CELL} cy={y! * CELL} r="7" />)}
      </g>
    );
  }
  const half = CELL / 2;
  const dots = size === 15 ? [[3, 3], [11, 3], [3, 11], [11, 11], [7, 7]] : [];
  return (
    <g class="grid">
      <rect class="felt" width={end} height={end} />
      {steps.slice(0, -1).map((step) => (
        <path key={step} d={`M${step * CELL + half} ${half}V${end - half}M${half} ${step * CELL + half}H${end - half}`} />
      ))}
      {dots.map(([x, y]) => <circle key={`${x}.${y}`} class="dot" cx={x! * CELL + half} cy={y! * CELL + half} r="9" />)}
    </g>
  );
}

/** Exact values stand bold and alone; estimates are lighter and dotted underneath, so that the two differ without colour. */
function Value({ x, y, scored, best, small, threat }: { x: number; y: number; scored: Scored; best: boolean; small: boolean; threat: string | undefined }) {
  const score = scored.score!;
  const text = shortScore(score);
  const proven = isProven(score);
  const half = Math.min(42, text.length * (small ? 11 : 9));
  const grade = best ? "best" : scored.loss === null ? "unknown" : scored.loss < MISTAKE_DISCS ? "fine" : "mistake";
  return (
    <g class={`value ${proven ? "proven" : "estimated"} grade-${grade}${text.length > 4 ? " long" : ""}`}>
      {small && <circle class="plate" cx={x} cy={y} r="44" />}
      {best && <circle class="ring" cx={x} cy={y} r="43" />}
      {threat && <circle class={`threat-ring ${threat}`} cx={x} cy={y} r="47" />}
      <text x={x} y={y}>{text}</text>
      {!proven && <path class="dots" d={`M${x - half} ${y + 24}H${x + half}`} />}
    </g>
  );
}

function Cross({ x, y }: { x: number; y: number }) {
  return <path class="forbidden" d={`M${x - 22} ${y - 22}L${x + 22} ${y + 22}M${x + 22} ${y - 22}L${x - 22} ${y + 22}`} />;
}

function Threat({ x, y, kind }: { x: number; y: number; kind: string }) {
  return kind === "five" ? <rect class="threat five" x={x - 15} y={y - 15} width="30" height="30" /> : <path class="threat four" d={`M${x} ${y - 20}L${x + 19} ${y + 14}H${x - 19}Z`} />;
}

function WinningLine({ squares, place }: { squares: readonly string[]; place: (name: string) => { x: number; y: number } | null }) {
  const [from, to] = [place(squares[0] ?? ""), place(squares.at(-1) ?? "")];
  return from && to ? <path class="winning" d={`M${from.x} ${from.y}L${to.x} ${to.y}`} /> : null;
}

/** What a screen reader says of a square. */
function label(props: BoardProps, name: string, index: number, scored: Scored | undefined, best: string | null): string {
  const { position } = props;
  const cell = position.board[index];
  const parts = [name, cell === "X" ? t("square_black") : cell === "O" ? t("square_white") : t("square_empty")];
  if (position.forbidden?.has(name)) parts.push(t("square_forbidden", { reason: forbiddenText(position.forbidden.get(name)!) }));
  else if (position.legal?.has(name)) parts.push(t("square_legal"));
  if (name === props.lastMove) parts.push(t("square_last"));
  if (props.stable.has(name)) parts.push(t("square_stable"));
  if (props.showValues && scored?.score) {
    parts.push(`${shortScore(scored.score)} ${isProven(scored.score) ? t("exact") : `${t("estimate")}, ${t("depth_n", { depth: scored.score.depth })}`}`);
    if (name === best) parts.push(t("square_best"));
  }
  return parts.join(", ");
}

const FORBIDDEN: Readonly<Record<string, Key>> = { double_three: "forbidden_double_three", double_four: "forbidden_double_four", overline: "forbidden_overline" };

function forbiddenText(reason: string): string {
  const known = FORBIDDEN[reason];
  return known ? t(known) : reason;
}

/** The buttons. One of them is in the tab order; arrow keys move among them. */
function Squares(props: BoardProps & { size: number; scores: ReadonlyMap<string, Scored>; best: string | null }) {
  const { size, position, flipped } = props;
  const [at, setAt] = useState(Math.floor(size / 2) * size + Math.floor(size / 2));
  const grid = useRef<HTMLDivElement>(null);
  const moved = useRef(false);
  const focusable = Math.min(at, size * size - 1);
  useLayoutEffect(() => {
    if (!moved.current) return;
    moved.current = false;
    grid.current?.querySelector<HTMLButtonElement>(`[data-at="${focusable}"]`)?.focus();
  }, [focusable]);
  const onKey = (event: KeyboardEvent) => {
    const steps: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const step = steps[event.key];
    if (!step || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    const column = Math.max(0, Math.min(size - 1, (focusable % size) + step[0]));
    const row = Math.max(0, Math.min(size - 1, Math.floor(focusable / size) + step[1]));
    moved.current = true;
    setAt(row * size + column);
  };
  const rows = Array.from({ length: size }, (_, row) => row);
  return (
    <div class="squares" role="grid" aria-label={t(props.game === "othello" ? "board_othello" : "board_gomoku")} ref={grid} onKeyDown={onKey}>
      {rows.map((row) => (
        <div class="rank" role="row" key={row}>
          {rows.map((column) => {
            const shownAt = row * size + column;
            const index = oriented(shownAt, size, flipped);
            const name = squareName(index, size);
            const playable = props.editing || (props.showLegal && position.legal?.has(name) === true);
            return (
              <div role="gridcell" class="cell" key={column}>
                <button
                  type="button"
                  class={playable ? "square playable" : "square"}
                  data-square={name}
                  data-at={shownAt}
                  tabIndex={shownAt === focusable ? 0 : -1}
                  aria-label={label(props, name, index, props.scores.get(name), props.best)}
                  aria-disabled={!playable}
                  title={tip(props, props.scores.get(name), name)}
                  onFocus={() => setAt(shownAt)}
                  onClick={(event) => props.onSquare(name, event.shiftKey)}
                  onContextMenu={(event) => {
                    if (!props.editing) return;
                    event.preventDefault();
                    props.onSquare(name, true);
                  }}
                />
              </div>
            );
          })}
        </div>
      ))}
    </div>
  );
}

/** Shown on hover: what the short value leaves out. */
function tip(props: BoardProps, scored: Scored | undefined, name: string): string | undefined {
  const reason = props.position.forbidden?.get(name);
  if (reason) return t("square_forbidden", { reason: forbiddenText(reason) });
  if (!props.showValues || !scored?.score || props.editing) return undefined;
  const { score, loss } = scored;
  const kind = isProven(score) ? t("exact") : t("estimate");
  const lost = loss === null ? "" : ` · ${t("loses", { loss: loss.toFixed(1) })}`;
  return `${name} ${shortScore(score)} · ${kind} · ${t("depth_n", { depth: score.depth })}${score.unit === "chance" ? "" : ` · ${score.confidence} %`}${lost}`;
}
