import type { AuditRecord } from '../record.js';
import { bytesRead } from '../usage/usage-of.js';
import { shortLists } from './short-lists.js';

/**
 * A model takes seconds between two calls of one job. A person who reads, and asks for something else, takes longer.
 */
const PAUSE_MS = 60_000;

/** Callers that are remembered. One that is forgotten begins a new chain with its next call. */
const MOST_CALLERS = 100_000;

interface Caller {
  /** When its last call ended. */
  until: number;
  /** The chain that a next call may continue. */
  chain: Chain | undefined;
}

interface Chain {
  readonly calls: number;
  /** The size of the last result. */
  readonly bytes: number;
}

/** What a call was to the model that wrote it. */
export interface CallOfModel {
  /** Requests of the model that it took: 0 for a call beside another one, more than 1 for refusals in one record. */
  readonly requests: number;
  /** Programs that it would begin: 0 if it continues a chain. */
  readonly programs: number;
}

/**
 * Finds the requests of models behind calls, which come in the order of their ends. Calls of one caller at the same time
 * were written by one request. Calls right after each other are a chain, as long as one program can make them all. Calls
 * that failed are in no chain, because a model must look at them. Nor are calls without a principal: nobody knows whose
 * they are.
 */
export class Requests {
  readonly #callers = new Map<string, Caller>();
  #bytesOfEnds = 0;

  /** What the last calls of all chains have given together, and the calls that are in none. */
  get bytesOfEnds(): number {
    let sum = this.#bytesOfEnds;
    for (const { chain } of this.#callers.values()) sum += chain?.bytes ?? 0;
    return sum;
  }

  add(record: AuditRecord): CallOfModel {
    const { time, durationMs = 0, count = 1, result, principal, outcome } = record;
    const key = callerOf(record);
    const before = this.#callers.get(key);
    const begun = time - durationMs;
    const bytes = bytesRead(result);
    const isChained = Boolean(principal) && outcome === 'ok';
    const last = before && begun - before.until <= PAUSE_MS ? before.chain : undefined;
    const goesOn = isChained && last !== undefined && last.calls < shortLists.code.calls;
    if (!goesOn) this.#bytesOfEnds += (before?.chain?.bytes ?? 0) + (isChained ? 0 : bytes);
    const chain = isChained ? { calls: goesOn ? last.calls + 1 : 1, bytes } : undefined;
    // The map has the callers in the order of their last calls.
    this.#callers.delete(key);
    this.#callers.set(key, { until: Math.max(time, before?.until ?? 0), chain });
    if (this.#callers.size > MOST_CALLERS) this.#forget();
    const isBeside = before !== undefined && begun < before.until;
    return { requests: isBeside ? count - 1 : count, programs: goesOn ? 0 : count };
  }

  #forget(): void {
    const [[key, { chain }]] = this.#callers as unknown as [[string, Caller]];
    this.#bytesOfEnds += chain?.bytes ?? 0;
    this.#callers.delete(key);
  }
}

/** Who has a conversation, as far as the log knows it. */
function callerOf({ principal, untrustedClient, ip }: AuditRecord): string {
  const { issuer, subject, clientId, tenant } = principal ?? {};
  return JSON.stringify([issuer, subject, clientId, tenant, untrustedClient?.name, ip]);
}
