// Talking to the service: questions out, answers or problems back. Everything that can fail comes back as a `Failure`.

import type { components } from "../generated/api";
import { LineCutter } from "./lines";

export type Schemas = components["schemas"];
export type Problem = Schemas["Problem"];

/** Why there is no answer. */
export type Failure =
  | { kind: "problem"; problem: Problem }
  | { kind: "busy"; retryMs: number; detail: string }
  | { kind: "offline" };

export class ServiceError extends Error {
  constructor(readonly failure: Failure) {
    super(failure.kind === "problem" ? failure.problem.detail : failure.kind);
  }
}

const RETRY_WHEN_NOT_TOLD_MS = 2_000;

async function failureOf(response: Response): Promise<Failure> {
  let problem: Problem | null = null;
  try {
    problem = (await response.json()) as Problem;
  } catch {
    // A proxy between us and the service may answer in its own way.
  }
  if (response.status === 503 || response.status === 429) {
    const header = Number(response.headers.get("retry-after"));
    const retryMs = problem?.retry_after_ms ?? (Number.isFinite(header) && header > 0 ? header * 1000 : RETRY_WHEN_NOT_TOLD_MS);
    return { kind: "busy", retryMs, detail: problem?.detail ?? "" };
  }
  if (problem?.code) return { kind: "problem", problem };
  return { kind: "offline" };
}

let key = "";

/** Some services want to know who asks: the key is sent with every question from now on; empty sends none. */
export function identify(apiKey: string): void {
  key = apiKey.trim();
}

async function send(path: string, body: unknown, accept: string, signal?: AbortSignal): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, {
      method: body === undefined ? "GET" : "POST",
      headers: {
        accept,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(key === "" ? {} : { authorization: `Bearer ${key}` }),
      },
      body: body === undefined ? null : JSON.stringify(body),
      signal: signal ?? null,
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ServiceError({ kind: "offline" });
  }
  if (!response.ok) {
    const failure = await failureOf(response);
    if (failure.kind !== "offline") router?.reached();
    throw new ServiceError(failure);
  }
  router?.reached();
  return response;
}

/** Who answered: the service, or the engine of this browser. */
export type Where = "service" | "here";

/** Something that answers the service's questions where the service does not. */
export interface Backup {
  ask<Reply>(path: string, body: unknown, signal?: AbortSignal): Promise<Reply>;
  stream<Reply>(path: string, body: unknown, onReply: (reply: Reply) => void, signal: AbortSignal): Promise<void>;
}

/** Decides who is asked; set once by whoever knows. */
export interface Router {
  /** The one to ask instead of the service, as things stand. */
  instead(): Backup | null;
  /** The service was found to be out of reach: who answers from now on, or `null` when nobody can. */
  lost(): Promise<Backup | null>;
  /** The service has answered. */
  reached(): void;
}

let router: Router | null = null;

export function route(by: Router): void {
  router = by;
}

/** Puts a question to the service, or to who stands in for it. */
async function routed<T>(service: () => Promise<T>, instead: (backup: Backup) => Promise<T>, signal?: AbortSignal): Promise<T> {
  const now = router?.instead();
  if (now) return instead(now);
  try {
    return await service();
  } catch (error) {
    const offline = error instanceof ServiceError && error.failure.kind === "offline";
    const backup = offline && !signal?.aborted ? await router?.lost() : null;
    if (!backup) throw error;
    signal?.throwIfAborted();
    return instead(backup);
  }
}

/** Asks one question. */
export function ask<Reply>(path: string, body?: unknown, signal?: AbortSignal): Promise<Reply> {
  if (body === undefined) return askService(path, body, signal);
  return routed(
    () => askService<Reply>(path, body, signal),
    (backup) => backup.ask<Reply>(path, body, signal),
    signal,
  );
}

/** The picture that an address shows, as SVG. */
export function askPicture(path: string, query: URLSearchParams): Promise<string> {
  return routed(
    async () => (await send(`${path}?${query.toString()}`, undefined, "image/svg+xml")).text(),
    (backup) => backup.ask<string>(path, query.toString()),
  );
}

async function askService<Reply>(path: string, body?: unknown, signal?: AbortSignal): Promise<Reply> {
  const response = await send(path, body, "application/json", signal);
  try {
    return (await response.json()) as Reply;
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ServiceError({ kind: "offline" });
  }
}

/** Asks a question whose answer comes in steps; `onReply` sees each. A service without streams sends the last step only. */
export function askStream<Reply>(
  path: string,
  body: unknown,
  onReply: (reply: Reply, where: Where) => void,
  signal: AbortSignal,
): Promise<void> {
  return routed(
    () => streamService<Reply>(path, body, (reply) => onReply(reply, "service"), signal),
    (backup) => backup.stream<Reply>(path, body, (reply) => onReply(reply, "here"), signal),
    signal,
  );
}

async function streamService<Reply>(
  path: string,
  body: unknown,
  onReply: (reply: Reply) => void,
  signal: AbortSignal,
): Promise<void> {
  const response = await send(path, body, "application/x-ndjson, application/json;q=0.5", signal);
  const take = (line: string) => {
    const record = JSON.parse(line) as Reply & Partial<Problem>;
    if (typeof record.code === "string" && typeof record.status === "number") {
      const busy = record.status === 503 || record.status === 429;
      const problem = record as unknown as Problem;
      throw new ServiceError(
        busy
          ? { kind: "busy", retryMs: problem.retry_after_ms ?? RETRY_WHEN_NOT_TOLD_MS, detail: problem.detail }
          : { kind: "problem", problem },
      );
    }
    onReply(record);
  };
  if (!response.headers.get("content-type")?.includes("ndjson") || !response.body) {
    take(await response.text());
    return;
  }
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  const cutter = new LineCutter();
  for (;;) {
    let piece: ReadableStreamReadResult<Uint8Array>;
    try {
      piece = await reader.read();
    } catch (error) {
      if (signal.aborted) throw error;
      throw new ServiceError({ kind: "offline" });
    }
    if (piece.done) break;
    cutter.push(decoder.decode(piece.value, { stream: true })).forEach(take);
  }
  cutter.end().forEach(take);
}
