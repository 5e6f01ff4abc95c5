// One worker as the page sees it.

import type { Answer } from "./instance";
import type { FromWorker, ToWorker } from "./messages";

interface Waiting {
  onStep: (text: string) => void;
  resolve: (answer: Answer) => void;
  reject: (error: Error) => void;
}

export class Hand {
  /** The compiled engine, once it is there. */
  readonly started: Promise<WebAssembly.Module>;
  private readonly worker: Worker;
  private readonly waiting = new Map<number, Waiting>();
  private nextId = 1;
  private broken: Error | null = null;
  private refuse: (error: Error) => void = () => {};

  constructor(from: string | WebAssembly.Module) {
    this.worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    this.started = new Promise((resolve, reject) => {
      this.refuse = reject;
      this.worker.onmessage = ({ data }: MessageEvent<FromWorker>) => (data.kind === "ready" ? resolve(data.module) : this.hear(data));
    });
    // Whoever waits for it is told; if nobody does, that is no fault of the page.
    this.started.catch(() => {});
    this.worker.onerror = (event) => {
      event.preventDefault();
      this.breaks(new Error(event.message || "the worker could not be loaded"));
    };
    this.say({ kind: "start", from });
  }

  /** Whether it can still be asked. */
  get works(): boolean {
    return this.broken === null;
  }

  ask(path: string, body: string, onStep: (text: string) => void = () => {}): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.broken) return reject(this.broken);
      const id = this.nextId++;
      this.waiting.set(id, { onStep, resolve, reject });
      this.say({ kind: "ask", id, path, body });
    });
  }

  /** Ends it, in the middle of a search if it must be. */
  stop(): void {
    this.breaks(new Error("stopped"));
  }

  private say(message: ToWorker): void {
    this.worker.postMessage(message);
  }

  private hear(message: Exclude<FromWorker, { kind: "ready" }>): void {
    if (message.kind === "failed") return this.breaks(new Error(message.why));
    const one = this.waiting.get(message.id);
    if (message.kind === "step") return one?.onStep(message.text);
    this.waiting.delete(message.id);
    one?.resolve(message);
  }

  private breaks(error: Error): void {
    if (this.broken) return;
    this.broken = error;
    this.worker.terminate();
    this.refuse(error);
    for (const one of this.waiting.values()) one.reject(error);
    this.waiting.clear();
  }
}
