import type { IncomingMessage } from 'node:http';
import { optionRules, type OptionSchema } from '@toolwright/core/options';
import { endpointOptions, type EndpointOptions } from '../endpoint/options.js';

/** The options of an endpoint over node:http, however it is mounted. */
export interface McpHttpOptions extends EndpointOptions<IncomingMessage> {
  /**
   * Returns the address of the caller. Limits and records use it. Default: the other end of the connection.
   * Behind a proxy, read a header that your own proxy writes, such as `X-Real-IP`. Where no proxy replaces
   * that header, a caller can write it, too.
   */
  ip?: (req: IncomingMessage) => string | undefined;
}

/**
 * Every option of an endpoint with its rule and its default. Adapters for frameworks check their options with
 * it.
 */
export const mcpHttpOptions = {
  ...endpointOptions,
  ip: optionRules.callback,
} satisfies OptionSchema<McpHttpOptions>;
