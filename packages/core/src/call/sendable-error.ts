import { asJson } from '@toolwright/json';
import { JsonRpcCode, ProtocolError } from '../base/errors/errors.js';
import type { Logger } from '../ports/logger.js';

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
