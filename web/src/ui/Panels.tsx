// The smaller panels: playing against the engine, sharing, settings, keys.

import { useState } from "preact/hooks";
import { t, type Key } from "../i18n";
import { askPicture } from "../model/service";
import { type Settings, TIMES_MS } from "../model/settings";
import { boardText } from "../model/squares";
import { type Side, movesTo } from "../model/tree";
import { joinMoves } from "../model/url";
import { endMatch, hidden, match, opening, startMatch } from "../state/opponent";
import { flipped, here, link, rule, rules, set, settings, tree } from "../state/store";
import { shown } from "../state/analysis";
import { startOpening } from "../state/swap2";
import { type Readiness, answersHere, engineBytes, prepare, readiness } from "../state/offline";
import { Icon } from "./icons";
import { duration, isProven, shortScore } from "../model/score";

// --- play ------------------------------------------------------------------------------------------------------------

const LEVELS = Array.from({ length: 30 }, (_, index) => index + 1);
const FIRST_LEVEL = 5;

export function PlayPanel() {
  const now = match.value;
  const [you, setYou] = useState<Side>(now?.you ?? "black");
  const [level, setLevel] = useState(now?.level ?? FIRST_LEVEL);
  return (
    <>
      <fieldset class="choice">
        <legend>{t("your_color")}</legend>
        {(["black", "white"] as const).map((side) => (
          <label key={side}><input type="radio" name="you" checked={you === side} onChange={() => setYou(side)} /> <span class={`pip ${side}`} />{t(side)}</label>
        ))}
      </fieldset>
      <label class="slider">
        <span>{t("level_n", { level })}</span>
        <input type="range" min={1} max={LEVELS.length} value={level} onInput={(event) => setLevel(Number(event.currentTarget.value))} aria-label={t("level")} />
        <span class="muted">{t(level <= 5 ? "level_easy" : level <= 12 ? "level_medium" : level <= 20 ? "level_hard" : "level_full")}</span>
      </label>
      {rules.value.game === "gomoku" && rule.value !== "renju" && (
        <fieldset class="choice">
          <legend>{t("swap2")}</legend>
          <button type="button" class="button" data-swap2="you" onClick={() => startOpening("you", level)}>{t("swap2_you_lay")}</button>
          <button type="button" class="button" data-swap2="engine" onClick={() => startOpening("engine", level)}>{t("swap2_engine_lays")}</button>
        </fieldset>
      )}
      <div class="row">
        <button type="button" class="button primary" onClick={() => startMatch(you, level, "start")}><Icon name="play" />{t("new_match")}</button>
        <button type="button" class="button" onClick={() => startMatch(you, level, "here")}>{t("match_from_here")}</button>
        {(now || opening.value) && <button type="button" class="button" onClick={endMatch}>{t("end_match")}</button>}
      </div>
      <label class="switch"><input type="checkbox" role="switch" data-setting="valuesInMatch" checked={settings.value.valuesInMatch} onChange={(event) => set("valuesInMatch", event.currentTarget.checked)} /> {t("values_in_match")}</label>
      <p class="note">{t("match_note")}</p>
    </>
  );
}

// --- share -----------------------------------------------------------------------------------------------------------

export function SharePanel() {
  const { node, position } = here.value;
  const [copied, setCopied] = useState<string | null>(null);
  if (!position) return <p class="empty">{t("loading")}</p>;
  const question = rules.value.question(tree.value, node);
  const json = JSON.stringify({ ...question, goal: "all_moves", limits: { time_ms: settings.value.timeMs } });
  const texts: [Key, string][] = [
    ["share_link", location.origin + location.pathname + link.value],
    ["share_moves", joinMoves(movesTo(node))],
    ["share_board", boardText(position.board, position.side)],
    ["share_json", json],
    ["share_curl", `curl -s ${location.origin}/v1/${rules.value.game}/analysis -H 'content-type: application/json' -d '${json}'`],
  ];
  const copy = async (key: Key, text: string) => {
    setCopied((await toClipboard(text)) ? key : null);
  };
  return (
    <>
      <ul class="shares">
        {texts.filter(([, text]) => text !== "").map(([key, text]) => (
          <li key={key}>
            <span class="share-name">{t(key)}</span>
            <code class="share-text" tabIndex={0}>{text}</code>
            <button type="button" class="button" data-copy={key} onClick={() => void copy(key, text)} aria-label={`${t(copied === key ? "copied" : "copy")}: ${t(key)}`}>{copied === key ? t("copied") : t("copy")}</button>
          </li>
        ))}
      </ul>
      <span class="visually-hidden" role="status">{copied ? t("copied") : ""}</span>
      <Pictures />
    </>
  );
}

