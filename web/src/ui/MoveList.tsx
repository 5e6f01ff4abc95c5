// The game as a list of moves. Branches stand in brackets where they leave the shown line; each move goes to its position.

import type { ComponentChildren } from "preact";
import { t } from "../i18n";
import { type Node, plyOf } from "../model/tree";
import { type ReviewPoint } from "../model/review";
import { verdict } from "../model/score";
import { points } from "../state/review";
import { match } from "../state/opponent";
import { goTo, here, line, opening, removeBranch } from "../state/store";
import { moveName, sideName } from "./Headline";
import { Icon } from "./icons";

const MARKS = { best: "", slip: "?!", mistake: "?", blunder: "??" } as const;

export function MoveList() {
  const nodes = line.value;
  const known = points.value;
  const name = opening.value;
  return (
    <section class="moves" aria-label={t("moves_of_game")}>
      <p class="moves-head">
        <b>{name ?? t("moves_of_game")}</b>
        <span class="muted">{t("move_n_of", { ply: plyOf(here.value.node), of: nodes.length - 1 })}</span>
      </p>
      {nodes.length === 1 ? (
        <p class="empty">{t("no_moves_yet")}</p>
      ) : (
        <div class="move-flow" tabIndex={0} role="group" aria-label={t("moves_of_game")}>
          {nodes.slice(1).map((node, index) => (
            <Entry key={node.id} node={node} ply={index + 1} point={match.value ? undefined : known[index + 1]} />
          ))}
        </div>
      )}
    </section>
  );
}

function Entry({ node, ply, point }: { node: Node; ply: number; point: ReviewPoint | undefined }) {
  const branches = node.parent?.children.filter((child) => child !== node) ?? [];
  return (
    <>
      <MoveButton node={node} ply={ply} point={point} />
      {branches.map((branch) => (
        <span class="branch" key={branch.id}>
          <BranchMoves node={branch} ply={ply} />
          <button type="button" class="remove" onClick={() => removeBranch(branch)} aria-label={t("remove_branch", { move: moveName(branch.move ?? "") })}><Icon name="close" /></button>
        </span>
      ))}
    </>
  );
}

function BranchMoves({ node, ply }: { node: Node; ply: number }): ComponentChildren {
  const moves: ComponentChildren[] = [];
  let at: Node | undefined = node;
  for (let count = ply; at; count += 1) {
    moves.push(<MoveButton key={at.id} node={at} ply={count} point={undefined} />);
    at = at.children[0];
  }
  return moves;
}

function MoveButton({ node, ply, point }: { node: Node; ply: number; point: ReviewPoint | undefined }) {
  const current = here.value.node === node;
  const mover = node.parent?.position?.side ?? null;
  const grade = point?.loss != null ? verdict(point.loss) : null;
  const mark = grade ? MARKS[grade] : "";
  const lost = grade && grade !== "best" ? `, ${t("loses", { loss: point!.loss!.toFixed(1) })}` : "";
  return (
    <button
      type="button"
      class={`move${current ? " current" : ""}${node.move === "pass" ? " pass" : ""}`}
      data-move={node.move ?? ""}
      aria-current={current ? "step" : undefined}
      onClick={() => goTo(node)}
    >
      <span class="move-ply">{ply}</span>
      {mover && <><span class={`pip ${mover}`} /><span class="visually-hidden">{sideName(mover)} </span></>}
      {moveName(node.move ?? "")}
      {lost && <span class="visually-hidden">{lost}</span>}
      {mark && <span class={`loss ${grade}`} aria-hidden="true">{mark}</span>}
    </button>
  );
}
