// Every sentence of the page, in three languages. English is always there; the others are fetched when chosen.

import { effect, signal } from "@preact/signals";
import { settings } from "../state/store";
import { en } from "./en";

export type Key = keyof typeof en;
export type Strings = Record<Key, string>;

const strings = signal<Strings>(en);
export const language = signal(settings.value.language);

const LOADERS = {
  en: async () => en as Strings,
  ja: async () => (await import("./ja")).ja,
  zh: async () => (await import("./zh")).zh,
};

/** Loads the chosen language; the page stays in the one before until it is there. */
export async function speak(wanted: keyof typeof LOADERS): Promise<void> {
  try {
    const table = await LOADERS[wanted]();
    if (settings.value.language !== wanted) return;
    strings.value = table;
    language.value = wanted;
    document.documentElement.lang = wanted;
  } catch {
    // Offline: the language before stays.
  }
}

effect(() => void speak(settings.value.language));

/** A sentence, with `{name}` replaced by the values given. */
export function t(key: Key, values: Record<string, string | number> = {}): string {
  return strings.value[key].replace(/\{(\w+)\}/g, (whole, name: string) => (name in values ? String(values[name]) : whole));
}
