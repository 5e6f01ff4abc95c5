// The page: header, board with its bars and buttons, panel beside it with the list of moves at its foot.

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { t, language, type Key } from "../i18n";
import { balance, blackView, shortScore, signed } from "../model/score";
import { count, sizeOf } from "../model/squares";
import type { GomokuRule } from "../model/url";
import { type Node, plyOf } from "../model/tree";
import { threats } from "../state/threats";
import { type View, OTHELLO_VIEWS, begin, choose, currentKey, flipped, game, here, lastStep, notice, play, playLine, rule, rules, settings, step, view } from "../state/store";
import { shown } from "../state/analysis";
import { askHint, enginesTurn, hidden, hint, hintAsked, takeBack } from "../state/opponent";
import { cycle, draft } from "../state/editor";
import { next } from "../state/swap2";
import { Board } from "./Board";
import { EvaluationPanel, PruningPanel, evaluation } from "./Explain";
import { Graph } from "./Graph";
import { Headline, LineMoves, Lines, sideName } from "./Headline";
import { KeysPanel, PlayPanel, SettingsPanel, SharePanel } from "./Panels";
import { MoveList } from "./MoveList";
import { MovesTable, SearchTable } from "./Tables";
import { SetUp, readText } from "./SetUp";
import { Icon, type IconName } from "./icons";
import { useKeys } from "./useKeys";

const TABS: [View, Key][] = [
  ["moves", "tab_moves"],
  ["table", "tab_table"],
  ["graph", "tab_graph"],
  ["evaluation", "tab_evaluation"],
  ["pruning", "tab_pruning"],
];

const PANELS: [View, Key, IconName][] = [
  ["play", "panel_play", "play"],
  ["setup", "panel_setup", "edit"],
  ["share", "panel_share", "share"],
  ["settings", "panel_settings", "settings"],
  ["keys", "panel_keys", "keys"],
];

export function App() {
  useKeys();
  usePaste();
  useTheme();
  const [ghosts, setGhosts] = useState<readonly string[]>([]);
  const key = shown.value?.key;
  useEffect(() => setGhosts([]), [key, here.value.node]);
  const special = PANELS.some(([name]) => name === view.value);
  useEffect(() => {
    // On a phone the panel lies below the board: what was just opened should be seen.
    if (special) document.getElementById("panel-title")?.scrollIntoView({ block: "nearest" });
  }, [special, view.value]);
  const playUpTo = (line: readonly string[]) => {
    setGhosts([]);
    void playLine(line);
  };
  return (
    <>
      <a class="skip" href="#panel">{t("skip_to_panel")}</a>
      <Header />
      <main class="zones">
        <div class="board-zone">
          <ScoreStrip />
          <div class="board-row">
            <Balance />
            <BoardZone ghosts={ghosts} />
          </div>
          <Controls />
        </div>
        <div class="panel-zone" id="panel">
          <Headline />
          {!special && <Lines onGhosts={setGhosts} onPlay={playUpTo} />}
          {!special && <Threats onGhosts={setGhosts} onPlay={playUpTo} />}
          <Tabs />
          <Panel onGhosts={setGhosts} onPlay={playUpTo} />
          <MoveList />
        </div>
      </main>
    </>
  );
}

// --- header ----------------------------------------------------------------------------------------------------------

const RULES: [GomokuRule, Key][] = [["freestyle", "rule_freestyle"], ["standard", "rule_standard"], ["renju", "rule_renju"]];

function Header() {
  return (
    <header class="header">
      <h1 class="brand"><img src="/favicon.svg" alt="" width="28" height="28" />Discern</h1>
      <GameChoice />
      <nav class="header-actions" aria-label={t("panels")}>
        {PANELS.map(([name, label, icon]) => (
          <button type="button" key={name} class={`icon-button${view.value === name ? " on" : ""}`} data-view={name} aria-pressed={view.value === name} aria-label={t(label)} title={t(label)} onClick={() => (view.value = view.value === name ? "moves" : name)}>
            <Icon name={icon} /><span class="icon-text">{t(label)}</span>
          </button>
        ))}
      </nav>
    </header>
  );
}

function GameChoice() {
  return (
    <div class="segments" role="group" aria-label={t("game")}>
      <button type="button" aria-pressed={game.value === "othello"} onClick={() => choose("othello", rule.value)}>{t("othello")}</button>
      <button type="button" aria-pressed={game.value === "gomoku"} onClick={() => choose("gomoku", rule.value)}>{t("gomoku")}</button>
    </div>
  );
}

