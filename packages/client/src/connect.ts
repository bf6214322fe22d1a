import type { McpServer, Principal } from '@toolwright/core';
import { optionRules, parseOptions, type OptionSchema } from '@toolwright/core/options';
import { clientOptions } from './client-options.js';
import type { McpClient } from './mcp-client.js';
import { memoryChannel } from './memory-channel.js';
import type { ClientOptions } from './client-options.js';
import { openClient } from './open-client.js';

export interface ConnectOptions extends ClientOptions {
  /** The identity of the client, as a transport would have authenticated it. Default: anonymous. */
  principal?: Principal;
}

const connectOptions = {
  ...clientOptions,
  principal: optionRules.principal,
} satisfies OptionSchema<ConnectOptions>;

/**
 * Connects a client to a server in the same process. Each call goes through the protocol, validation, limits
 * and audit. Only the transport is missing.
 *
 * @example
 * const client = await connect(server, { elicit: () => ({ action: 'accept', content: {} }) });
 * expect(await client.call('delete_page', { pageId: '1' })).not.toBeToolError();
 */
export async function connect(
  server: Pick<McpServer, 'protocol'>,
  given: ConnectOptions = {},
): Promise<McpClient> {
  const { principal, ...options } = parseOptions('connect', connectOptions, given);
  return openClient(memoryChannel(server.protocol, principal), options);
}
