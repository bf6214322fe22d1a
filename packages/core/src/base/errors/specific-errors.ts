import { cutText } from '@toolwright/json';
import type { Era } from '../request-context.js';
import { JsonRpcCode, ProtocolError, ToolwrightError } from './errors.js';

/**
 * The caller may not know about the operation. The answer must be exactly as if it did not exist. A different
 * answer would reveal which names exist.
 */
export class HiddenOperationError extends ProtocolError {
  constructor(readonly operation: { kind: string; name: string }) {
    super(JsonRpcCode.invalidParams, `Unknown ${operation.kind} '${operation.name}'`);
  }
}

/**
 * The caller's token lacks scopes. It is answered with a challenge that names the scopes (basic/authorization, scope
 * challenge handling): over HTTP by a status, and in the body for clients that read only that.
 */
export class InsufficientScopeError extends ProtocolError {
  constructor(
    /** All scopes that the operation needs, not only the missing ones. */
    readonly scopes: readonly string[],
  ) {
    super(403, `This needs the scope${scopes.length === 1 ? '' : 's'} ${scopes.join(' ')}.`, {
      requiredScopes: [...scopes],
    });
  }
}

/** On 2026-07-28 this is the code of any wrong parameter. Older revisions have a separate code for it. */
export function resourceNotFound(uri: string, era: Era): ProtocolError {
  const code = era === 'stateless' ? JsonRpcCode.invalidParams : JsonRpcCode.resourceNotFound;
  return new ProtocolError(code, `Resource not found: ${cutText(uri, 200, '…')}`, { uri });
}

/** The name of the Tasks extension in the capabilities of both sides. */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

/**
 * Creates the error for a call that has to be a task.
 *
 * @param isAsked whether clients ask for tasks in this revision
 */
export function taskRequired(tool: string, isAsked: boolean): ProtocolError {
  if (!isAsked) return taskClientRequired();
  return new ProtocolError(
    JsonRpcCode.methodNotFound,
    `The tool "${tool}" runs only as a task. Call it with "task" in the parameters.`,
  );
}

/** Creates the error -32021: the request needs a client that declares the Tasks extension with this request. */
export function taskClientRequired(): ProtocolError {
  return new ProtocolError(
    JsonRpcCode.missingClientCapability,
    `This request needs a client that declares the extension "${TASKS_EXTENSION}".`,
    { requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } } },
  );
}

/** The server has more work than it can take. Over HTTP it is answered with status 503 and `Retry-After`. */
export class OverloadError extends ProtocolError {
  constructor(readonly retryAfterMs: number) {
    super(503, `The server is busy; retry in ${Math.ceil(retryAfterMs / 1_000)} s.`, { retryAfterMs });
  }
}

/**
 * A run was lost in the middle of a step (`once`), and the step does not say that it may run again. The task
 * fails.
 */
export class UnknownStepError extends ProtocolError {
  constructor(key: string) {
    super(
      JsonRpcCode.internalError,
      `The process that worked on this task ended or stood still in the middle of the step "${key}". It is not known whether the step took effect, so it was not repeated. Check before you call the tool again.`,
      { reason: 'step_unknown', step: key },
    );
  }
}

/**
 * A method asks a question whose type was not compiled. This is a mistake of the server, so callers get a
 * reference id.
 */
export class QuestionError extends ToolwrightError {
  override readonly code = 'TW_QUESTION_UNKNOWN';

  constructor(key: string, call: 'elicit' | 'sample') {
    super(
      `No build compiled the question "${key}": its package was not built since ctx.${call}<T>("${key}", …) was written, or its key is computed. Run \`toolwright build\`, or write a schema.`,
    );
  }
}

/** A middleware called `next()` too late or twice. The caller gets a generic text. */
export class MisusedNextError extends ToolwrightError {
  readonly code = 'TW_NEXT_MISUSED';

  constructor(middleware: string, when: 'a second time' | 'after the call had ended') {
    super(
      `The middleware "${middleware}" called next() ${when}. It runs what comes after it once: await it, and keep its result.`,
    );
  }
}

/** The option `around` of the server ran a call never, twice or too late. The caller gets a generic text. */
export class MisusedRunError extends ToolwrightError {
  readonly code = 'TW_AROUND_MISUSED';

  constructor(when: 'never' | 'a second time' | 'after it had ended') {
    super(
      `The option "around" called run() ${when}. It does the call: call it exactly once, and wait for it.`,
    );
  }
}
