import { type ContentBlock, type ToolResult, isHarmlessTwice } from '@toolwright/ground/base/content';
import {
  JsonRpcCode,
  ProtocolError,
  type ToolError,
  isProtocolError,
  toolErrorOf,
} from '@toolwright/ground/base/errors/errors';
import { factsOf } from '@toolwright/ground/base/operation-kinds';
import type { ActiveCall } from '@toolwright/ground/call/active-call';
import { locationOf } from '@toolwright/ground/call/operation/draft';
import { textOfDone, sendableData, sendableError } from '@toolwright/ground/call/refuse';
import { after, FAILURE_OBSERVER } from '@toolwright/json';
import type { BuiltInGuard, PlanGuard } from './guard.js';
import { outputLimitOf } from './output/max-output.js';

const planErrors: PlanGuard = (draft, environment) => {
  const { limit, origin } = outputLimitOf(draft, environment);
  return {
    origin: limit === undefined ? 'default' : origin,
    ...(limit !== undefined && { detail: `at most ${limit} bytes` }),
    step: (call, next) =>
      after(
        () => after(next, asItIs, (error) => answer(error, call)),
        (result) => (isFailure(result) ? passOn(result, call, limit) : result),
        limit === undefined ? undefined : (error) => boundProtocolError(error, limit),
      ),
  };
};

/** Budgets are for models. A package gets the whole text of a call that it has made, and the code of its failure. */
function passOn(result: ToolResult, call: ActiveCall, limit: number | undefined) {
  if (tellParent(call)) return result;
  return limit === undefined ? result : boundError(result, limit);
}

/** @returns false for a call of a client */
function tellParent({ request: { parent }, verdict, hasBegun }: ActiveCall): boolean {
  if (parent) parent.failure = [verdict.reason, hasBegun];
  return parent !== undefined;
}

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
  const meant = isProtocolError(error) ? error : call.environment.readError(error);
  // A queue may run a task again. An error that is meant for the caller is an answer: it would be the same the next
  // time, unless it says `retryable: true`.
  if (call.request.task?.failed)
    Object.assign(call.verdict, { error, isRetryable: !call.isDone && (isRetryable(error) || !meant) });
  if (isProtocolError(error)) {
    call.verdict.outcome ??= 'error';
    call.verdict.reason ??= error.code;
    tellParent(call);
    throw sendableError(error, call.environment.logger);
  }
  if (!meant) return hide(error, call);
  // A `ToolError` has all its words. What the option `errors` makes of another error loses what the error says of itself.
  const advice = meant === toolErrorOf(error) || call.isDone ? '' : adviceFor(error, call);
  return explain(meant as ToolError, call, advice);
}

/** What the model reads where the same call may succeed later, and may be made twice. */
const adviceFor = (error: unknown, { operation }: ActiveCall): string =>
  isHarmlessTwice(operation.annotations) && isRetryable(error) ? ' It is safe to try again.' : '';

function explain(error: ToolError, call: ActiveCall, advice: string): ToolResult {
  call.verdict.outcome ??= 'error';
  call.verdict.reason ??= error.code;
  const { cleanText, logger } = call.environment;
  const text = cleanText(String(error.message)) + advice;
  const meta = sendableData(error.meta, logger);
  if (factsOf(call.operation).failure === 'error')
    throw new ProtocolError(JsonRpcCode.internalError, text, meta);
  return { content: [{ type: 'text', text }], isError: true, ...(meta && { _meta: meta }) };
}

type FailureHolder = {
  [FAILURE_OBSERVER]?: (failure: { readonly reference: string; readonly error: unknown }) => void;
};

/**
 * Logs an error in full, and answers with a text that reveals nothing about it. If the tool has changed something,
 * the text says that the tool ran.
 */
export function hide(
  error: unknown,
  call: ActiveCall,
  reason: 'TW_INTERNAL' | 'TW_INVALID_OUTPUT' = 'TW_INTERNAL',
): ToolResult {
  const { operation, request, environment, verdict } = call;
  const reference = environment.ids.reference();
  Object.assign(verdict, { outcome: 'error', reason, reference });
  const err = call.forLog(error);
  (globalThis as FailureHolder)[FAILURE_OBSERVER]?.({ reference, error: err });
  environment.logger.error(
    {
      err,
      reference,
      operation: operation.name,
      requestId: request.id,
      // The stack of a thrown error says where; that of a result begins in our code.
      ...(reason === 'TW_INVALID_OUTPUT' && {
        ...locationOf(operation),
        fix: 'Return what the return type says, or correct the type and build again.',
      }),
    },
    'A call failed with an error that is not meant for its caller',
  );
  const text = call.isDone
    ? textOfDone(operation, `ref ${reference}`)
    : `Internal error (ref ${reference}).${adviceFor(error, call)}`;
  if (factsOf(operation).failure === 'error') throw new ProtocolError(JsonRpcCode.internalError, text);
  return { content: [{ type: 'text', text }], isError: true };
}

