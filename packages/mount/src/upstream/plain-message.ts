import { isObject } from '@toolwright/json';
import { readMessage } from '@toolwright/core/transport';

/**
 * Reads a message of a server behind, for the SDK. `null` is read as absent where a member may be absent: serialisers of
 * many languages write it for what nobody has set, and the SDK refuses such a message whole.
 *
 * @throws {SyntaxError} for text that is not JSON
 */
export function readPlainMessage(given: string): unknown {
  // A console of Windows begins its output with a byte order mark.
  const text = given.startsWith('\uFEFF') ? given.slice(1) : given;
  const message = readMessage(text);
  if (!text.includes('null')) return message;
  return Array.isArray(message) ? message.map(plain) : plain(message);
}

/** Members in which `null` is a value. */
const VALUES = new Set(['structuredContent', 'data']);

function plain(message: unknown): unknown {
  if (!isObject(message)) return message;
  const { result, params, error, method, id } = message;
  const isAnswer = id != null && method == null && error == null;
  return {
    ...withoutNulls(message),
    ...(isObject(params) && { params: withoutNulls(params) }),
    ...(isObject(result) && { result: plainResult(result) }),
    // An empty result, as some write it.
    ...(isAnswer && result === null && { result: {} }),
  };
}

function plainResult(result: Readonly<Record<string, unknown>>): object {
  const { capabilities, serverInfo, ...rest } = withoutNulls(result);
  return {
    ...rest,
    ...(capabilities !== undefined && { capabilities: withoutAnyNulls(capabilities) }),
    ...(serverInfo !== undefined && { serverInfo: withoutAnyNulls(serverInfo) }),
  };
}

/** An object without the members that are `null`, but those whose values may be anything. */
export function withoutNulls<T extends Readonly<Record<string, unknown>>>(value: T): T {
  const all = Object.entries(value);
  const kept = all.filter(([key, each]) => each !== null || VALUES.has(key));
  return kept.length === all.length ? value : (Object.fromEntries(kept) as T);
}

/** The same at every depth. What a server can do is never said by `null`. */
function withoutAnyNulls(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_key, each: unknown) => (isObject(each) ? withoutNulls(each) : each)),
  );
}
