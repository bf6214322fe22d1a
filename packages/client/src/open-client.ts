import { parseOptions } from '@toolwright/core/options';
import { clientOptions, type ClientOptions } from './client-options.js';
import { StatefulConnection } from './stateful-session.js';
import { McpClient } from './mcp-client.js';
import { StatelessConnection } from './stateless-session.js';
import type { OpenChannel } from './channel.js';
import type { SessionOptions } from './session.js';

/** The first revision without a handshake. Revisions are dates, and these compare as text. */
const FIRST_STATELESS = '2026-07-28';

/** Opens a client over any channel. `options.revision` decides the era (default: the newest revision). */
export async function openClient(channel: OpenChannel, options: ClientOptions = {}): Promise<McpClient> {
  const settings: SessionOptions = parseOptions('openClient', clientOptions, options);
  const session = settings.revision >= FIRST_STATELESS ? StatelessConnection : StatefulConnection;
  return new McpClient(await session.open(channel, settings));
}
