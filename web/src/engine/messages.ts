// What the page and its workers say to each other.

export type ToWorker =
  /** Load the engine from an address, or take a copy of what another worker has compiled. */
  | { kind: "start"; from: string | WebAssembly.Module }
  | { kind: "ask"; id: number; path: string; body: string };

export type FromWorker =
  /** The compiled engine, for the next workers. */
  | { kind: "ready"; module: WebAssembly.Module }
  | { kind: "step"; id: number; text: string }
  | { kind: "answer"; id: number; status: number; text: string }
  /** The engine cannot be loaded or has broken; this worker is of no more use. */
  | { kind: "failed"; why: string };
