import { isHarmlessTwice } from '../../base/content/content.js';
import { factsOf } from '../../base/operation-kinds.js';
import { isProtocolError, isToolError } from '../../base/errors/error-kinds.js';
import { JsonRpcCode, ProtocolError } from '../../base/errors/protocol-error.js';
import type { ToolError } from '../../base/errors/tool-error.js';
import type { ToolResult } from '../../base/content/content.js';
import { after } from '../../base/maybe-promise.js';
import type { ActiveCall } from '../../call/active-call.js';
import { mayPass } from './may-pass.js';
import type { Guard, PlanGuard } from '../guard.js';
import { boundError, boundText, sizeOf } from './bound-error.js';
import { secretsOf, withoutSecrets } from '../../call/validation/hide-sensitive.js';
import { isDone, textOfDone } from '../../call/refuse.js';
import { outputLimitOf } from '../output/output-limit.js';

const planErrors: PlanGuard = (draft, environment) => {
  const { limit, origin } = outputLimitOf(draft, environment);
  return {
    origin: limit === undefined ? 'default' : origin,
    ...(limit !== undefined && { detail: `at most ${limit} bytes` }),
    step:
      limit === undefined
        ? (call, next) => after(next, asItIs, (error) => answer(error, call))
        : (call, next) =>
            after(
              () => after(next, asItIs, (error) => answer(error, call)),
              (result) => (isFailure(result) ? boundError(result, limit) : result),
              (error) => boundProtocolError(error, limit),
            ),
  };
};

const asItIs = (result: unknown) => result;

function isFailure(result: unknown): result is ToolResult {
  return (result as ToolResult | undefined)?.isError === true;
}

/** @throws {ProtocolError} */
function boundProtocolError(error: unknown, limit: number): never {
  if (!isProtocolError(error)) throw error;
  const { rpcCode, message, data } = error;
  const room = limit - sizeOf(data);
  if (room >= Buffer.byteLength(message)) throw error;
  if (room > 0) throw new ProtocolError(rpcCode, boundText(message, room), data);
  throw new ProtocolError(rpcCode, boundText(message, limit));
}

function answer(error: unknown, call: ActiveCall): ToolResult {
  if (call.pending) throw error;
  if (call.request.task?.failed) noteForRetry(error, call);
  if (isProtocolError(error)) {
    call.verdict.outcome ??= 'error';
    call.verdict.reason ??= error.code;
    throw error;
  }
  return isToolError(error) ? explain(error, call) : hide(error, call);
}

/**
 * A queue may run a task again. What was meant for the caller is an answer, and would be the same the next time,
 * unless it says otherwise.
 */
function noteForRetry(error: unknown, call: ActiveCall): void {
  const { verdict } = call;
  verdict.error = error;
  verdict.mayPass = !isDone(call) && (mayPass(error) || !(isProtocolError(error) || isToolError(error)));
}

function explain(error: ToolError, call: ActiveCall): ToolResult {
  call.verdict.outcome ??= 'error';
  call.verdict.reason ??= error.code;
  const text = call.environment.cleanText(String(error.message));
  if (factsOf(call.operation).failure === 'error')
    throw new ProtocolError(JsonRpcCode.internalError, text, error.meta);
  return { content: [{ type: 'text', text }], isError: true, ...(error.meta && { _meta: error.meta }) };
}

/** Answers without saying what happened, and logs everything. A tool that is done is told apart. */
export function hide(
  error: unknown,
  call: ActiveCall,
  reason: 'TW_INTERNAL' | 'TW_INVALID_OUTPUT' = 'TW_INTERNAL',
): ToolResult {
  const { operation, request, environment, verdict } = call;
  const reference = environment.ids.reference();
  Object.assign(verdict, { outcome: 'error', reason, reference });
  environment.logger.error(
    {
      err: withoutSecrets(error, secretsOf(call)),
      reference,
      operation: operation.name,
      requestId: request.id,
    },
    'A call failed with an error that is not meant for its caller',
  );
  const advice = isHarmlessTwice(operation.annotations) && mayPass(error) ? ' It is safe to try again.' : '';
  const text = isDone(call)
    ? textOfDone(operation, `ref ${reference}`)
    : `Internal error (ref ${reference}).${advice}`;
  if (factsOf(operation).failure === 'error') throw new ProtocolError(JsonRpcCode.internalError, text);
  return { content: [{ type: 'text', text }], isError: true };
}

/**
 * Turns errors into answers; no other code does this. Only the texts of `ToolError` and `ProtocolError` reach
 * the caller. Other errors may contain a connection string, a query or a path, so they are logged under a
 * reference id.
 */
export const errorsGuard: Guard = {
  name: 'errors',
  position: 20,
  summary: 'Makes an answer of what was thrown, without internal text.',
  plan: planErrors,
  planCompletion: planErrors,
  planScheduled: planErrors,
};
