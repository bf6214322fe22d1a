import type { HttpCall } from './endpoint.js';
import { HttpFault, INTERNAL_ERROR } from './http-fault.js';
import { sendFault } from './respond.js';

/**
 * Sees to an error that is no answer of the protocol. The application around this endpoint has its own way with errors,
 * and gets it. Without one the client is told that something failed, and nothing more.
 */
export function passError(
  { endpoint, res, next }: Pick<HttpCall, 'endpoint' | 'res' | 'next'>,
  error: unknown,
): void {
  endpoint.protocol.logger.error({ err: error }, 'The MCP endpoint failed.');
  if (next) return next(error);
  sendFault(res, new HttpFault(500, INTERNAL_ERROR, 'Internal error'));
}
