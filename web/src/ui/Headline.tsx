// What the engine says about the position, how sure it is, and what it is doing now.

import { useEffect, useState } from "preact/hooks";
import { t, type Key } from "../i18n";
import { type Analysis } from "../model/analysis";
import { type Score, compact, duration, isProven, shortScore, signed } from "../model/score";
import { type Due, LAID_AT_MOST, LAID_FIRST } from "../model/swap2";
import { type PositionInfo, type Side, plyOf } from "../model/tree";
import { type Shown, mayThinkLonger, running, shown, thinkLonger } from "../state/analysis";
import { answersHere, away } from "../state/offline";
import { enginesTurn, hidden, match, thinking, trouble } from "../state/opponent";
import { connection, here, notice } from "../state/store";
import { choose, deciding, next } from "../state/swap2";
import { Icon } from "./icons";

export function sideName(side: Side): string {
  return side === "black" ? t("black") : t("white");
}

/** The value in words: who is ahead, and by what. */
export function verdictText(score: Score, side: Side): string {
  const other = side === "black" ? "white" : "black";
  const bound = score.bound === "lower" ? "≥ " : score.bound === "upper" ? "≤ " : "";
  switch (score.kind) {
    case "win":
      return t("wins_in", { side: sideName(side), moves: score.moves ?? "?" });
    case "loss":
      return t("wins_in", { side: sideName(other), moves: score.moves ?? "?" });
    case "sign":
      return score.value === 0 ? t("draw") : t("wins", { side: sideName((score.value ?? 0) > 0 ? side : other) });
    default: {
      const value = score.value ?? 0;
      if (score.unit === "chance") {
        const chance = Math.round(50 + Math.abs(value));
        return chance === 50 ? t("even") : `${sideName(value > 0 ? side : other)} ${chance} %`;
      }
      if (score.bound !== "exact") return `${sideName(side)} ${bound}${signed(value, score.kind === "exact" ? 0 : 1)}`;
      const rounded = Number(Math.abs(value).toFixed(score.kind === "exact" ? 0 : 1));
      if (rounded === 0) return t(score.kind === "exact" ? "draw" : "even");
      return `${sideName(value > 0 ? side : other)} ${signed(rounded, score.kind === "exact" ? 0 : 1)}`;
    }
  }
}

export function Headline() {
  const { position } = here.value;
  const state = shown.value;
  if (!position) return <section class="headline" aria-busy="true"><p class="verdict muted">{t("loading")}</p><Trouble /></section>;
  if (next.value) return <OpeningLine due={next.value} />;
  if (match.value && hidden.value) return <MatchLine position={position} />;
  const answer = state?.answer ?? null;
  const over = position.status === "finished";
  return (
    <section class="headline" aria-label={t("analysis")}>
      {match.value && <MatchStatus position={position} />}
      <div class="headline-top">
        <p class="verdict" role="status">
          {over ? <ResultText position={position} /> : answer?.score ? verdictText(answer.score, position.side) : <span class="muted">{t("no_value_yet")}</span>}
        </p>
        {!over && answer?.score && <Kind score={answer.score} />}
        <span class="spring" />
        <RunButton state={state} over={over} />
      </div>
      <Doing state={state} position={position} />
      {answer && !over && <Facts answer={answer} />}
      <Trouble />
    </section>
  );
}

function ResultText({ position }: { position: PositionInfo }) {
  const result = position.result;
  if (!result) return <>{t("game_over")}</>;
  if (result.winner === "draw") return <>{t("draw")}</>;
  if (result.margin === null) return <>{t("wins", { side: sideName(result.winner) })}</>;
  return <>{t("won_by", { side: sideName(result.winner), margin: result.margin })}</>;
}

export function Kind({ score }: { score: Score }) {
  const proven = isProven(score);
  return <span class={`kind ${proven ? "proven" : "estimated"}`}>{score.bound !== "exact" ? t("bound") : proven ? t("exact") : t("estimate")}</span>;
}

function RunButton({ state, over }: { state: Shown | null; over: boolean }) {
  if (over) return null;
  const busy = state?.phase.kind === "searching" || state?.phase.kind === "asked";
  if (state?.phase.kind === "done" && state.answer && !state.answer.complete) {
    return mayThinkLonger.value ? <button type="button" class="button" onClick={thinkLonger}>{t("think_longer")}</button> : null;
  }
  if (state?.phase.kind === "done") return null;
  return (
    <button type="button" class="button" aria-pressed={running.value} onClick={() => (running.value = !running.value)}>
      <Icon name={running.value ? "pause" : "run"} />
      {running.value ? t(busy ? "stop" : "stop") : t("analyse")}
    </button>
  );
}

/** One line that says what is going on; while the engine searches, with a moving line under it. */
function Doing({ state, position }: { state: Shown | null; position: PositionInfo }) {
  const phase = state?.phase;
  if (position.status === "finished") return null;
  if (!phase) return <p class="doing">{t("loading")}</p>;
  switch (phase.kind) {
    case "paused":
      return <p class="doing">{t("paused")}</p>;
    case "asked":
      return <p class="doing active">{t("asked")}<span class="progress" /></p>;
    case "searching":
      return <p class="doing active">{t("best_so_far")}<span class="progress" /></p>;
    case "busy":
      return <Busy until={phase.until} />;
    case "offline":
      return <p class="doing warn">{t("offline_retry")}</p>;
    case "refused":
      return <p class="doing warn">{phase.detail}</p>;
    case "done":
      return <p class="doing">{stopText(state.answer)}</p>;
  }
}

