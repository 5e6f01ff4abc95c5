// Setting up a position square by square, and reading whatever was pasted.

import { useState } from "preact/hooks";
import { t } from "../i18n";
import { ServiceError } from "../model/service";
import { beginRead, notice, rules, view } from "../state/store";
import { draft, mirrored, swapColors, useDraft } from "../state/editor";
import { Icon } from "./icons";

export function SetUp() {
  const now = draft.value;
  return (
    <>
      <Paste />
      <h3>{t("edit_by_hand")}</h3>
      <p class="note">{t("edit_note")}</p>
      {now && (
        <>
          <fieldset class="choice">
            <legend>{t("side_to_move")}</legend>
            {(["black", "white"] as const).map((side) => (
              <label key={side}><input type="radio" name="side" checked={now.side === side} onChange={() => (draft.value = { ...now, side })} /> <span class={`pip ${side}`} />{t(side)}</label>
            ))}
          </fieldset>
          <div class="row">
            <button type="button" class="button" onClick={() => (draft.value = { board: rules.value.startBoard, side: "black" })}>{t("start_position")}</button>
            <button type="button" class="button" onClick={() => (draft.value = { ...now, board: "-".repeat(now.board.length) })}>{t("clear")}</button>
            <button type="button" class="button" onClick={() => (draft.value = { ...now, board: mirrored(now.board, rules.value.size) })}>{t("mirror")}</button>
            <button type="button" class="button" onClick={() => (draft.value = { ...now, board: swapColors(now.board) })}>{t("swap_colors")}</button>
          </div>
          <div class="row">
            <button type="button" class="button primary" onClick={useDraft}><Icon name="check" />{t("use_position")}</button>
            <button type="button" class="button" onClick={() => (view.value = "moves")}>{t("cancel")}</button>
          </div>
        </>
      )}
    </>
  );
}

interface Fault {
  message: string;
  /** Where in the text, if the service could say. */
  at: number | null;
}

const LONGEST_MOVE = 3;

/** How the faulty token is cut out of the text: a move, or what reads as one word from there on. */
export function tokenAt(text: string, at: number): [number, number] {
  const characters = [...text];
  const from = Math.min(at, characters.length);
  const move = /^[a-z]\d{1,2}/i.exec(characters.slice(from, from + LONGEST_MOVE).join(""));
  if (move) return [from, from + move[0].length];
  let to = from;
  while (to < characters.length && /[\p{L}\p{N}@+-]/u.test(characters[to]!)) to += 1;
  if (to === from && from < characters.length) to = from + 1;
  return [from, to];
}

/** Reads a text; the game or position in it goes on the board. Returns what was wrong with it. */
export async function readText(text: string): Promise<Fault | null> {
  try {
    const read = await rules.value.read(text);
    view.value = "moves";
    beginRead(read);
    if (read.assumed.length > 0) notice.value = t("read_assuming", { what: read.assumed.join("; ") });
    return null;
  } catch (error) {
    if (!(error instanceof ServiceError)) return { message: String(error), at: null };
    const { failure } = error;
    if (failure.kind === "offline") return { message: t("offline_retry"), at: null };
    if (failure.kind === "busy") return { message: t("busy_retry", { seconds: Math.ceil(failure.retryMs / 1000) }), at: null };
    const fault = failure.problem.errors?.[0];
    const place = /^\/text\/(\d+)/.exec(fault?.pointer ?? "");
    return { message: fault?.message ?? failure.problem.detail, at: place ? Number(place[1]) : null };
  }
}

function Paste() {
  const [text, setText] = useState("");
  const [fault, setFault] = useState<Fault | null>(null);
  const [busy, setBusy] = useState(false);
  const read = async (what: string) => {
    if (what.trim() === "") return;
    setBusy(true);
    setFault(await readText(what));
    setBusy(false);
  };
  return (
    <form
      class="paste"
      onSubmit={(event) => {
        event.preventDefault();
        void read(text);
      }}
    >
      <label for="paste">{t("paste_label")}</label>
      <textarea
        id="paste"
        rows={4}
        spellcheck={false}
        autocapitalize="off"
        placeholder={rules.value.game === "gomoku" ? "h8 i9 h9" : "f5d6c3d3c4"}
        value={text}
        aria-invalid={fault !== null}
        aria-describedby="paste-note"
        onInput={(event) => {
          setText(event.currentTarget.value);
          setFault(null);
        }}
      />
      {fault && <FaultView text={text} fault={fault} />}
      <p class="note" id="paste-note">{t(rules.value.game === "gomoku" ? "paste_note_gomoku" : "paste_note")}</p>
      <button type="submit" class="button primary" disabled={busy || text.trim() === ""}>{t("read")}</button>
    </form>
  );
}

const AROUND = 24;

function FaultView({ text, fault }: { text: string; fault: Fault }) {
  const characters = [...text];
  const [from, to] = fault.at === null ? [0, 0] : tokenAt(text, fault.at);
  return (
    <div class="fault" role="alert">
      {fault.at !== null && (
        <p class="fault-text">
          {from > AROUND && "…"}
          {characters.slice(Math.max(0, from - AROUND), from).join("")}
          <mark>{characters.slice(from, to).join("") || "␣"}</mark>
          {characters.slice(to, to + AROUND).join("")}
          {to + AROUND < characters.length && "…"}
        </p>
      )}
      <p>{fault.message}</p>
    </div>
  );
}