function RuleChoice() {
  if (game.value !== "gomoku") return null;
  return (
    <select aria-label={t("rule")} value={rule.value} onChange={(event) => choose("gomoku", event.currentTarget.value as GomokuRule)}>
      {RULES.map(([name, label]) => <option key={name} value={name}>{t(label)}</option>)}
    </select>
  );
}

// --- the board -------------------------------------------------------------------------------------------------------

function ScoreStrip() {
  const { position } = here.value;
  const now = draft.value;
  const board = now?.board ?? position?.board ?? "";
  const side = now?.side ?? position?.side ?? null;
  const finished = position?.status === "finished" && !now;
  return (
    <div class="strip">
      <span class={`player${side === "black" && !finished ? " to-move" : ""}`} data-count="black"><span class="pip black" /><b>{count(board, "X")}</b><span class="visually-hidden">{t("black")}</span></span>
      <span class="strip-text">{now ? t("setting_up") : finished ? t("game_over") : position?.status === "must_pass" ? t("must_pass", { side: sideName(position.side) }) : side ? t("to_move", { side: sideName(side) }) : ""}</span>
      <span class={`player${side === "white" && !finished ? " to-move" : ""}`} data-count="white"><b>{count(board, "O")}</b><span class="pip white" /><span class="visually-hidden">{t("white")}</span></span>
    </div>
  );
}

/** How the game stands as a bar: Black's share from below. With the evaluation open, what stable discs prove as a bracket. */
function Balance() {
  const state = shown.value;
  const position = here.value.position;
  const score = state?.answer?.score ?? null;
  const finished = position?.status === "finished" ? position.result : null;
  const black = hidden.value && !finished ? null : finished ? (finished.winner === "black" ? 1 : finished.winner === "white" ? -1 : 0) * (finished.margin ?? 64) : score && position ? blackView(score, position.side) : null;
  const share = balance(black ?? 0);
  const proven = evaluation.value && evaluation.value.key === state?.key ? evaluation.value.reply : null;
  const sign = position?.side === "white" ? -1 : 1;
  const ends = proven ? [proven.bounds.lower * sign, proven.bounds.upper * sign].sort((a, b) => a - b) : null;
  const text = black === null ? t("no_value_yet") : t("balance_label", { value: signed(black, 1) });
  return (
    <div class={`balance${black === null ? " unknown" : ""}${flipped.value ? " flipped" : ""}`} role="img" aria-label={text} title={text} style={{ "--share": share, "--low": balance(ends?.[0] ?? 0), "--high": balance(ends?.[1] ?? 0) }}>
      <span class="balance-black" />
      {ends && <span class="balance-bracket" />}
    </div>
  );
}

/** Whether a click on the board is the person's to make. */
function mayPlay(): boolean {
  return !enginesTurn.value && (next.value === null || (next.value.who === "you" && next.value.what === "lay"));
}

const NOTHING: ReadonlySet<string> = new Set();
const NO_NUMBERS: ReadonlyMap<string, number> = new Map();
const NO_THREATS: ReadonlyMap<string, string> = new Map();

/** Gomoku marks the last stone by its number. */
function newest(node: Node): ReadonlyMap<string, number> {
  return node.move ? new Map([[node.move, plyOf(node)]]) : NO_NUMBERS;
}

/** Where a side wins: at once, or by a row of fours. */
function threatMarks(): ReadonlyMap<string, string> {
  const now = threats.value;
  if (!now || now.key !== currentKey.value || hidden.value) return NO_THREATS;
  return new Map(now.found.map((threat) => [threat.line[0]!, threat.moves === 1 ? "five" : "four"]));
}