/**
 * Turns errors into answers; no other code does this. Only the texts of `ToolError` and `ProtocolError` reach
 * the caller. Other errors may contain a connection string, a query or a path, so they are logged under a
 * reference id.
 */
export const errorsGuard: BuiltInGuard = {
  name: 'errors',
  position: 20,
  summary: 'Makes an answer of what was thrown, without internal text.',
  plan: planErrors,
  planCompletion: planErrors,
  planBackground: planErrors,
};

/**
 * The codes of failures that go away by themselves: of the network, of a name server, of a store that is
 * busy.
 */
const passing = new Set(
  [
    'ECONNREFUSED ECONNRESET ECONNABORTED EPIPE ETIMEDOUT ESOCKETTIMEDOUT EAI_AGAIN',
    'EHOSTUNREACH ENETUNREACH ENETDOWN EHOSTDOWN EBUSY EMFILE ENFILE',
    'UND_ERR_CONNECT_TIMEOUT UND_ERR_HEADERS_TIMEOUT UND_ERR_BODY_TIMEOUT UND_ERR_SOCKET',
    // PostgreSQL: serialisation failure, deadlock, too many connections, starting or stopping.
    '40001 40P01 53300 57P01 57P02 57P03',
    'SQLITE_BUSY SQLITE_LOCKED',
  ].flatMap((codes) => codes.split(' ')),
);
const MOST_CAUSES = 8;

/**
 * True when the same call can succeed later without any change. The error itself must say so: with `retryable: true`,
 * with the name of a timeout, or with a well-known code, on itself or on its cause. A mistake in the code fails every
 * time, and looks like any other error.
 */
function isRetryable(error: unknown): boolean {
  let current = error;
  for (let depth = 0; depth < MOST_CAUSES; depth++) {
    if (typeof current !== 'object' || current === null) return false;
    const { retryable, name, code, cause } = current as Record<string, unknown>;
    if (typeof retryable === 'boolean') return retryable;
    if (name === 'TimeoutError' || passing.has(code as string)) return true;
    current = cause;
  }
  return false;
}

const NOTE = ' … [cut]';

/** Cuts an error to `limit` bytes. It keeps the beginning of the text. */
export function boundError(result: ToolResult, limit: number): ToolResult {
  const { content, structuredContent, _meta, ...rest } = result;
  const metaSize = sizeOf(_meta);
  const size = content.reduce((sum, block) => sum + sizeOfBlock(block), metaSize + sizeOf(structuredContent));
  if (size <= limit) return result;
  // Data of an error that programs read is short, such as the time to wait. Long data must not push out the
  // text.
  const keepsMeta = _meta !== undefined && metaSize < limit;
  const kept = fitting(content, keepsMeta ? limit - metaSize : limit);
  return { ...rest, content: kept, ...(keepsMeta && { _meta }) };
}

function fitting(content: readonly ContentBlock[], limit: number): ContentBlock[] {
  const kept: ContentBlock[] = [];
  let left = limit;
  for (const block of content) {
    const cut = block.type === 'text' ? { ...block, text: boundText(block.text, left) } : block;
    const size = sizeOfBlock(cut);
    if (size === 0 || size > left) continue;
    kept.push(cut);
    left -= size;
  }
  return kept;
}

/** The beginning of a text, in `limit` bytes. */
export function boundText(text: string, limit: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= limit) return text;
  const note = Buffer.byteLength(NOTE) < limit ? NOTE : '';
  const kept = bytes.subarray(0, limit - Buffer.byteLength(note)).toString('utf8');
  // A character that was cut in half decodes to U+FFFD. A text of others may have nothing else.
  let end = kept.length;
  while (kept[end - 1] === '\ufffd') end--;
  return kept.slice(0, end) + note;
}

function sizeOfBlock(block: ContentBlock): number {
  return block.type === 'text' ? Buffer.byteLength(block.text) : sizeOf(block);
}

/** @param value JSON */
function sizeOf(value: unknown): number {
  return value === undefined ? 0 : Buffer.byteLength(JSON.stringify(value));
}
