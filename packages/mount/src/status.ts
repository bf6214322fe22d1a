import type { Poison } from './pins/find-poison.js';
import type { HeldChange } from './pins/pins.js';
import type { LeftOut } from './read-catalogue.js';

/** What an operator sees of a mount. It holds no secret. */
export interface MountStatus {
  readonly name: string;
  readonly state: 'connecting' | 'up' | 'down' | 'closed';
  /** Since when it has this state, in milliseconds since the epoch. */
  readonly since: number;
  /** The address without its query; only for servers over HTTP. */
  readonly url?: string;
  /** The program; only for servers over stdio. */
  readonly command?: string;
  /** The server's own name and version. */
  readonly server?: { readonly name: string; readonly version: string };
  readonly era?: 'stateless' | 'stateful';
  /** Why it is down, or what is wrong with one of its functions of the caller. */
  readonly error?: string;
  /** When it is tried again, in milliseconds since the epoch. */
  readonly retryAt?: number;
  /** Sessions with the server behind. */
  readonly sessions: number;
  /** Whether all callers use one session. */
  readonly isShared: boolean;
  /** The ids of its child processes. */
  readonly processes: readonly number[];
  /** Calls that wait until their client comes back with an answer. */
  readonly waiting: number;
  /** How many operations of it our server has. */
  readonly operations: number;
  /** Operations that our clients do not get, and why. */
  readonly left: readonly LeftOut[];
  /** Changes that our clients do not see before `accept` is called. */
  readonly held: readonly HeldChange[];
  /** Descriptions that address the model about something else than their tool. Read them. */
  readonly suspicious: readonly Poison[];
  /** What it has tried against the protocol, and how often. */
  readonly tricks: Readonly<Record<string, number>>;
  readonly calls: number;
  readonly failures: number;
  /** How long the last calls took, in milliseconds. */
  readonly latency: { readonly p50: number; readonly p99: number } | undefined;
}

const KEPT = 256;

/** Counts calls, and keeps how long the last ones took. */
export class CallFigures {
  #calls = 0;
  #failures = 0;
  readonly #times: number[] = [];

  add(ms: number, hasFailed: boolean): void {
    this.#times[this.#calls++ % KEPT] = ms;
    if (hasFailed) this.#failures++;
  }

  read(): Pick<MountStatus, 'calls' | 'failures' | 'latency'> {
    const sorted = [...this.#times].sort((one, other) => one - other);
    const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]!;
    const latency = sorted.length === 0 ? undefined : { p50: at(0.5), p99: at(0.99) };
    return { calls: this.#calls, failures: this.#failures, latency };
  }
}