function BoardZone({ ghosts }: { ghosts: readonly string[] }) {
  const { node, position } = here.value;
  const now = draft.value;
  const before = useRef<typeof position>(null);
  if (position) before.current = position;
  // Until the service has answered, the board before stands there, on which nothing can be played.
  const base = position ?? (before.current && { ...before.current, legal: null });
  const size = rules.value.size;
  const board = now?.board ?? base?.board ?? "-".repeat(size * size);
  const shownPosition = now
    ? { board, side: now.side, status: "in_progress" as const, legal: null, opening: null, result: null }
    : base && sizeOf(base.board) === size
      ? base
      : { board: "-".repeat(size * size), side: "black" as const, status: "in_progress" as const, legal: null, opening: null, result: null };
  const forward = lastStep.value?.node === node && lastStep.value.forward;
  const turned = forward && node.move ? (node.parent?.position?.legal?.get(node.move)?.flips ?? []) : [];
  const stable = evaluation.value && evaluation.value.key === shown.value?.key ? new Set([...evaluation.value.reply.stable.black.squares, ...evaluation.value.reply.stable.white.squares]) : NOTHING;
  const onSquare = (square: string, backwards: boolean) => {
    if (draft.value) cycle(square, backwards);
    else if (mayPlay()) play(square);
  };
  return (
    <div class={settings.value.showCoordinates ? "board-frame" : "board-frame bare"} aria-busy={position === null}>
      <Board
        game={game.value}
        position={shownPosition}
        lastMove={now ? null : node.move}
        turned={turned}
        analysis={now || hidden.value ? null : (shown.value?.answer ?? null)}
        showValues={settings.value.showValues && !hidden.value}
        showLegal={mayPlay()}
        flipped={flipped.value}
        ghosts={now ? [] : ghosts}
        stable={stable}
        hinted={hintSquares(size)}
        threats={now ? NO_THREATS : threatMarks()}
        numbers={now || game.value === "othello" ? NO_NUMBERS : newest(node)}
        editing={now !== null}
        onSquare={onSquare}
      />
      {!now && position?.status === "must_pass" && !enginesTurn.value && (
        <div class="pass-bar" role="alert">
          <span>{t("must_pass", { side: sideName(position.side) })}</span>
          <button type="button" class="button primary" data-action="pass" onClick={() => play("pass")}><Icon name="pass" />{t("pass")}</button>
        </div>
      )}
    </div>
  );
}

/** The squares that the hint points at: first a part of the board, then the best few moves, then the move. */
function hintSquares(size: number): ReadonlySet<string> {
  const now = hint.value;
  if (!now || now.key !== shown.value?.key) return NOTHING;
  if (now.step === 3) return new Set(now.moves.slice(0, 1));
  if (now.step === 2) return new Set(now.moves);
  const best = now.moves[0]!;
  const half = size / 2;
  const [left, top] = [best.charCodeAt(0) - 97 < half, Number(best.slice(1)) <= half];
  const inside: string[] = [];
  for (const name of here.value.position?.legal?.keys() ?? []) {
    if (name.charCodeAt(0) - 97 < half === left && Number(name.slice(1)) <= half === top) inside.push(name);
  }
  return new Set(inside);
}

function Controls() {
  const { node, position } = here.value;
  const atStart = node.parent === null;
  const atEnd = node.children.length === 0;
  const button = (icon: IconName, label: Key, action: () => void, disabled = false, name: string = label) => (
    <button type="button" class="icon-button" data-action={name} aria-label={t(label)} title={t(label)} disabled={disabled} onClick={action}><Icon name={icon} /></button>
  );
  return (
    <div class="controls">
      <RuleChoice />
      <span class="control-group">
        {button("first", "to_start", () => step(-Infinity), atStart)}
        {button("back", "one_back", () => step(-1), atStart)}
        {button("forward", "one_forward", () => step(1), atEnd)}
        {button("last", "to_end", () => step(Infinity), atEnd)}
      </span>
      <span class="spring" />
      <span class="control-group">
        {button("undo", "undo", takeBack, atStart)}
        {button("hint", "hint", () => void askHint(), hintAsked.value || !position || position.status !== "in_progress" || enginesTurn.value)}
        {button("flip", "flip", () => (flipped.value = !flipped.value))}
        {button("new", "new_game", () => begin({ kind: "standard" }, []), false, "new")}
      </span>
    </div>
  );
}

/** Gomoku: who can win by fours, and how. Only the side to move can play it at once; for the other it is what to stop. */
function Threats({ onGhosts, onPlay }: { onGhosts: (line: readonly string[]) => void; onPlay: (line: readonly string[]) => void }) {
  const now = threats.value;
  const side = here.value.position?.side;
  if (game.value !== "gomoku" || hidden.value || !now || now.key !== currentKey.value || now.found.length === 0) return null;
  return (
    <ul class="lines threats" aria-label={t("threats")}>
      {now.found.map((threat) => (
        <li key={threat.side} onMouseEnter={() => threat.side === side && onGhosts(threat.line)} onMouseLeave={() => onGhosts([])}>
          <span><span class={`pip ${threat.side}`} />{t(threat.moves === 1 ? "threat_five" : "threat_fours", { side: sideName(threat.side), moves: threat.moves })}</span>
          {threat.side === side ? <LineMoves line={threat.line} onPlay={onPlay} /> : <span class="line-moves muted">{threat.line.join(" ")}</span>}
        </li>
      ))}
    </ul>
  );
}

