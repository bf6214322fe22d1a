import { openClient, RpcError, type ClientOptions, type McpClient } from '@toolwright/client';
import { httpChannel, type HttpChannelOptions } from './http-channel.js';

const MODERN = '2026-07-28';
const LEGACY = '2025-11-25';

/**
 * Connects to a server over HTTP, on the newest revision or on an older one that the server supports.
 *
 * @throws {CommandError} if the server cannot be reached, or refuses
 */
export async function connectTo(
  url: URL,
  http: HttpChannelOptions,
  client: ClientOptions = {},
): Promise<McpClient> {
  try {
    return await openClient(httpChannel(url, { ...http, revision: MODERN }), { ...client, revision: MODERN });
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return openClient(httpChannel(url, http), { ...client, revision: LEGACY });
  }
}
