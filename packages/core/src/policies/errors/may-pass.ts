/**
 * The codes of failures that go away by themselves: of the network, of a name server, of a store that is
 * busy.
 */
const passing = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'ESOCKETTIMEDOUT', 'EAI_AGAIN'],
  ...['EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN', 'EHOSTDOWN', 'EBUSY', 'EMFILE', 'ENFILE'],
  ...['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'UND_ERR_SOCKET'],
  // PostgreSQL: serialisation failure, deadlock, too many connections, starting or stopping.
  ...['40001', '40P01', '53300', '57P01', '57P02', '57P03'],
  ...['SQLITE_BUSY', 'SQLITE_LOCKED'],
]);
const MOST_CAUSES = 8;

/**
 * True when the same call can succeed later although nobody changes anything. The error itself must say so:
 * with `retryable: true`, with the name of a timeout, or with a well-known code, on itself or on its cause. A
 * mistake in the code fails every time, and looks like any other error.
 */
export function mayPass(error: unknown): boolean {
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
