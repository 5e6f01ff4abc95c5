// The keyboard outside of fields: stepping through the game and the switches of the page.

import { useEffect } from "preact/hooks";
import { running } from "../state/analysis";
import { askHint, takeBack } from "../state/opponent";
import { begin, flipped, play, step, view } from "../state/store";

const ACTIONS: Readonly<Record<string, () => void>> = {
  ArrowLeft: () => step(-1),
  ArrowRight: () => step(1),
  Home: () => step(-Infinity),
  End: () => step(Infinity),
  " ": () => (running.value = !running.value),
  u: takeBack,
  p: () => play("pass"),
  f: () => (flipped.value = !flipped.value),
  h: () => void askHint(),
  e: () => (view.value = view.value === "setup" ? "moves" : "setup"),
  n: () => begin({ kind: "standard" }, []),
  "?": () => (view.value = view.value === "keys" ? "moves" : "keys"),
  Escape: () => (view.value = "moves"),
};

export function useKeys(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const target = event.target as HTMLElement | null;
      if (target?.closest("input, textarea, select, summary")) return;
      // A focused button takes the space bar for itself; squares and all else leave it to us.
      if (event.key === " " && target?.closest("button, a, [role=tab]")) return;
      const action = ACTIONS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
      if (!action) return;
      event.preventDefault();
      action();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
}
