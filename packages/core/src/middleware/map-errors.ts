import { isProtocolError, isToolError } from '../errors/error-kinds.js';
import { JsonRpcCode, ProtocolError } from '../errors/protocol-error.js';
import type { ToolError } from '../errors/tool-error.js';
import type { ToolResult } from '../messages/content.js';
import { after } from '../pipeline/after.js';
import type { ActiveCall } from '../pipeline/active-call.js';
import type { PlanStep } from '../pipeline/plan-step.js';

/**
 * The one place where what was thrown becomes what is answered. Only the texts of `ToolError` and `ProtocolError` pass:
 * others may carry a connection string, a query or a path, and are logged under a reference id instead.
 */
export const planErrors: PlanStep = () => ({
  name: 'errors',
  origin: 'default',
  step: (call, next) =>
    after(
      next,
      (result) => result,
      (error) => answer(error, call),
    ),
});

function answer(error: unknown, call: ActiveCall): ToolResult {
  if (call.pending) throw error;
  if (isProtocolError(error)) {
    call.verdict.outcome ??= 'error';
    call.verdict.reason ??= error.code;
    throw error;
  }
  return isToolError(error) ? explain(error, call) : hide(error, call);
}

function explain(error: ToolError, call: ActiveCall): ToolResult {
  call.verdict.outcome ??= 'error';
  call.verdict.reason ??= error.code;
  const text = call.environment.cleanText(String(error.message));
  if (call.operation.kind !== 'tool') throw new ProtocolError(JsonRpcCode.internalError, text, error.meta);
  return { content: [{ type: 'text', text }], isError: true, ...(error.meta && { _meta: error.meta }) };
}

/** Answers without a word about what happened, and logs all of it. */
export function hide(
  error: unknown,
  call: ActiveCall,
  reason: 'TW_INTERNAL' | 'TW_INVALID_OUTPUT' = 'TW_INTERNAL',
): ToolResult {
  const { operation, request, environment, verdict } = call;
  const reference = environment.ids.reference();
  Object.assign(verdict, { outcome: 'error', reason, reference });
  environment.logger.error(
    { err: error, reference, operation: operation.name, requestId: request.id },
    'A call failed with an error that is not meant for its caller',
  );
  const { idempotentHint, readOnlyHint } = operation.annotations;
  const advice = idempotentHint || readOnlyHint ? ' It is safe to try again.' : '';
  const text = `Internal error (ref ${reference}).${advice}`;
  if (operation.kind !== 'tool') throw new ProtocolError(JsonRpcCode.internalError, text);
  return { content: [{ type: 'text', text }], isError: true };
}
