import type { AuditRecord } from '../record.js';
import { bytesRead } from '../usage/usage-of.js';

/**
 * A model takes seconds between two calls of one job. A person who reads, and asks for something else, takes longer.
 */
const PAUSE_MS = 60_000;

/** Callers that are remembered. One that is forgotten begins a new chain with its next call. */
const MOST_CALLERS = 100_000;

interface Caller {
  /** When its last call ended. */
  until: number;
  /** The size of the last result. */
  bytes: number;
}

/** What a call was to the model that wrote it. */
export interface CallOfModel {
  /** Requests of the model that it took: 0 for a call beside another one, more than 1 for refusals in one record. */
  readonly requests: number;
  /** It is the first of a chain. */
  readonly begins: boolean;
}

/**
 * Finds the requests of models behind calls, which come in the order of their ends. Calls of one caller at the same time
 * were written by one request. Calls right after each other are a chain.
 */
export class Requests {
  readonly #callers = new Map<string, Caller>();
  #bytesOfEnds = 0;

  /** What the last calls of all chains have given together. */
  get bytesOfEnds(): number {
    let sum = this.#bytesOfEnds;
    for (const { bytes } of this.#callers.values()) sum += bytes;
    return sum;
  }

  add(record: AuditRecord): CallOfModel {
    const { time, durationMs = 0, count = 1, result } = record;
    const key = callerOf(record);
    const before = this.#callers.get(key);
    const bytes = bytesRead(result);
    const begun = time - durationMs;
    const begins = before === undefined || begun - before.until > PAUSE_MS;
    if (before && begins) this.#bytesOfEnds += before.bytes;
    // The map has the callers in the order of their last calls.
    this.#callers.delete(key);
    this.#callers.set(key, { until: Math.max(time, before?.until ?? 0), bytes });
    if (this.#callers.size > MOST_CALLERS) this.#forget();
    const isBeside = before !== undefined && begun < before.until;
    return { requests: isBeside ? count - 1 : count, begins };
  }

  #forget(): void {
    const [[key, { bytes }]] = this.#callers as unknown as [[string, Caller]];
    this.#bytesOfEnds += bytes;
    this.#callers.delete(key);
  }
}

/** Who has a conversation, as far as the log knows it. */
function callerOf({ principal, untrustedClient, ip }: AuditRecord): string {
  const { issuer, subject, clientId, tenant } = principal ?? {};
  return JSON.stringify([issuer, subject, clientId, tenant, untrustedClient?.name, ip]);
}
