import type { ToolResult } from '../base/content.js';
import type { ErrorCode } from '../base/errors/catalogue.js';
import {
  JsonRpcCode,
  ProtocolError,
  HiddenOperationError,
  OverloadError,
  RETRY_AFTER_MS,
} from '../base/errors/errors.js';
import { factsOf } from '../base/operation-kinds.js';
import type { Logger } from '../ports/logger.js';
import type { ActiveCall } from './active-call.js';
import { hideSensitive } from './hide-sensitive.js';
import type { Call, Verdict } from './operation/operation.js';
import { type Problem, describeProblems, asJson } from '@toolwright/json';

/** How a guard of a package ends a call. */
export interface CallRefusal {
  /** `denied` for a call that the caller may not make, `error` for a failure of the server. */
  readonly outcome: 'denied' | 'error';
  readonly reason: ErrorCode;
  /** The text for the model: what happened, and what to do about it. */
  readonly text: string;
  /** The error code for prompts and resources, which have no `isError`. It is outside the reserved range. */
  readonly rpcCode: number;
}

/** Why a call is not carried out, for its caller and for the audit log. */
interface Refusal extends Omit<CallRefusal, 'outcome'> {
  outcome: NonNullable<Verdict['outcome']>;
  meta?: Record<string, unknown>;
}

/**
 * Ends a call without running it. A tool gets a result with `isError: true`, so that the model can react.
 *
 * @throws {ProtocolError} for prompts and resources
 */
export function refuse(call: ActiveCall, { outcome, reason, text, rpcCode, meta }: Refusal): ToolResult {
  call.verdict.outcome = outcome;
  call.verdict.reason = reason;
  if (outcome === 'limited' || outcome === 'denied') call.environment.refusedCalls.count(call);
  if (factsOf(call.operation).failure === 'error') throw new ProtocolError(rpcCode, text, meta);
  return { content: [{ type: 'text', text }], isError: true, ...(meta && { _meta: meta }) };
}

/**
 * Ends a call from the step of a package's guard, as the built-in guards do: the audit log has the outcome and the reason.
 *
 * @returns what the step returns
 * @throws {ProtocolError} for prompts and resources
 */
export function refuseCall(call: Call, refusal: CallRefusal): unknown {
  return refuse(call as ActiveCall, refusal);
}

/** The text for a model when a tool has run and its result cannot be sent. */
export function textOfDone({ annotations }: ActiveCall['operation'], why: string): string {
  const advice = annotations.idempotentHint
    ? 'What it did is done; calling it again with the same arguments changes nothing more.'
    : 'What it did is done: do not call it again for the result.';
  return `The tool ran; its result could not be sent (${why}). ${advice}`;
}

/**
 * Ends a call whose caller may not know of the operation. Its answer is that of an unknown name.
 *
 * @throws {HiddenOperationError}
 */
export function refuseHidden(call: ActiveCall): never {
  call.verdict.outcome = 'denied';
  call.verdict.reason = 'TW_HIDDEN';
  call.environment.refusedCalls.count(call);
  throw new HiddenOperationError(call.operation);
}

/**
 * Ends a call for which the whole server has no room. A load balancer should learn about it. @throws
 * {OverloadError}
 */
export function refuseOverload(call: ActiveCall): never {
  call.verdict.outcome = 'limited';
  call.verdict.reason = 'TW_OVERLOAD';
  call.environment.refusedCalls.count(call);
  throw new OverloadError(RETRY_AFTER_MS.busy);
}

/** Ends a call with invalid arguments, for all checks of arguments. */
export function rejectArguments(call: ActiveCall, problems: readonly Problem[]): ToolResult {
  const { operation, environment } = call;
  const shown = hideSensitive(problems, call);
  return refuse(call, {
    outcome: 'invalid',
    reason: 'TW_INVALID_ARGUMENTS',
    text: environment.cleanText(`Invalid arguments for ${operation.name}:\n${describeProblems(shown)}`),
    rpcCode: JsonRpcCode.invalidParams,
  });
}

/**
 * What an error says to programs beside its message, as JSON. Data that contains itself is left out, because the
 * message is worth more than the data, and a message that nobody can write would get no answer at all.
 */
export function sendableData<T extends Record<string, unknown> | undefined>(
  data: T,
  logger: Logger,
): T | undefined {
  if (data === undefined) return undefined;
  try {
    return asJson(data);
  } catch (err) {
    logger.error({ err }, 'The data of an error cannot be sent, so it is left out.');
    return undefined;
  }
}

/** The error, with a code that is an integer, as JSON-RPC says, and with data that can be sent. */
export function sendableError(error: ProtocolError, logger: Logger): ProtocolError {
  const data = sendableData(error.data, logger);
  const hasCode = Number.isSafeInteger(error.rpcCode);
  if (hasCode && data === error.data) return error;
  return new ProtocolError(hasCode ? error.rpcCode : JsonRpcCode.internalError, error.message, data);
}
