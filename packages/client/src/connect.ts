import type { McpServer, Principal } from '@toolwright/core';
import { type OptionSchema, optionRules, parseOptions, requireServer } from '@toolwright/core/options';
import { type Protocol, readMessage, writeJson } from '@toolwright/core/transport';
import type { OpenChannel, WireMessage } from './exchange.js';
import { McpClient } from './mcp-client.js';
import type { ClientSessionOptions } from './session.js';
import { StatefulConnection } from './stateful-session.js';
import { StatelessConnection } from './stateless-session.js';

/** The first revision without a handshake. Revisions are dates, and these compare as text. */
const FIRST_STATELESS = '2026-07-28';

/** Opens a client over any channel. `options.revision` decides the era (default: the newest revision). */
export async function openClient(channel: OpenChannel, options: ClientOptions = {}): Promise<McpClient> {
  const settings: ClientSessionOptions = parseOptions('openClient', clientOptions, options);
  const session = settings.revision >= FIRST_STATELESS ? StatelessConnection : StatefulConnection;
  return new McpClient(await session.open(channel, settings), settings.maxPages);
}

const { anyObject, callback, oneOf, positiveCount, text } = optionRules;

/** The options of a client. All of them have defaults. */
export type ClientOptions = Partial<ClientSessionOptions>;

/** Every option of a client with its rule and its default. */
const clientOptions = {
  // Any text is allowed: a test may ask for a revision that does not exist.
  revision: { ...text, default: '2026-07-28' },
  clientInfo: { ...anyObject, default: { name: 'toolwright-client', version: '1.0.0' } },
  maxPages: { ...positiveCount, default: 1_000 },
  capabilities: anyObject,
  logLevel: oneOf('debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'),
  onLog: callback,
  elicit: callback,
  sample: callback,
  roots: callback,
} satisfies OptionSchema<ClientOptions>;

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
  requireServer('connect', server);
  const { principal, ...options } = parseOptions('connect', connectOptions, given);
  return openClient(memoryChannel(server.protocol, principal), options);
}

/** As it is when this module is loaded: the timers of a test that are not real would deliver nothing. */
const deliverLater = queueMicrotask;

/**
 * A channel within this process. Messages travel as text in both directions, so that it passes only what a
 * real connection could carry.
 */
export function memoryChannel(protocol: Protocol, principal: Principal | undefined): OpenChannel {
  return (receive) => {
    let isOpen = true;
    const connection = protocol.connect({ principal, ip: undefined, transport: 'memory' }, (text) => {
      deliverLater(() => isOpen && receive(readMessage(text) as WireMessage));
    });
    return {
      isInProcess: true,
      send: (message) => connection.receiveText(writeJson(message)),
      close() {
        isOpen = false;
        connection.close();
      },
    };
  };
}