async function toClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Without a secure context there is no clipboard interface; a selection can still be copied.
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}

const PICTURE_PX = 960;

/** The picture of this position as it is asked for, with the values on the board when they are shown. */
function pictureQuestion(): { path: string; query: URLSearchParams } {
  const { node, position } = here.value;
  const { path, query } = rules.value.picture(tree.value, node);
  query.set("width", String(PICTURE_PX));
  if (node.move && node.move !== "pass") query.set("last_move", node.move);
  if (flipped.value) query.set("flip", "true");
  const moves = shown.value?.answer?.moves ?? [];
  const values = moves.flatMap((move) => (move.score && position?.legal?.has(move.move) ? [`${move.move}:${isProven(move.score) ? "" : "~"}${shortScore(move.score).replace("\u2212", "-")}`] : []));
  if (settings.value.showValues && values.length > 0 && !hidden.value) query.set("values", values.join(","));
  return { path, query };
}

function Pictures() {
  const [trouble, setTrouble] = useState(false);
  const { path, query } = pictureQuestion();
  const name = `${rules.value.game}-${joinMoves(movesTo(here.value.node)).slice(0, 40) || "position"}`;
  const drawn = async (extension: string, made: (svg: Blob) => Blob | Promise<Blob>) => {
    try {
      const svg = new Blob([await askPicture(path, query)], { type: "image/svg+xml" });
      save(await made(svg), `${name}.${extension}`);
      setTrouble(false);
    } catch {
      setTrouble(true);
    }
  };
  const onSvg = (event: MouseEvent) => {
    if (!answersHere.value) return;
    event.preventDefault();
    void drawn("svg", (svg) => svg);
  };
  return (
    <>
      <h3>{t("picture")}</h3>
      <div class="row">
        <a class="button" href={`${path}?${query.toString()}`} download={`${name}.svg`} onClick={onSvg}>SVG</a>
        <button type="button" class="button" onClick={() => void drawn("png", toPng)}>PNG</button>
      </div>
      {trouble && <p class="trouble">{t("picture_failed")}</p>}
    </>
  );
}

function toPng(svg: Blob): Promise<Blob> {
  const address = URL.createObjectURL(svg);
  return new Promise<Blob>((resolve, reject) => {
    const image = new Image();
    image.onerror = () => reject(new Error("the picture cannot be loaded"));
    image.onload = () => {
      const canvas = document.createElement("canvas");
      canvas.width = PICTURE_PX;
      canvas.height = Math.round((PICTURE_PX * image.naturalHeight) / Math.max(1, image.naturalWidth));
      canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("the canvas gave no picture"))), "image/png");
    };
    image.src = address;
  }).finally(() => URL.revokeObjectURL(address));
}

function save(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  const anchor = document.createElement("a");
  anchor.href = address;
  anchor.download = name;
  anchor.click();
  URL.revokeObjectURL(address);
}

// --- settings --------------------------------------------------------------------------------------------------------

const LANGUAGES = { en: "English", ja: "日本語", zh: "中文" } as const;
const MOST_THREADS = 8;

