import {
  copyData,
  HIDDEN,
  type JsonSchema,
  hideUndeclared,
  lazily,
  after,
  type MaybePromise,
} from '@toolwright/json';
import { createHmac, randomBytes } from 'node:crypto';
import { knownPrincipal } from '../base/log.js';
import type { RunningProgram } from '../base/request-context.js';
import type { ActiveCall } from './active-call.js';
import type { Next, StepDescription } from './operation/operation.js';
import { argumentsSchema, isDev, withoutSecretsOf, withoutTextsOf } from './hide-sensitive.js';
import type { CallTrace, ProgramTrace, ShownText, StepRecorder, TracedStep } from './operation/call-trace.js';

/** A step that the call has reached. */
interface Reached {
  readonly description: StepDescription;
  readonly began: number;
  /** When the rest of the chain began, and how long it took. */
  innerBegan?: number;
  innerMs: number;
  ended?: number;
  verdict?: TracedStep['verdict'];
}

/** Makes the trace of one call. */
export class CallRecorder implements StepRecorder {
  readonly number: number;
  readonly #began = performance.now();
  readonly at: number;
  readonly #steps: Reached[] = [];

  constructor(private readonly call: ActiveCall) {
    const { callListeners, clock } = call.environment;
    this.number = callListeners.next();
    this.at = clock.now();
  }

  step(
    description: StepDescription,
    run: (next: Next<unknown>) => MaybePromise<unknown>,
    next: Next<unknown>,
  ): MaybePromise<unknown> {
    const reached: Reached = { description, began: performance.now(), innerMs: 0 };
    this.#steps.push(reached);
    return settled(
      () => run(() => this.#inner(reached, next)),
      (hasFailed) => {
        reached.ended = performance.now();
        reached.verdict = this.#verdictOf(reached, hasFailed);
      },
    );
  }

  /** What is known of the call now. */
  trace(state: CallTrace['state']): CallTrace {
    const { call } = this;
    const { operation, request, verdict } = call;
    const { principal, client, trace } = request;
    const now = performance.now();
    return {
      number: this.number,
      parent: request.parent?.number,
      state,
      kind: operation.kind,
      name: operation.name,
      at: this.at,
      durationMs: now - this.#began,
      requestId: request.id,
      revision: request.revision,
      transport: request.transport,
      principal: knownPrincipal(principal),
      client: client.info,
      traceparent: trace.traceparent,
      arguments: withoutTextsOf(request.parent?.program, withoutSensitive(call)),
      ...(call.program && { program: shownProgram(call.program, state) }),
      steps: this.#steps.map((reached) => this.#describe(reached, now)),
      ...(state === 'ended' && {
        outcome: call.pending ? 'asking' : (verdict.outcome ?? 'ok'),
        reason: verdict.reason,
        reference: verdict.reference,
      }),
    };
  }

  #verdictOf({ innerBegan }: Reached, hasFailed: boolean): TracedStep['verdict'] {
    if (innerBegan !== undefined) return 'passed';
    if (this.call.verdict.outcome !== undefined) return 'refused';
    return hasFailed ? 'failed' : 'answered';
  }

  #inner(reached: Reached, next: Next<unknown>): MaybePromise<unknown> {
    const began = (reached.innerBegan = performance.now());
    return settled(next, () => (reached.innerMs += performance.now() - began));
  }

  #describe({ description, began, innerBegan, innerMs, ended, verdict }: Reached, now: number): TracedStep {
    const isInside = innerBegan !== undefined && ended === undefined && innerMs === 0;
    const until = isInside ? innerBegan : (ended ?? now);
    return {
      ...description,
      beganMs: began - this.#began,
      ownMs: Math.max(0, until - began - innerMs),
      verdict: verdict ?? (innerBegan === undefined ? undefined : 'passed'),
    };
  }
}

/** Runs `work`, and says when it has ended and whether it failed. */
function settled(
  work: () => MaybePromise<unknown>,
  end: (hasFailed: boolean) => void,
): MaybePromise<unknown> {
  return after(
    work,
    (value) => {
      end(false);
      return value;
    },
    (error) => {
      end(true);
      throw error;
    },
  );
}

/** As soon as the server has a sensitive part, undeclared arguments are hidden, too. */
function withoutSensitive({ operation, given, environment }: ActiveCall): CallTrace['arguments'] {
  const { callListeners } = environment;
  if (!callListeners.hidesUndeclared()) return copyData(given);
  const { inputSchema = argumentsSchema(operation) } = operation as { inputSchema?: JsonSchema };
  const shown = hideUndeclared(inputSchema, given) as Record<string, unknown>;
  // The call could not become one of the other operation, so nobody knows what these arguments are.
  const foreign = callListeners.foreignArgument(operation);
  if (foreign !== undefined && Object.hasOwn(shown, foreign)) shown[foreign] = HIDDEN;
  return shown;
}

/** Digests of short texts could be guessed without it. Some platforms have no chance while modules load. */
const digestKey = lazily(() => randomBytes(32));

function shownProgram(program: RunningProgram, state: CallTrace['state']): ProgramTrace {
  const { digest, code, secrets, log, result, error } = program;
  const inDev = isDev();
  const shown = (text: string): ShownText =>
    inDev || secrets.size === 0
      ? { text: withoutSecretsOf(program, text) }
      : {
          digest: createHmac('sha256', digestKey()).update(text).digest('hex'),
          bytes: Buffer.byteLength(text),
        };
  return {
    digest,
    // Before its end it is not known which of its values are sensitive.
    ...(inDev && state === 'ended' && { code: withoutSecretsOf(program, code) }),
    ...(log !== undefined && { log: shown(log) }),
    ...(result !== undefined && { result: shown(result) }),
    ...(error !== undefined && { error: shown(error) }),
  };
}