// --- the panel -------------------------------------------------------------------------------------------------------

function Tabs() {
  const known = TABS.filter(([name]) => game.value === "othello" || !OTHELLO_VIEWS.includes(name));
  const onKey = (event: KeyboardEvent) => {
    const at = known.findIndex(([name]) => name === view.value);
    const to = event.key === "ArrowRight" ? at + 1 : event.key === "ArrowLeft" ? at - 1 : null;
    if (to === null) return;
    event.preventDefault();
    event.stopPropagation();
    const next = known[(to + known.length) % known.length]!;
    view.value = next[0];
    document.getElementById(`tab-${next[0]}`)?.focus();
  };
  const open = known.some(([name]) => name === view.value);
  return (
    <div class="tabs" role="tablist" aria-label={t("analysis")} onKeyDown={onKey}>
      {known.map(([name, label], index) => (
        <button type="button" key={name} role="tab" id={`tab-${name}`} aria-selected={view.value === name} aria-controls="tab-panel" tabIndex={view.value === name || (!open && index === 0) ? 0 : -1} onClick={() => (view.value = name)}>{t(label)}</button>
      ))}
    </div>
  );
}

function Panel({ onGhosts, onPlay }: { onGhosts: (line: readonly string[]) => void; onPlay: (line: readonly string[]) => void }) {
  const special = PANELS.find(([name]) => name === view.value);
  const body = panelBody(view.value, onGhosts, onPlay);
  if (special) {
    return (
      <section class="panel" aria-labelledby="panel-title">
        <div class="panel-head">
          <h2 id="panel-title">{t(special[1])}</h2>
          <button type="button" class="icon-button" aria-label={t("close")} onClick={() => (view.value = "moves")}><Icon name="close" /></button>
        </div>
        {body}
      </section>
    );
  }
  return <section class="panel" id="tab-panel" role="tabpanel" aria-labelledby={`tab-${view.value}`}>{hiddenInMatch(view.value) ? <p class="empty">{t("hidden_in_match")}</p> : body}</section>;
}

function hiddenInMatch(name: View): boolean {
  return hidden.value && (name === "moves" || name === "table" || name === "graph" || name === "evaluation");
}

function panelBody(name: View, onGhosts: (line: readonly string[]) => void, onPlay: (line: readonly string[]) => void): ComponentChildren {
  switch (name) {
    case "moves":
      return <MovesTable onGhosts={onGhosts} onPlay={onPlay} />;
    case "table":
      return <SearchTable />;
    case "graph":
      return <Graph />;
    case "evaluation":
      return <EvaluationPanel />;
    case "pruning":
      return <PruningPanel />;
    case "play":
      return <PlayPanel />;
    case "setup":
      return <SetUp />;
    case "share":
      return <SharePanel />;
    case "settings":
      return <SettingsPanel />;
    case "keys":
      return <KeysPanel />;
  }
}

// --- the page as a whole ---------------------------------------------------------------------------------------------

function useTheme(): void {
  const theme = settings.value.theme;
  useEffect(() => {
    if (theme === "system") delete document.documentElement.dataset["theme"];
    else document.documentElement.dataset["theme"] = theme;
  }, [theme]);
  const score = shown.value?.answer?.score;
  const value = score && !hidden.value ? `${score.kind === "estimate" ? "" : shortScore(score)}` : "";
  useEffect(() => {
    document.title = `${value ? `${value} · ` : ""}${t(game.value)} · Discern`;
  }, [value, game.value, language.value]);
}

/** A text pasted anywhere but into a field goes on the board. */
function usePaste(): void {
  useEffect(() => {
    const onPaste = (event: ClipboardEvent) => {
      const target = event.target as HTMLElement | null;
      if (target?.closest("textarea, input, select")) return;
      const text = event.clipboardData?.getData("text/plain") ?? "";
      if (text.trim() === "") return;
      event.preventDefault();
      void readText(text).then((fault) => {
        if (fault) notice.value = fault.message;
      });
    };
    addEventListener("paste", onPaste);
    return () => removeEventListener("paste", onPaste);
  }, []);
}
