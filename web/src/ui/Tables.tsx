// The table of root moves, and the table of iterations with the counts of the search.

import { t, type Key } from "../i18n";
import { compact, duration, isProven, shortScore, verdict } from "../model/score";
import { shown } from "../state/analysis";
import { here } from "../state/store";
import { LineMoves, depthText, moveName } from "./Headline";

export function MovesTable({ onGhosts, onPlay }: { onGhosts: (line: readonly string[]) => void; onPlay: (line: readonly string[]) => void }) {
  const answer = shown.value?.answer;
  const position = here.value.position;
  if (position?.status === "finished") return <p class="empty">{t("game_over")}</p>;
  if (!answer || answer.moves.length === 0) return <p class="empty">{t("no_value_yet")}</p>;
  const nodes = answer.moves.some((move) => move.nodes !== null);
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={`${t("analysis")}: ${t("tab_moves")}`}>
      <table class="table moves-table">
        <thead>
          <tr>
            <th scope="col" class="num">#</th>
            <th scope="col">{t("col_move")}</th>
            <th scope="col" class="num">{t("col_value")}</th>
            <th scope="col" class="num">{t("col_loss")}</th>
            <th scope="col" class="num">{t("col_depth")}</th>
            {nodes && <th scope="col" class="num wide-only">{t("col_nodes")}</th>}
            <th scope="col">{t("col_line")}</th>
          </tr>
        </thead>
        <tbody>
          {answer.moves.map((move) => (
            <tr key={move.move} data-move={move.move} onMouseEnter={() => onGhosts(move.line)} onMouseLeave={() => onGhosts([])} onFocusIn={() => onGhosts(move.line)} onFocusOut={() => onGhosts([])}>
              <td class="num muted">{move.rank}</td>
              <td><button type="button" class="line-move strong" onClick={() => onPlay([move.move])}>{moveName(move.move)}</button></td>
              <td class="num">
                {move.score ? (
                  <span class={`score ${isProven(move.score) ? "proven" : "estimated"}`} title={isProven(move.score) ? t("exact") : t("estimate")}>{shortScore(move.score)}</span>
                ) : "–"}
              </td>
              <td class="num">{move.loss === null ? "" : <span class={`loss ${verdict(move.loss)}`}>{move.loss === 0 ? "0" : move.loss.toFixed(move.score?.kind === "exact" ? 0 : 1)}</span>}</td>
              <td class="num">{move.score ? (isProven(move.score) ? t("end_short") : move.score.depth) : ""}</td>
              {nodes && <td class="num wide-only">{move.nodes === null ? "" : compact(move.nodes)}</td>}
              <td><LineMoves line={move.line.slice(1)} onPlay={(line) => onPlay([move.move, ...line])} /></td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const CUTOFFS: Readonly<Record<string, Key>> = {
  table: "cut_table",
  stability: "cut_stability",
  probcut: "cut_probcut",
  enhanced_table: "cut_etc",
  beta: "cut_beta",
  first_move: "cut_first",
  re_searches: "cut_again",
};

export function SearchTable() {
  const state = shown.value;
  const answer = state?.answer;
  if (!answer || !state) return <p class="empty">{t("no_value_yet")}</p>;
  return (
    <>
      <div class="scroll" tabIndex={0} role="region" aria-label={t("tab_table")}>
        <table class="table">
          <thead>
            <tr>
              <th scope="col" class="num">{t("col_depth")}</th>
              <th scope="col" class="num">{t("col_confidence")}</th>
              <th scope="col">{t("col_best")}</th>
              <th scope="col" class="num">{t("col_value")}</th>
              <th scope="col" class="num">{t("col_nodes")}</th>
              <th scope="col" class="num">{t("col_speed")}</th>
              <th scope="col" class="num">{t("col_time")}</th>
              <th scope="col" class="num wide-only">{t("col_hits")}</th>
              <th scope="col" class="num wide-only">{t("col_cutoffs")}</th>
            </tr>
          </thead>
          <tbody>
            {[...state.iterations].reverse().map((row) => (
              <tr key={`${row.depth}.${row.confidence}`}>
                <td class="num">{depthShort(row.depth, row.score)}</td>
                <td class="num">{row.confidence === null ? "–" : `${row.confidence} %`}</td>
                <td>{row.bestMove ? moveName(row.bestMove) : "–"}</td>
                <td class="num">{row.score ? <span class={`score ${isProven(row.score) ? "proven" : "estimated"}`}>{shortScore(row.score)}</span> : "–"}</td>
                <td class="num">{compact(row.nodes)}</td>
                <td class="num">{row.nodesPerSecond ? compact(row.nodesPerSecond) : "–"}</td>
                <td class="num">{row.elapsedMs === null ? "–" : duration(row.elapsedMs)}</td>
                <td class="num wide-only">{row.tableHits === null || !row.probes ? "–" : `${Math.round((100 * row.tableHits) / row.probes)} %`}</td>
                <td class="num wide-only">{row.cutoffs === null ? "–" : compact(row.cutoffs)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {answer.cutoffs && <Cutoffs counts={answer.cutoffs} />}
    </>
  );
}

function depthShort(depth: number, score: Parameters<typeof depthText>[1]): string {
  return score && isProven(score) ? t("end_short") : String(depth);
}

/** Which technique spared how much, opened on demand. */
function Cutoffs({ counts }: { counts: Readonly<Record<string, number>> }) {
  const known = Object.entries(CUTOFFS).filter(([name]) => counts[name] !== undefined);
  const most = Math.max(1, ...known.map(([name]) => counts[name]!));
  return (
    <details class="more">
      <summary>{t("cutoffs_by_technique")}</summary>
      <table class="table bars">
        <tbody>
          {known.map(([name, key]) => (
            <tr key={name}>
              <th scope="row">{t(key)}</th>
              <td class="num">{compact(counts[name]!)}</td>
              <td class="bar-cell"><Bar share={counts[name]! / most} /></td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

/** A bar whose length is a share of its cell. The number beside it says the same. */
export function Bar({ share, kind = "" }: { share: number; kind?: string }) {
  return (
    <svg class={`bar ${kind}`} viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
      <rect width={Math.max(0.6, 100 * Math.min(1, share))} height="8" />
    </svg>
  );
}
