// The whole game as a curve: value by ply as Black sees it, losses as bars, discs as a thin line. Press it to go there.

import { useEffect, useRef, useState } from "preact/hooks";
import type uPlot from "uplot";
import { t } from "../i18n";
import { totals, type ReviewPoint } from "../model/review";
import { signed, verdict } from "../model/score";
import { count } from "../model/squares";
import { points, progress, startReview, stopReview } from "../state/review";
import { game, goTo, here, line, settings } from "../state/store";
import { plyOf } from "../model/tree";
import { moveName, sideName } from "./Headline";

const HEIGHT = 220;
/** The curve is drawn at least this high and low, so that small swings stay small. */
const LEAST_RANGE = 10;

export function Graph() {
  const known = points.value;
  const some = known.some((point) => point.value !== null);
  const working = progress.value;
  return (
    <>
      <div class="row">
        {working ? (
          <>
            <button type="button" class="button" onClick={stopReview}>{t("stop")}</button>
            <progress max={working.of} value={working.done} aria-label={t("review_progress")} />
            <span class="muted">{working.done} / {working.of}</span>
          </>
        ) : (
          <button type="button" class="button primary" disabled={line.value.length < 2} onClick={() => void startReview()}>{t("review_game")}</button>
        )}
      </div>
      {some ? <Curve points={known} /> : <p class="empty">{line.value.length < 2 ? t("graph_no_game") : t("graph_empty")}</p>}
      {some && <Mistakes points={known} />}
    </>
  );
}

function Curve({ points: known }: { points: readonly ReviewPoint[] }) {
  const holder = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const [library, setLibrary] = useState<typeof uPlot | null>(null);
  const nodes = line.value;
  const ply = plyOf(here.value.node);
  const theme = settings.value.theme;
  const discs = game.value === "othello" ? nodes.map((node) => (node.position ? count(node.position.board, "X") - count(node.position.board, "O") : null)) : null;
  useEffect(() => {
    void Promise.all([import("uplot"), import("uplot/dist/uPlot.min.css")]).then(([module]) => setLibrary(() => module.default));
  }, []);
  useEffect(() => {
    const element = holder.current;
    if (!library || !element) return;
    plot.current = draw(library, element, known, discs, ply, (at) => nodes[at] && goTo(nodes[at]));
    const observer = new ResizeObserver(() => plot.current?.setSize({ width: element.clientWidth, height: HEIGHT }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.current?.destroy();
      plot.current = null;
    };
  }, [library, known, ply, theme, nodes]);
  return <div class="curve" ref={holder} role="img" aria-label={t("graph_label")} />;
}

function draw(
  Plot: typeof uPlot,
  element: HTMLElement,
  known: readonly ReviewPoint[],
  discs: (number | null)[] | null,
  ply: number,
  onPly: (ply: number) => void,
): uPlot {
  const css = getComputedStyle(element);
  const color = (name: string) => css.getPropertyValue(name).trim();
  const [accent, muted, hairline, bad, text] = [color("--accent"), color("--muted"), color("--line"), color("--bad"), color("--text")];
  const losses = known.map((point) => (point.loss !== null && point.loss >= 0.5 ? (point.mover === "black" ? -point.loss : point.loss) : null));
  const series: uPlot.Series[] = [
    { label: t("col_ply") },
    { label: t("col_value"), stroke: accent, width: 2, points: { show: known.length < 40, size: 4, fill: accent }, spanGaps: true },
    { label: t("col_loss"), stroke: bad, fill: bad, width: 0, paths: Plot.paths.bars!({ size: [0.5, 14] }), points: { show: false } },
  ];
  const data: (number | null)[][] = [known.map((point) => point.ply), known.map((point) => point.value), losses];
  if (discs) {
    series.push({ label: t("discs"), stroke: muted, width: 1, dash: [3, 3], points: { show: false }, spanGaps: true });
    data.push(discs);
  }
  const plot = new Plot(
    {
      width: element.clientWidth,
      height: HEIGHT,
      legend: { show: false },
      cursor: { y: false, points: { show: true }, drag: { x: false, y: false } },
      scales: {
        x: { time: false, range: [0, Math.max(4, known.length - 1)] },
        y: { range: (_plot, low, high) => [Math.min(-LEAST_RANGE, (low ?? 0) * 1.1), Math.max(LEAST_RANGE, (high ?? 0) * 1.1)] },
      },
      axes: [
        { stroke: muted, grid: { show: false }, ticks: { show: false }, size: 26, values: (_plot, splits) => splits.map((split) => (Number.isInteger(split) ? String(split) : "")) },
        { stroke: muted, grid: { stroke: hairline, width: 1 }, ticks: { show: false }, size: 40, values: (_plot, splits) => splits.map((split) => signed(split, 0)) },
      ],
      series,
      hooks: {
        drawClear: [(drawn) => shadeExact(drawn, known, color("--accent-faint"))],
        draw: [(drawn) => markPly(drawn, ply, text)],
      },
    },
    data as uPlot.AlignedData,
    element,
  );
  plot.over.addEventListener("click", () => {
    const at = plot.cursor.idx;
    if (at !== null && at !== undefined) onPly(at);
  });
  return plot;
}

/** Shades the part of the game whose values are proven. */
function shadeExact(plot: uPlot, known: readonly ReviewPoint[], color: string): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.fillStyle = color;
  known.forEach((point, index) => {
    if (!point.exact) return;
    const from = plot.valToPos(Math.max(0, index - 0.5), "x", true);
    const to = plot.valToPos(Math.min(known.length - 1, index + 0.5), "x", true);
    ctx.fillRect(from, bbox.top, to - from, bbox.height);
  });
  ctx.restore();
}

function markPly(plot: uPlot, ply: number, color: string): void {
  const { ctx, bbox } = plot;
  const x = plot.valToPos(ply, "x", true);
  ctx.save();
  ctx.strokeStyle = color;
  ctx.lineWidth = devicePixelRatio;
  ctx.beginPath();
  ctx.moveTo(x, bbox.top);
  ctx.lineTo(x, bbox.top + bbox.height);
  ctx.stroke();
  ctx.restore();
}

const MOST_MISTAKES = 6;

function Mistakes({ points: known }: { points: readonly ReviewPoint[] }) {
  const sum = totals(known);
  const worst = known
    .filter((point) => point.loss !== null && verdict(point.loss) !== "best")
    .sort((a, b) => b.loss! - a.loss!)
    .slice(0, MOST_MISTAKES);
  const nodes = line.value;
  return (
    <>
      <p class="legend"><span class="key curve-key">{t("legend_value")}</span><span class="key exact-key">{t("legend_exact")}</span><span class="key loss-key">{t("legend_loss")}</span></p>
      <dl class="totals">
        {(["black", "white"] as const).map((side) => (
          <div key={side}>
            <dt><span class={`pip ${side}`} />{sideName(side)}</dt>
            <dd>{sum[side].moves === 0 ? "–" : t("lost_in", { loss: sum[side].loss.toFixed(1), moves: sum[side].moves })}</dd>
          </div>
        ))}
      </dl>
      {worst.length > 0 && (
        <>
          <h3>{t("biggest_losses")}</h3>
          <ul class="mistakes">
            {worst.map((point) => (
              <li key={point.ply}>
                <button type="button" class="jump" onClick={() => nodes[point.ply - 1] && goTo(nodes[point.ply - 1]!)}>
                  <span class={`pip ${point.mover}`} />{point.ply}. {moveName(point.move ?? "")}
                  <span class={`loss ${verdict(point.loss!)}`}>−{point.loss!.toFixed(1)}</span>
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
