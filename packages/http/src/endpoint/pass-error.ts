import type { Protocol } from '@toolwright/core/transport';
import type { Exchange } from './exchange.js';
import { HttpFailure, INTERNAL_ERROR } from './http-failure.js';
import { sendFailure } from './respond.js';

/**
 * Handles an error that is not an answer of the protocol. If there is an application around this endpoint, it
 * gets the error. Otherwise the client learns only that something failed.
 */
export function passError({ logger }: Pick<Protocol, 'logger'>, exchange: Exchange, error: unknown): void {
  logger.error({ err: error }, 'The MCP endpoint failed.');
  if (!exchange.passError(error))
    sendFailure(exchange, new HttpFailure(500, INTERNAL_ERROR, 'Internal error'));
}
