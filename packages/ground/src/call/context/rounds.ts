import type { ClientInput, ClientMethod, StepAttempt } from '../../base/request-context.js';

/**
 * The outcome of a call that must wait for its client (2026-07-28). The round ends here. The client then
 * sends the call again, together with the answers. `operation.run` returns this in place of a result when
 * `request.input.pending` is not empty after the method has returned or thrown. The handlers of `tools/call`,
 * `prompts/get` and `resources/read` turn it into `{ resultType: 'input_required', … }`. Older revisions
 * never return it: there, `ask` waits for the answer itself.
 */
export class InputRequired {
  constructor(
    /** The questions, by the key under which each answer comes back. */
    readonly pending: ReadonlyMap<string, { method: ClientMethod; params: Record<string, unknown> }>,
  ) {}
}

/**
 * Ends the run of a method whose call goes on as a task on a queue. Nothing depends on the error: if a method catches
 * it and goes on, its result is dropped.
 */
export class TaskHandedOver extends Error {
  override readonly name = 'TaskHandedOver';

  constructor() {
    super('The call goes on as a task in another run; let this error pass.');
  }
}

/**
 * `ClientInput.ask` rejects with this error when the answer is not there yet, so that the method stops.
 * Nothing depends on the error: if a method catches it, its round still ends, because the question is
 * pending.
 */
export class InputPending extends Error {
  override readonly name = 'InputPending';

  constructor(readonly key: string) {
    // A pending answer is not a failure, so the error needs no stack. The stack would cost more than the rest of the
    // question.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(`The answer to "${key}" arrives with the next round; let this error pass.`);
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** The attempt of a step in a process that keeps all results until the call has ended. */
export class FirstAttempt implements StepAttempt {
  readonly attempted = false;

  constructor(
    private readonly key: string,
    private readonly input: Pick<ClientInput, 'recall' | 'remember'>,
    private readonly makeId: () => string,
  ) {}

  /** Made when it is read. It is remembered, because a step that throws may run again in the next round. */
  get idempotencyKey(): string {
    const name = idempotencyKeyName(this.key);
    const known = this.input.recall(name)?.value;
    if (typeof known === 'string') return known;
    const made = this.makeId();
    this.input.remember(name, made);
    return made;
  }
}

/** The key under which a call keeps the idempotency key of a step. */
export function idempotencyKeyName(key: string): string {
  return `once-key:${key}`;
}

/** The key under which a call keeps the id of its audit records from round to round. */
export const CALL_ID = 'toolwright.call';

/** What the call had done at the end of its round, as sentences, is remembered under this key: its answer may get lost. */
export const SO_FAR = 'toolwright.soFar';