export function SettingsPanel() {
  const now = settings.value;
  const flag = (key: "showValues" | "showCoordinates" | "autoPass", name: Key) => (
    <label class="switch"><input type="checkbox" role="switch" checked={now[key]} onChange={(event) => set(key, event.currentTarget.checked)} /> {t(name)}</label>
  );
  return (
    <div class="settings">
      <label>{t("language")}
        <select data-setting="language" value={now.language} onChange={(event) => set("language", event.currentTarget.value as Settings["language"])}>
          {Object.entries(LANGUAGES).map(([code, name]) => <option key={code} value={code} lang={code}>{name}</option>)}
        </select>
      </label>
      <label>{t("theme")}
        <select value={now.theme} onChange={(event) => set("theme", event.currentTarget.value as Settings["theme"])}>
          <option value="system">{t("theme_system")}</option>
          <option value="light">{t("theme_light")}</option>
          <option value="dark">{t("theme_dark")}</option>
        </select>
      </label>
      <label>{t("time_per_position")}
        <select value={now.timeMs} onChange={(event) => set("timeMs", Number(event.currentTarget.value))}>
          {TIMES_MS.map((time) => <option key={time} value={time}>{duration(time).replace(".0", "")}</option>)}
        </select>
      </label>
      <label>{t("threads")}
        <select value={now.threads ?? 0} onChange={(event) => set("threads", Number(event.currentTarget.value) || null)}>
          <option value={0}>{t("threads_default")}</option>
          {Array.from({ length: MOST_THREADS }, (_, index) => <option key={index} value={index + 1}>{index + 1}</option>)}
        </select>
      </label>
      {rules.value.game === "othello" && (
        <label>{t("empties_rule")}
          <select value={now.empties} onChange={(event) => set("empties", event.currentTarget.value as Settings["empties"])}>
            <option value="winner">{t("empties_winner")}</option>
            <option value="nobody">{t("empties_nobody")}</option>
          </select>
        </label>
      )}
      <EngineSetting />
      <label>{t("api_key")}
        <input type="password" autocomplete="off" spellcheck={false} placeholder={t("api_key_none")} value={now.apiKey} onChange={(event) => set("apiKey", event.currentTarget.value)} />
      </label>
      {flag("showValues", "show_values")}
      {flag("showCoordinates", "show_coordinates")}
      {flag("autoPass", "auto_pass")}
    </div>
  );
}

/** Who answers, and whether this browser could. */
function EngineSetting() {
  const megabytes = (engineBytes / 1e6).toFixed(1);
  const state = readiness.value;
  return (
    <div class="engine">
      <label>{t("engine")}
      <select data-setting="engine" value={settings.value.engine} disabled={state === "absent"} onChange={(event) => set("engine", event.currentTarget.value as Settings["engine"])}>
        <option value="auto">{t("engine_auto")}</option>
        <option value="here">{t("engine_here")}</option>
        <option value="service">{t("engine_service")}</option>
      </select>
      </label>
      <div class="note" data-readiness={state}>
        <span role="status">{t(READINESS[state], { megabytes })}</span>
        {(state === "waiting" || state === "failed") && <button type="button" class="button" data-action="get-engine" onClick={() => void prepare()}>{t("engine_get")}</button>}
      </div>
    </div>
  );
}

const READINESS: Readonly<Record<Readiness, Key>> = {
  absent: "engine_absent",
  waiting: "engine_waiting",
  loading: "engine_loading",
  ready: "engine_ready",
  failed: "engine_failed",
};

// --- keys ------------------------------------------------------------------------------------------------------------

const KEYS: [string, Key][] = [
  ["← →", "key_step"],
  ["Home End", "key_ends"],
  ["Space", "key_run"],
  ["U", "key_undo"],
  ["P", "key_pass"],
  ["F", "key_flip"],
  ["H", "key_hint"],
  ["E", "key_setup"],
  ["N", "key_new"],
  ["?", "key_keys"],
];

export function KeysPanel() {
  return (
    <>
      <dl class="keys">{KEYS.map(([keys, what]) => <div key={keys}><dt>{keys.split(" ").map((key) => <kbd key={key}>{key}</kbd>)}</dt><dd>{t(what)}</dd></div>)}</dl>
      <p class="note">{t("keys_note")}</p>
      <p class="note"><a href="/docs/">{t("api_docs")}</a></p>
    </>
  );
}