function stopText(answer: Analysis | null): string {
  switch (answer?.stopReason) {
    case "solved":
      return t("stop_solved");
    case "time":
      return t("stop_time");
    case "nodes":
    case "depth":
      return t("stop_depth");
    case "only_move":
      return t("stop_only_move");
    case "draining":
      return t("stop_draining");
    default:
      return t("stop_done");
  }
}

const TICK_MS = 250;

function Busy({ until }: { until: number }) {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [until]);
  return <p class="doing warn">{t("busy_retry", { seconds: Math.max(0, Math.ceil((until - now) / 1000)) })}</p>;
}

export function depthText(depth: number, score: Score | null): string {
  return score && isProven(score) ? t("to_the_end") : t("depth_n", { depth });
}

function Facts({ answer }: { answer: Analysis }) {
  const facts = [
    depthText(answer.depth, answer.score),
    ...(answer.confidence === null ? [] : [t("confidence_n", { percent: answer.confidence })]),
    t("nodes_n", { nodes: compact(answer.nodes) }),
  ];
  if (answer.nodesPerSecond !== null && answer.nodesPerSecond > 0) facts.push(`${compact(answer.nodesPerSecond)}/s`);
  if (answer.elapsedMs !== null) facts.push(duration(answer.elapsedMs));
  if (answer.where === "here") facts.push(t("workers_n", { workers: answer.threads }));
  return <ul class="facts">{facts.map((fact) => <li key={fact}>{fact}</li>)}</ul>;
}

/** What went wrong, as a sentence. It stays until the next move. */
export function Trouble() {
  const text = trouble.value ?? notice.value;
  return (
    <div class="troubles" aria-live="polite">
      {answersHere.value ? <p class="trouble here" data-answers="here">{t(away.value ? "here_away" : "here_always")}</p> : connection.value === "offline" && !shown.value?.phase.kind.startsWith("off") && <p class="trouble">{t("offline_retry")}</p>}
      {text && <p class="trouble">{text}</p>}
    </div>
  );
}

/** Whose turn it is in the match. */
function MatchStatus({ position }: { position: PositionInfo }) {
  const playing = match.value!;
  const over = position.status === "finished";
  const text = over ? <ResultText position={position} /> : thinking.value ? t("engine_thinks", { level: playing.level }) : enginesTurn.value ? t("engine_to_move") : t("your_move", { side: sideName(playing.you) });
  return (
    <>
      <div class="headline-top">
        <p class={hidden.value ? "verdict" : "doing"} role="status">{text}</p>
        <span class="spring" />
        <span class="kind proven">{t("level_n", { level: playing.level })}</span>
      </div>
      {thinking.value && <p class="doing active"><span class="progress" /></p>}
    </>
  );
}

/** What a swap2 opening waits for, with the choice where it is the person's. */
function OpeningLine({ due }: { due: Due }) {
  const stones = plyOf(here.value.node);
  const side = here.value.position?.side ?? "black";
  const text = due.who === "engine" ? t("swap2_engine") : due.what === "choose" ? t("swap2_choose") : t("swap2_lay", { side: sideName(side), left: (stones < LAID_FIRST ? LAID_FIRST : LAID_AT_MOST) - stones });
  const button = (choice: "take_black" | "take_white" | "place_two", label: Key) => <button type="button" class="button" data-choice={choice} onClick={() => choose("you", choice)}>{t(label)}</button>;
  return (
    <section class="headline" aria-label={t("swap2")}>
      <p class="verdict" role="status">{text}</p>
      {due.who === "you" && due.what === "choose" && (
        <div class="row">
          {button("take_black", "swap2_black")}
          {button("take_white", "swap2_white")}
          {stones === LAID_FIRST && button("place_two", "swap2_two")}
        </div>
      )}
      {deciding.value && <p class="doing active"><span class="progress" /></p>}
      <Trouble />
    </section>
  );
}

function MatchLine({ position }: { position: PositionInfo }) {
  return (
    <section class="headline" aria-label={t("match")}>
      <MatchStatus position={position} />
      <Trouble />
    </section>
  );
}

/** The best three moves with their lines. A move of a line can be pressed: it is played up to there. */
export function Lines({ onGhosts, onPlay }: { onGhosts: (line: readonly string[]) => void; onPlay: (line: readonly string[]) => void }) {
  const answer = shown.value?.answer;
  if (!answer || match.value) return null;
  const best = answer.moves.filter((move) => move.score !== null && move.line.length > 0).slice(0, 3);
  if (best.length === 0) return null;
  return (
    <ol class="lines" aria-label={t("best_lines")}>
      {best.map((move) => (
        <li key={move.move} onMouseEnter={() => onGhosts(move.line)} onMouseLeave={() => onGhosts([])} onFocusIn={() => onGhosts(move.line)} onFocusOut={() => onGhosts([])}>
          <b class={move.score && isProven(move.score) ? "score proven" : "score estimated"}>{shortScore(move.score!)}</b>
          <LineMoves line={move.line} onPlay={onPlay} />
        </li>
      ))}
    </ol>
  );
}

const LONGEST_LINE = 16;

export function LineMoves({ line, onPlay }: { line: readonly string[]; onPlay: (line: readonly string[]) => void }) {
  return (
    <span class="line-moves">
      {line.slice(0, LONGEST_LINE).map((move, index) => (
        <button type="button" key={index} class="line-move" onClick={() => onPlay(line.slice(0, index + 1))} aria-label={t("play_to", { move: moveName(move) })}>
          {moveName(move)}
        </button>
      ))}
      {line.length > LONGEST_LINE && <span class="muted">…</span>}
    </span>
  );
}

export function moveName(move: string): string {
  return move === "pass" ? t("pass") : move;
}
