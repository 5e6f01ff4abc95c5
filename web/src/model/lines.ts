// Streams of JSON documents, one a line (NDJSON), read as they arrive.

/** Cuts arriving text into whole lines; what has no end yet waits for the next piece. */
export class LineCutter {
  private rest = "";

  push(piece: string): string[] {
    const lines = (this.rest + piece).split("\n");
    this.rest = lines.pop() ?? "";
    return lines.filter((line) => line.trim() !== "");
  }

  /** The last line, where the stream ended without a line break. */
  end(): string[] {
    const last = this.rest.trim();
    this.rest = "";
    return last === "" ? [] : [last];
  }
}
