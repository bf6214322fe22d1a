import { oncePer, Listeners, type MaybePromise } from '@toolwright/json';
import type { KnownPrincipal } from '../../base/log.js';
import type { OperationKind } from '../../base/operation-kinds.js';
import type { ClientDescription, RequestId, Revision } from '../../base/request-context.js';
import type { Logger } from '../../ports/logger.js';
import type { BoundOperation, Next, StepDescription } from './operation.js';

/** What one step of a chain did with a call. */
export interface TracedStep extends StepDescription {
  /** When the call reached it, in milliseconds after the call began. */
  readonly beganMs: number;
  /** How long the step itself took, without the steps inside it, in milliseconds. */
  readonly ownMs: number;
  /**
   * `passed`: the call went on to the next step. `answered`: the step gave the result, as the method and a cache do.
   * `refused`: the step ended the call. `failed`: it threw. `undefined` while it runs.
   */
  readonly verdict: 'passed' | 'answered' | 'refused' | 'failed' | undefined;
}

/** A text as observers see it. If the program has met a sensitive value, they see its size, and a digest under a key of the process. */
export type ShownText = { readonly text: string } | { readonly digest: string; readonly bytes: number };

/** A program, as observers see it. */
export interface ProgramTrace {
  /** The SHA-256 (hex) of its code. */
  readonly digest: string;
  /** Its code, without the sensitive values that it has met. Only in `toolwright dev`. */
  readonly code?: string;
  readonly log?: ShownText;
  /** Its result, as JSON. */
  readonly result?: ShownText;
  readonly error?: ShownText;
}

/** One call of a tool, prompt or resource, and what each step of its chain did. Values marked sensitive are hidden. */
export interface CallTrace {
  /** Counts the calls: a later one has a greater number. A call gets its number when a listener or an operator first looks at it. */
  readonly number: number;
  /** The number of the call inside of which a package has made this one. */
  readonly parent?: number | undefined;
  /** Listeners get a call twice: when it begins, and when it has ended. */
  readonly state: 'running' | 'ended';
  readonly kind: OperationKind;
  /** The published name; for resources it is not the URI. */
  readonly name: string;
  /** When the call began, in milliseconds since the epoch. */
  readonly at: number;
  /** How long it took, or has taken so far, in milliseconds. */
  readonly durationMs: number;
  readonly requestId: RequestId;
  readonly revision: Revision;
  readonly transport: 'http' | 'stdio' | 'memory';
  readonly principal: KnownPrincipal | undefined;
  readonly client: ClientDescription['info'] | undefined;
  readonly traceparent: string | undefined;
  /** The arguments as the client sent them. */
  readonly arguments: Readonly<Record<string, unknown>>;
  /** The program that the call runs, if it runs one. */
  readonly program?: ProgramTrace | undefined;
  /**
   * The steps that the call has reached, outermost first. The last one is the method itself, with the name `method`.
   */
  readonly steps: readonly TracedStep[];
  /** How it ended. `asking`: the client must answer a question first. `undefined` while it runs. */
  readonly outcome?:
    'ok' | 'asking' | 'denied' | 'limited' | 'invalid' | 'timeout' | 'cancelled' | 'error' | undefined;
  /** The code of the refusal or error. */
  readonly reason?: string | undefined;
  /** The reference that the caller got with a generic error. */
  readonly reference?: string | undefined;
}

export type CallListener = (trace: CallTrace) => void;

/** The listeners to calls. Calls are traced only while somebody listens. */
export class CallListeners extends Listeners<CallTrace> {
  #count = 0;
  /** The number of a call that is not traced. It gets one when an operator first looks at it. */
  readonly numberOf = oncePer((_: object) => this.next());

  /** Whether traces hide undeclared arguments. The server sets it when it knows its operations. */
  hidesUndeclared: () => boolean = () => false;
  /** The argument of an operation that has the arguments of another one, if it has such an argument. */
  foreignArgument: (operation: Pick<BoundOperation, 'kind' | 'name'>) => string | undefined = () => undefined;

  constructor(logger: Logger) {
    super(logger, 'A listener to calls failed');
  }

  /** The number of the next traced call. */
  next(): number {
    return ++this.#count;
  }
}

/** Writes down what each step of a chain does with one call. */
export interface StepRecorder {
  /** The number of the call in traces. */
  readonly number: number;
  /** When the call began, in milliseconds since the epoch. */
  readonly at: number;
  /** Runs one step, measures it, and sees whether it calls `next`. */
  step(
    description: StepDescription,
    run: (next: Next<unknown>) => MaybePromise<unknown>,
    next: Next<unknown>,
  ): MaybePromise<unknown>;
}
