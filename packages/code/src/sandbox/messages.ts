import type { RoomCounters } from './pages.js';

/** What a thread gets first. */
interface Interpreter {
  /** The compiled interpreter, a module of WebAssembly: all threads share its code. */
  readonly module: unknown;
}

/** What a thread gets: the interpreter, then the orders of one program, then to leave it, then those of the next one. */
export type ThreadMessage = Interpreter | Order | 'leave';

/** What a program may use. A program that breaks one of these ends, and cannot catch it. */
export interface SandboxLimits {
  /** Bytes. */
  readonly memory: number;
  /** Bytes of the result as JSON, and of the arguments of one call. */
  readonly result: number;
  /** Bytes of what `console` writes, over the whole program. The text of its error has as many characters at most. */
  readonly logs: number;
}

/** Begins a program. */
export interface StartOrder {
  readonly start: {
    readonly code: string;
    /** What `Math.random` begins with, so that a replay draws the same numbers. */
    readonly seed: number;
    readonly limits: SandboxLimits;
    /** Where its memory is counted, as long as it lives. */
    readonly room: RoomCounters | undefined;
  };
  /** What the clock of the program shows, in milliseconds since the epoch. It does not move while the program runs. */
  readonly now: number;
  /** How long it may work until it has nothing left to do, in milliseconds. */
  readonly ms: number;
}

/** Ends one of the waits of a program. */
export interface DeliverOrder {
  readonly deliver: Outcome;
  readonly now: number;
  readonly ms: number;
}

export type Order = StartOrder | DeliverOrder;

/** How a call of a tool has ended, or a sleep. */
export interface Outcome {
  /** The number of the call, from 1. */
  readonly number: number;
  /** The value as JSON; `undefined` for a failure. */
  readonly value?: string;
  readonly error?: CallError;
}

/** What a call of a tool rejects with in a program. */
export interface CallError {
  readonly message: string;
  readonly code?: string;
  readonly retryAfterMs?: number;
}

/** What a program has asked for. */
export interface AskedCall {
  readonly number: number;
  /** A tool by its name, or a pause in milliseconds. */
  readonly tool?: string;
  readonly sleep?: number;
  /** Of the tool, as JSON: an object. */
  readonly args: string;
}

/** What a program has done until it had nothing left to do. */
export interface ProgramTurn {
  readonly asked: readonly AskedCall[];
  readonly logs: readonly string[];
  /** How long it worked. */
  readonly ms: number;
  /** Whether its interpreter has taken more memory than it began with. */
  readonly hasGrown: boolean;
  /** Whether it has worked for long. Its thread is slow from now on. */
  readonly isTired: boolean;
  /** Present when it is over. */
  readonly end?: End;
}

/** How deep values may be nested that a program gives away: as deep as those of a message. */
export const DEEPEST = 60;

export type ProgramLimit = 'time' | 'memory' | 'room' | 'result' | 'logs' | 'nesting';

export type End =
  /** `notes`: what its author must know, such as a failure that the program did not hear of. */
  | { readonly kind: 'result'; readonly json: string; readonly notes: readonly string[] }
  /** An error that the program did not catch, or a mistake in its code. `line` counts from 1. */
  | { readonly kind: 'error'; readonly message: string; readonly line?: number }
  /** A limit that it broke. */
  | { readonly kind: 'limit'; readonly limit: ProgramLimit }
  /** It waits for nothing, and has not returned. */
  | { readonly kind: 'stuck' };
