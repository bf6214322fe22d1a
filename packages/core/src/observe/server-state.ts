import type { ExtraState } from '@toolwright/ground/base/extended';
import type { OperationKind } from '@toolwright/ground/base/operation-kinds';
import type { Revision } from '@toolwright/ground/base/request-context';
import type { StoreHealth } from '@toolwright/ground/ports/server-stores';
import type { QueueLoad, TaskSummary } from '@toolwright/ground/ports/task-store';
import type { OpenStream } from '../sessions/session-streams.js';

/** Who a caller is. All fields are missing for an anonymous caller whose address is not known. */
export interface CallerIdentity {
  readonly subject?: string;
  readonly issuer?: string;
  readonly clientId?: string;
  readonly tenant?: string;
  /** The IP address of an anonymous caller; of IPv6 the network. */
  readonly address?: string;
}

/** A call whose work has not ended. Calls that answer synchronously never appear. */
export interface CallState {
  /** Its number in traces. */
  readonly number: number;
  readonly kind: OperationKind;
  readonly name: string;
  readonly caller: CallerIdentity;
  /** What the client says about itself. Do not trust it. */
  readonly client?: string;
  readonly revision: Revision;
  readonly transport: 'http' | 'stdio' | 'memory';
  /**
   * When it began, in milliseconds since the epoch. Calls that nobody traces and that have no deadline do not say it.
   */
  readonly since?: number;
  /** `queued`: it waits for a slot. `abandoned`: it was answered, and its work runs on. */
  readonly phase: 'queued' | 'running' | 'abandoned';
  /** True when the call is the work of a task. */
  readonly isTask: boolean;
}

/** What one caller has used of one rate limit. */
export interface LimitState {
  /** A digest that names it. */
  readonly key: string;
  /** The operation, with its kind in front. */
  readonly operation: string;
  /** `undefined` where the limit has a key of its own, which may hold anything. */
  readonly caller?: CallerIdentity;
  readonly points: number;
  readonly used: number;
  readonly perMs: number;
  /** When all points are available again, in milliseconds since the epoch. */
  readonly resetsAt: number;
}

/** What one caller has of a pool of slots. Of shared pools, these are the slots of this process. */
export interface SlotState {
  /** `server`, an operation with its kind in front, or the group of a `@Concurrency`. */
  readonly pool: string;
  readonly caller: CallerIdentity;
  /** How many slots the caller may have at a time. */
  readonly limit: number;
  readonly held: number;
  readonly waiting: number;
}

/** A session of a client with a handshake. */
export interface SessionState {
  /** A digest of the session's id, which is like a password. */
  readonly key: string;
  readonly revision: Revision;
  /** What the client says about itself. Do not trust it. */
  readonly client?: string;
  readonly caller: CallerIdentity;
  /** When this process opened or resumed it, in milliseconds since the epoch. */
  readonly openedAt: number;
  readonly usedAt: number;
  /** How many requests are being answered. */
  readonly requests: number;
  readonly streams: number;
  readonly subscriptions: number;
}

/** An open stream: `listen` is a `subscriptions/listen` stream; the others belong to a session. */
export interface StreamState {
  readonly kind: 'listen' | OpenStream['kind'];
  readonly caller: CallerIdentity;
  readonly client?: string;
  /** The key of its session. */
  readonly session?: string;
  /** False while its client is away. */
  readonly isConnected: boolean;
  /** When it was opened, in milliseconds since the epoch. Only `listen` streams say it. */
  readonly since?: number;
}

/** How many streams and sessions want to hear of something. */
export interface SubscriptionState {
  readonly kind: 'list' | 'resource' | 'task';
  /** The list, such as `tools`; or the URI or URI template of the resource. */
  readonly of: string;
  readonly count: number;
}

/** A task as an operator sees it. */
export interface TaskState extends Omit<TaskSummary, 'id' | 'owner'> {
  /** A digest of the task's id, which is like a password where callers are anonymous. */
  readonly key: string;
  readonly caller: CallerIdentity;
}

/**
 * What a server keeps at one moment. It holds no ids of sessions and tasks, no tokens, no arguments and no results.
 * Each list is cut to the length that the operator asked for; `counts` has the full numbers.
 */
export interface ServerState extends ExtraState {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The oldest first. */
  readonly calls: readonly CallState[];
  /** The most used first. Limits in a shared store appear only if its limiter can list them. */
  readonly limits: readonly LimitState[];
  /** The most held first. */
  readonly slots: readonly SlotState[];
  /** The latest used first. */
  readonly sessions: readonly SessionState[];
  readonly streams: readonly StreamState[];
  /** The most wanted first. */
  readonly subscriptions: readonly SubscriptionState[];
  /** The latest first. `undefined` when the store does not show them, or does not answer. */
  readonly tasks: readonly TaskState[] | undefined;
  /** `undefined` without a task queue, and while it does not answer. */
  readonly queue: QueueLoad | undefined;
  /** The shared stores. */
  readonly stores: readonly StoreHealth[];
  /** How many entries each list has in all. */
  readonly counts: {
    readonly calls: number;
    readonly abandoned: number;
    readonly limits: number;
    readonly slots: number;
    readonly sessions: number;
    readonly streams: number;
    readonly subscriptions: number;
  } & { readonly [Name in keyof ExtraState]?: number };
}

/** A tool that programs of a caller may call. */
interface CallableTool {
  readonly name: string;
  /** It only reads. */
  readonly reads: boolean;
  /** The caller's person is asked before it runs. */
  readonly confirms: boolean;
  /** A program gets one text, because the tool has no output schema. */
  readonly isText: boolean;
}

/** What the programs of a caller may do, as `@toolwright/code` answers the question `code.explain` of an operator. What only a call decides (`authorize`, a policy engine) is left out. */
export interface ExplainedPrograms {
  readonly limits: {
    /** Calls of tools, over all rounds of a program. */
    readonly calls: number;
    /** What a program itself may work in a round, in milliseconds. */
    readonly time: number;
    /** Bytes. */
    readonly memory: number;
    /** Bytes of the result, of an inner result, and of the arguments of a call. */
    readonly result: number;
    /** Programs of a process that work at a time. */
    readonly programs: number;
  };
  readonly tools: readonly CallableTool[];
  readonly refused: readonly { readonly name: string; readonly reason: string }[];
}
