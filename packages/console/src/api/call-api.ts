import type { Revision } from '@toolwright/core/transport';
import type { ValueProblem } from '@toolwright/json';
import type { Awaitable, OnServer } from './overview-api.js';
import type { Identity, Kind } from './surface-api.js';

/** One call that the console makes itself. */
export interface CallRequest extends OnServer {
  readonly kind: Kind;
  /** The `key` of the operation; for a template, the expanded URI is made of the arguments. */
  readonly key: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly as?: Identity;
  /** The revision that the call is made with. Default: the newest. */
  readonly revision?: Revision;
  /** The call asks the server to make a task of it. Default: only if the tool runs in no other way. */
  readonly asTask?: boolean;
}

/** How far a task has come. */
export interface TaskProgress {
  /** Such as `working`, `input_required`, `completed`. */
  readonly status: string;
  /** What the task says of its progress. */
  readonly message?: string;
}

/** A question that a running call asks the person at the console. */
export interface CallQuestion {
  /** Unique within the process. */
  readonly id: string;
  readonly method: 'elicitation/create' | 'sampling/createMessage' | 'roots/list';
  readonly params: Readonly<Record<string, unknown>>;
  /** When it was asked, in milliseconds since the epoch. */
  readonly at: number;
}

/** A call that the console makes, as far as it has come. */
export interface OwnCall {
  readonly id: string;
  readonly request: CallRequest;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly state: 'running' | 'asking' | 'ended';
  readonly questions: readonly CallQuestion[];
  readonly progress: readonly {
    readonly progress: number;
    readonly total?: number;
    readonly message?: string;
    /** What has come of the result since the report before. */
    readonly part?: unknown;
  }[];
  /** The log messages that the server sent to the client. */
  readonly log: readonly { readonly level: string; readonly data: unknown; readonly logger?: string }[];
  /** The task that the call has become. */
  readonly task?: TaskProgress;
  /** The number of its trace in the records, when it is known. */
  readonly trace?: number;
  readonly durationMs?: number;
  /** The result of the request, when it has one. */
  readonly result?: Readonly<Record<string, unknown>>;
  /** The JSON-RPC error, or what went wrong before there was an answer. */
  readonly error?: { readonly code?: number; readonly message: string; readonly data?: unknown };
  /** The tokens that the result takes in the context of a model, about. */
  readonly tokens?: number;
}

export interface CallApi {
  /** What is wrong with a value, before it is sent. */
  check(params: {
    readonly schema: Readonly<Record<string, unknown>>;
    readonly value: unknown;
  }): Awaitable<readonly ValueProblem[]>;
  /** Starts a call. Events of the type `ownCall` report how it goes on. */
  startCall(params: CallRequest): Awaitable<OwnCall>;
  /**
   * Answers a question with the result of its method: `{ action, content }` for an elicitation,
   * `{ role, content, model }` for sampling, `{ roots }` for roots.
   */
  answerQuestion(params: {
    readonly call: string;
    readonly question: string;
    readonly answer: Readonly<Record<string, unknown>>;
  }): Awaitable<OwnCall>;
  cancelCall(params: { readonly call: string }): Awaitable<OwnCall>;
  /** The last calls of the console, newest first. */
  ownCalls(params: Record<string, never>): Awaitable<readonly OwnCall[]>;
  /** Completes an argument of a prompt or template as the person types. */
  complete(
    params: OnServer & {
      readonly kind: 'prompt' | 'resourceTemplate';
      readonly key: string;
      readonly argument: string;
      readonly value: string;
      readonly known: Readonly<Record<string, string>>;
      readonly as?: Identity;
    },
  ): Awaitable<{ readonly values: readonly string[]; readonly hasMore: boolean }>;
}
