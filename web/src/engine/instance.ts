// One copy of the engine in WebAssembly, spoken to as crates/board-engine/src/calls.rs lays down. It blocks while it
// searches, so it lives in a worker; tests use it as it is.

export interface Answer {
  /** The HTTP status that the service would give. */
  status: number;
  /** JSON. */
  text: string;
}

interface Calls {
  readonly memory: WebAssembly.Memory;
  reserve(length: number): number;
  ask(pathLength: number): number;
  answer_address(): number;
  answer_length(): number;
}

export class Instance {
  private onStep: (text: string) => void = () => {};
  private readonly encoder = new TextEncoder();
  private readonly decoder = new TextDecoder();
  private calls!: Calls;

  private constructor() {}

  static async of(module: WebAssembly.Module): Promise<Instance> {
    const instance = new Instance();
    const lent = {
      board: {
        now: () => performance.now(),
        tell: (address: number, length: number) => instance.onStep(instance.read(address, length)),
      },
    };
    instance.calls = (await WebAssembly.instantiate(module, lent)).exports as unknown as Calls;
    return instance;
  }

  /** Answers the question that `POST path` with this body would be; `onStep` hears the steps of an analysis. */
  ask(path: string, body: string, onStep: (text: string) => void = () => {}): Answer {
    this.onStep = onStep;
    const [head, tail] = [this.encoder.encode(path), this.encoder.encode(body)];
    const room = this.calls.reserve(head.length + tail.length);
    // The memory may have moved when it grew, so it is looked up anew each time.
    const bytes = new Uint8Array(this.calls.memory.buffer, room, head.length + tail.length);
    bytes.set(head);
    bytes.set(tail, head.length);
    const status = this.calls.ask(head.length);
    return { status, text: this.read(this.calls.answer_address(), this.calls.answer_length()) };
  }

  private read(address: number, length: number): string {
    return this.decoder.decode(new Uint8Array(this.calls.memory.buffer, address, length));
  }
}
