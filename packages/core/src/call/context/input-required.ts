import type { ClientMethod } from '../../base/request-context.js';

/**
 * The outcome of a call that has to wait for its client (2026-07-28): the round ends, and the client calls again with
 * the answers. `operation.run` returns it in place of a result whenever `request.input.pending` is not empty once the
 * method has returned or thrown; the handlers of `tools/call`, `prompts/get` and `resources/read` turn it into
 * `{ resultType: 'input_required', … }`. Never seen on older revisions, where `ask` waits for the answer itself.
 */
export class InputRequired {
  constructor(
    /** What to ask, by the key that the answer comes back under. */
    readonly pending: ReadonlyMap<string, { method: ClientMethod; params: Record<string, unknown> }>,
  ) {}
}

/**
 * What `ClientInput.ask` rejects with when the answer is not there yet, to unwind the method. Nothing depends on it
 * arriving: a method that catches it still ends its round, because the question is pending.
 */
export class InputPending extends Error {
  override readonly name = 'InputPending';

  constructor(readonly key: string) {
    super(`The answer to "${key}" arrives with the next round; let this error pass.`);
  }
}
