import { JsonRpcCode, ProtocolError } from './protocol-error.js';

/**
 * A run was lost in the middle of a step (`once`), and the step does not say that it may run again. The task
 * fails.
 */
export class UnknownStepError extends ProtocolError {
  constructor(key: string) {
    super(
      JsonRpcCode.internalError,
      `The process that worked on this task ended in the middle of the step "${key}". It is not known whether the step took effect, so it was not repeated. Check before you call the tool again.`,
      { reason: 'step_unknown', step: key },
    );
  }
}
