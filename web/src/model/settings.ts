// What a person has chosen, kept in the browser where that is allowed and forgotten without harm where it is not.

export type Language = "en" | "ja" | "zh";
export type EngineChoice = "auto" | "here" | "service";
export type Theme = "system" | "light" | "dark";

export interface Settings {
  language: Language;
  theme: Theme;
  showValues: boolean;
  showCoordinates: boolean;
  autoPass: boolean;
  /** Milliseconds the engine may think about a position that is being looked at. */
  timeMs: number;
  /** `null`: as many as the service gives. */
  threads: number | null;
  empties: "winner" | "nobody";
  /** Who answers: the service and this browser only where it cannot be reached, this browser always, the service alone. */
  engine: EngineChoice;
  /** Whether the engine's values stay visible during a match. */
  valuesInMatch: boolean;
  /** For services that ask for one; empty where none is needed. */
  apiKey: string;
}

export const TIMES_MS = [1_000, 2_000, 5_000, 15_000, 60_000] as const;

const KEY = "discern.board";

export function defaults(languages: readonly string[]): Settings {
  const known: readonly Language[] = ["en", "ja", "zh"];
  const wanted = languages.map((tag) => tag.slice(0, 2).toLowerCase());
  const language = wanted.map((tag) => known.find((one) => one === tag)).find((one) => one !== undefined) ?? "en";
  return {
    language,
    theme: "system",
    showValues: true,
    showCoordinates: true,
    autoPass: true,
    timeMs: 5_000,
    threads: null,
    empties: "winner",
    engine: "auto",
    valuesInMatch: false,
    apiKey: "",
  };
}

/** Stored settings over the defaults; anything that is not what it should be is left at its default. */
export function merge(base: Settings, stored: unknown): Settings {
  if (typeof stored !== "object" || stored === null) return base;
  const given = stored as Record<string, unknown>;
  const oneOf = <T>(name: keyof Settings, allowed: readonly T[], fallback: T): T => allowed.find((one) => one === given[name]) ?? fallback;
  const flag = (name: keyof Settings, fallback: boolean): boolean => (typeof given[name] === "boolean" ? (given[name] as boolean) : fallback);
  const threads = given["threads"];
  return {
    language: oneOf("language", ["en", "ja", "zh"] as const, base.language),
    theme: oneOf("theme", ["system", "light", "dark"] as const, base.theme),
    showValues: flag("showValues", base.showValues),
    showCoordinates: flag("showCoordinates", base.showCoordinates),
    autoPass: flag("autoPass", base.autoPass),
    timeMs: oneOf<number>("timeMs", TIMES_MS, base.timeMs),
    threads: typeof threads === "number" && Number.isInteger(threads) && threads > 0 ? threads : base.threads,
    empties: oneOf("empties", ["winner", "nobody"] as const, base.empties),
    engine: oneOf("engine", ["auto", "here", "service"] as const, base.engine),
    valuesInMatch: flag("valuesInMatch", base.valuesInMatch),
    apiKey: typeof given["apiKey"] === "string" ? given["apiKey"] : base.apiKey,
  };
}

export function load(): Settings {
  const base = defaults(navigator.languages ?? [navigator.language]);
  try {
    return merge(base, JSON.parse(localStorage.getItem(KEY) ?? "null"));
  } catch {
    return base;
  }
}

export function save(settings: Settings): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // Private windows may refuse; the choice then holds until the page is left.
  }
}
