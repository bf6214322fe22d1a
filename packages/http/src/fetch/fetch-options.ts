import { optionRules, type OptionSchema } from '@toolwright/core/options';
import { endpointOptions, type EndpointOptions } from '../endpoint/options.js';

/** The options of an endpoint for web-standard requests. */
export interface McpFetchOptions extends EndpointOptions<Request> {
  /**
   * Returns the address of the caller, which a web-standard request does not tell. Limits and records use it,
   * and without `allowedHosts` only addresses of this machine may ask. Default: what `Deno.serve`,
   * `Bun.serve` and `@hono/node-server` pass beside the request; elsewhere nobody's address is known.
   *
   * @param connection the second argument of the handler, whatever the runtime passes there
   */
  clientAddress?: (request: Request, connection: unknown) => string | undefined;
}

export const mcpFetchOptions = {
  ...endpointOptions,
  clientAddress: optionRules.callback,
} satisfies OptionSchema<McpFetchOptions>;
