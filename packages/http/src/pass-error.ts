import type { HttpCall } from './endpoint.js';
import { HttpFault, INTERNAL_ERROR } from './http-fault.js';
import { sendFault } from './respond.js';

/**
 * Handles an error that is not an answer of the protocol. If there is an application around this endpoint, it
 * gets the error. Otherwise the client learns only that something failed.
 */
export function passError(
  { endpoint, res, next }: Pick<HttpCall, 'endpoint' | 'res' | 'next'>,
  error: unknown,
): void {
  endpoint.protocol.logger.error({ err: error }, 'The MCP endpoint failed.');
  if (next) return next(error);
  sendFault(res, new HttpFault(500, INTERNAL_ERROR, 'Internal error'));
}
