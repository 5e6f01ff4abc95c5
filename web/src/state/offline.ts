// The engine of this browser: when it is fetched, and when it answers instead of the service.

import { computed, effect, signal } from "@preact/signals";
import { LocalEngine } from "../engine/local";
import { engineFile } from "../generated/engine";
import { type Backup, route } from "../model/service";
import { connection, pause, settings } from "./store";

export type Readiness =
  /** This build has no such engine. */
  | "absent"
  /** Not fetched yet. */
  | "waiting"
  | "loading"
  | "ready"
  | "failed";

export const readiness = signal<Readiness>(engineFile ? "waiting" : "absent");
/** Size of the engine in bytes, before compression. */
export const engineBytes = engineFile?.bytes ?? 0;
/** The service cannot be reached and this browser answers in its place. */
export const away = signal(false);
/** Counts the service's returns: what was found without it is then asked anew. */
export const returns = signal(0);
/** Whether this browser answers, for whatever reason. */
export const answersHere = computed(() => readiness.value === "ready" && (settings.value.engine === "here" || away.value));

let engine: LocalEngine | null = null;
let loading: Promise<LocalEngine | null> | null = null;

/** One processor is left for the page and for whatever else the machine does. */
const workers = () => settings.value.threads ?? Math.max(1, (navigator.hardwareConcurrency || 2) - 1);

/** Fetches the engine if that has not been done. `null` where it cannot be had. */
export function prepare(): Promise<Backup | null> {
  if (!engineFile) return Promise.resolve(null);
  loading ??= load(new URL(engineFile.address, location.href).href).finally(() => (loading = null));
  return engine ? Promise.resolve(engine) : loading;
}

async function load(address: string): Promise<LocalEngine | null> {
  readiness.value = "loading";
  try {
    engine = await LocalEngine.load(address, workers);
    readiness.value = "ready";
    return engine;
  } catch {
    // Without a network it may come later; a browser that cannot run it says so each time.
    readiness.value = "failed";
    return null;
  }
}

route({
  instead: () => (answersHere.value ? engine : null),
  lost: async () => {
    if (settings.value.engine === "service") return null;
    const backup = await prepare();
    if (backup && !away.value && settings.value.engine === "auto") {
      away.value = true;
      connection.value = "offline";
      void watch();
    }
    return backup;
  },
  reached: () => {
    connection.value = "online";
  },
});

const PROBE_MS = 3_000;

/** Looks for the service until it is there again, or until nobody wants to know any more. */
async function watch(): Promise<void> {
  while (away.value && settings.value.engine === "auto") {
    await pause(PROBE_MS);
    try {
      const response = await fetch("/favicon.svg", { cache: "no-store" });
      if (!response.ok) continue;
      away.value = false;
      connection.value = "online";
      returns.value += 1;
      engine?.rest();
    } catch {
      // Still away.
    }
  }
  away.value = false;
}

/** The first picture of the board must not wait for megabytes that most visits never need. */
const QUIET_MS = 10_000;

/** What browsers tell of the network, where they do. */
interface Network {
  saveData?: boolean;
  effectiveType?: string;
}

/** Fetches the engine ahead of need once the page has been open for a while, unless the network is dear or slow. */
function prepareInTime(): void {
  const network = (navigator as { connection?: Network }).connection;
  if (network?.saveData || /2g/.test(network?.effectiveType ?? "")) return;
  setTimeout(() => {
    if (settings.value.engine === "auto") void prepare();
  }, QUIET_MS);
}

if (engineFile) {
  prepareInTime();
  effect(() => {
    if (settings.value.engine === "here" && readiness.peek() !== "ready") void prepare();
  });
}
