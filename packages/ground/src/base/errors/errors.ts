import type { Era } from '../request-context.js';
import type { ErrorCode } from './catalogue.js';
import { cutText } from '@toolwright/json';

const BRAND = Symbol.for('toolwright.error');

/**
 * The base class of every error that Toolwright throws on purpose. `code` is stable and listed in
 * docs/errors.md. The brand lets `isToolwrightError` recognise errors from another copy of the package in the
 * same process.
 */
export abstract class ToolwrightError extends Error {
  abstract readonly code: ErrorCode | string;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }

  /** The brand is on the prototype, because Node.js prints the own members of an error that nobody caught. */
  get [BRAND](): true {
    return true;
  }
}

/** True for an error of this framework, from this copy of the package or another. */
export function isToolwrightError(error: unknown): error is ToolwrightError {
  return typeof error === 'object' && error !== null && BRAND in error;
}

export interface ToolErrorOptions extends ErrorOptions {
  /**
   * Your own code for this error. It appears only in your logs and in the audit log. Default `TW_TOOL_ERROR`.
   */
  code?: string;
  /** Sent to the client in the result's `_meta`, as JSON. What contains itself is left out, and logged. */
  meta?: Record<string, unknown>;
}

/**
 * The only error whose text reaches the model. Throw it from a tool when the caller can do something about
 * the failure. The call then returns a result with `isError: true`. For any other error, the caller gets a
 * generic text and a reference id, and the server logs the error in full.
 *
 * @example
 * throw new ToolError(`No page has the id ${pageId}. Search for it with search_pages first.`);
 */
export class ToolError extends ToolwrightError {
  readonly code: string;
  readonly meta: Record<string, unknown> | undefined;

  constructor(message: string, { code = 'TW_TOOL_ERROR', meta, ...options }: ToolErrorOptions = {}) {
    super(message, options);
    this.code = code;
    this.meta = meta;
  }
}

/**
 * The JSON-RPC error codes of the Model Context Protocol. No other code from -32768 to -32000 is ever sent.
 */
export const JsonRpcCode = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  /** The resource was not found; only on revisions before 2026-07-28. */
  resourceNotFound: -32002,
  headerMismatch: -32020,
  missingClientCapability: -32021,
  unsupportedProtocolVersion: -32022,
  /** The user must open a URL first; only on 2025-11-25. */
  urlElicitationRequired: -32042,
} as const;

/**
 * An error that is answered as a JSON-RPC error and not as a result: the request itself was wrong. The client
 * receives its message and its data.
 */
export class ProtocolError extends ToolwrightError {
  readonly code = 'TW_PROTOCOL_ERROR';

  constructor(
    /** The JSON-RPC `error.code`: an integer, else it becomes -32603. */
    readonly rpcCode: number,
    message: string,
    /** The JSON-RPC `error.data`, as JSON. What contains itself is left out, and logged. */
    readonly data?: Record<string, unknown>,
  ) {
    super(message);
  }
}

/** True for a `ToolError` of any copy of this package: its text may reach the model. */
export function isToolError(error: unknown): error is ToolError {
  return isToolwrightError(error) && 'meta' in error;
}

/** A `ToolError` as it is. `undefined` for other errors, whose texts nobody gets to read. */
export function toolErrorOf(error: unknown): ToolError | undefined {
  return isToolError(error) ? error : undefined;
}

/** True for a `ProtocolError` of any copy of this package: its text and data may reach the client. */
export function isProtocolError(error: unknown): error is ProtocolError {
  return isToolwrightError(error) && 'rpcCode' in error;
}

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

/** How many milliseconds a client waits before it tries again, where nothing knows better. */
export const RETRY_AFTER_MS = {
  /** All places are taken. Calls are short, so one is free soon. */
  busy: 1_000,
  /** Something is away: a store, an issuer, or this process until the next one takes its place. */
  away: 5_000,
  /** All sessions are taken. They last. */
  full: 10_000,
} as const;
