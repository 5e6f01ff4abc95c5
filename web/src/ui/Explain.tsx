// What the static evaluation says, term by term, and pruning techniques side by side.

import { signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { t, type Key } from "../i18n";
import { type Schemas, ServiceError, ask } from "../model/service";
import { compact, duration, signed } from "../model/score";
import { currentKey, here, rules, tree } from "../state/store";
import { Bar } from "./Tables";
import { sideName } from "./Headline";

type Evaluation = Schemas["EvaluationReply"];

/** The evaluation of the shown position while its panel is open; the board overlays stable discs from it. */
export const evaluation = signal<{ key: string; reply: Evaluation } | null>(null);

const TERMS: Readonly<Record<string, Key>> = {
  positional: "term_positional",
  mobility: "term_mobility",
  corners: "term_corners",
  frontier: "term_frontier",
  material: "term_material",
  parity: "term_parity",
  danger: "term_danger",
  stable: "term_stable",
};

function failureText(error: unknown): string {
  if (!(error instanceof ServiceError)) return String(error);
  switch (error.failure.kind) {
    case "problem":
      return error.failure.problem.detail;
    case "busy":
      return t("busy_retry", { seconds: Math.ceil(error.failure.retryMs / 1000) });
    default:
      return t("offline_retry");
  }
}

export function EvaluationPanel() {
  const key = currentKey.value;
  const { node } = here.value;
  const [trouble, setTrouble] = useState<string | null>(null);
  useEffect(() => {
    const abort = new AbortController();
    setTrouble(null);
    if (key === null || evaluation.peek()?.key === key) return;
    ask<Evaluation>("/v1/othello/evaluation", rules.peek().question(tree.peek(), node), abort.signal)
      .then((reply) => (evaluation.value = { key, reply }))
      .catch((error: unknown) => abort.signal.aborted || setTrouble(failureText(error)));
    return () => abort.abort();
  }, [key]);
  useEffect(() => () => void (evaluation.value = null), []);
  const now = evaluation.value?.key === key ? evaluation.value.reply : null;
  if (trouble) return <p class="trouble">{trouble}</p>;
  if (!now) return <p class="empty">{t("loading")}</p>;
  const side = now.position.side_to_move;
  const most = Math.max(1, ...now.terms.map((term) => Math.max(Math.abs(term.black), Math.abs(term.white))));
  return (
    <>
      <div class="scroll" tabIndex={0} role="region" aria-label={t("tab_evaluation")}>
      <table class="table terms">
        <thead>
          <tr>
            <th scope="col">{t("col_term")}</th>
            <th scope="col" class="num">{t("black")}</th>
            <th scope="col" class="middle"><span class="visually-hidden">{t("col_bars")}</span></th>
            <th scope="col" class="num">{t("white")}</th>
            <th scope="col" class="num">{t("col_for", { side: sideName(side) })}</th>
          </tr>
        </thead>
        <tbody>
          {now.terms.map((term) => (
            <tr key={term.term}>
              <th scope="row">{t(TERMS[term.term] ?? "term_positional")}</th>
              <td class="num">{signed(term.black, 1)}</td>
              <td class="middle"><Signed black={term.black / most} white={term.white / most} /></td>
              <td class="num">{signed(term.white, 1)}</td>
              <td class="num strong">{signed(term.value, 1)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr><th scope="row" colSpan={4}>{t("terms_total")}</th><td class="num strong">{signed(now.terms_total, 1)}</td></tr>
          <tr><th scope="row" colSpan={4}>{t("engine_estimate")}</th><td class="num strong">{signed(now.estimate.discs, 1)}</td></tr>
        </tfoot>
      </table>
      </div>
      <dl class="totals">
        <div><dt>{t("stable_discs")}</dt><dd><span class="pip black" />{now.stable.black.count} <span class="pip white" />{now.stable.white.count}</dd></div>
        <div><dt>{t("proven_bounds")}</dt><dd>{signed(now.bounds.lower, 0)} … {signed(now.bounds.upper, 0)}</dd></div>
        <div><dt>{t("regions")}</dt><dd>{now.regions.map((region) => region.size).join(" + ") || "–"}</dd></div>
      </dl>
      <p class="note">{t("evaluation_note")}</p>
    </>
  );
}

/** Two bars from the middle: what Black has to the left, what White has to the right; what counts against one is hollow. */
function Signed({ black, white }: { black: number; white: number }) {
  const width = (share: number) => Math.min(50, 50 * Math.abs(share));
  return (
    <svg class="signed" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
      <rect class={black < 0 ? "black against" : "black"} x={50 - width(black)} y="1.5" width={width(black)} height="7" />
      <rect class={white < 0 ? "white against" : "white"} x="50" y="1.5" width={width(white)} height="7" />
      <path d="M50 0V10" />
    </svg>
  );
}

const MODES: Readonly<Record<string, Key>> = {
  plain: "mode_plain",
  null_move: "mode_null",
  verified_null_move: "mode_verified",
  verified_null_move_lmr: "mode_verified_lmr",
};

const DEPTHS = [4, 5, 6, 7, 8] as const;
const COMPARE_MS = 10_000;

export function PruningPanel() {
  const key = currentKey.value;
  const { node, position } = here.value;
  const [depth, setDepth] = useState<number>(6);
  const [state, setState] = useState<{ key: string; depth: number; reply: Schemas["ComparisonReply"] } | null>(null);
  const [trouble, setTrouble] = useState<string | null>(null);
  const [working, setWorking] = useState(false);
  const [abort, setAbort] = useState<AbortController | null>(null);
  useEffect(() => () => abort?.abort(), [abort]);
  useEffect(() => {
    abort?.abort();
    setTrouble(null);
  }, [key]);
  const compare = async () => {
    if (key === null) return;
    const mine = new AbortController();
    setAbort(mine);
    setWorking(true);
    setTrouble(null);
    try {
      const body = { ...rules.peek().question(tree.peek(), node), depths: [depth], limits: { time_ms: COMPARE_MS } };
      const reply = await ask<Schemas["ComparisonReply"]>("/v1/othello/comparison", body, mine.signal);
      setState({ key, depth, reply });
    } catch (error) {
      if (!mine.signal.aborted) setTrouble(failureText(error));
    } finally {
      setWorking(false);
    }
  };
  const now = state?.key === key ? state.reply : null;
  const most = Math.max(1, ...(now?.rows.map((row) => row.nodes ?? 0) ?? []));
  return (
    <>
      <div class="row">
        <label>{t("depth")} <select value={depth} onChange={(event) => setDepth(Number(event.currentTarget.value))}>{DEPTHS.map((one) => <option key={one} value={one}>{one}</option>)}</select></label>
        <button type="button" class="button primary" disabled={working || position?.status === "finished"} onClick={() => void compare()}>{working ? t("comparing") : t("compare")}</button>
      </div>
      {trouble && <p class="trouble">{trouble}</p>}
      {now ? (
        <div class="scroll" tabIndex={0} role="region" aria-label={t("tab_pruning")}>
          <table class="table bars pruning">
            <thead>
              <tr>
                <th scope="col">{t("col_technique")}</th>
                <th scope="col" class="num">{t("col_value")}</th>
                <th scope="col">{t("col_best")}</th>
                <th scope="col" class="num">{t("col_nodes")}</th>
                <th scope="col"><span class="visually-hidden">{t("col_bars")}</span></th>
                <th scope="col" class="num wide-only">{t("col_time")}</th>
                <th scope="col">{t("col_agrees")}</th>
              </tr>
            </thead>
            <tbody>
              {now.rows.map((row) => {
                const name = MODES[row.configuration];
                const agrees = row.agrees_with_plain;
                return (
                  <tr key={`${row.configuration}${row.depth}`}>
                    <th scope="row">{name ? t(name) : row.configuration}</th>
                    <td class="num">{row.score == null ? "–" : signed(row.score, 0)}</td>
                    <td>{row.best_move ?? "–"}</td>
                    <td class="num">{row.nodes == null ? "–" : compact(row.nodes)}</td>
                    <td class="bar-cell">{row.nodes != null && <Bar share={row.nodes / most} kind={row.exact_for_depth ? "exact" : ""} />}</td>
                    <td class="num wide-only">{row.elapsed_ms == null ? "–" : duration(row.elapsed_ms)}</td>
                    <td>{row.configuration === "plain" ? <span class="muted">{t("reference")}</span> : agrees == null ? "–" : agrees.score && agrees.move ? <span class="good">✓ {t("agrees")}</span> : <span class="bad">✗ {agrees.move ? t("other_value") : agrees.score ? t("other_move") : t("differs")}</span>}</td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </div>
      ) : (
        <p class="note">{t("pruning_note")}</p>
      )}
      {now && <p class="note">{t("pruning_units")}</p>}
    </>
  );
}
