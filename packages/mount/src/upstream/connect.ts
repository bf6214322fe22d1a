import {
  Client,
  type ClientCapabilities,
  type PriorDiscovery,
  SSEClientTransport,
  SdkHttpError,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import type { GroupSettings } from '../options.js';
import { ChildTransport } from './child-transport.js';
import { LastWords } from './last-words.js';
import { withinConnectTimeout } from './connect-limit.js';
import { limitedFetch } from './limited-fetch.js';
import { outsideExchanges } from './scope.js';
import { type Trick, WatchedTransport } from './watched-transport.js';

/** What is learned about a server behind when it is first reached. Later connections need not ask again. */
export interface UpstreamTraits {
  readonly prior: PriorDiscovery;
  /** Whether the server speaks the old HTTP transport with two endpoints (2024-11-05). */
  readonly isOldSse: boolean;
  /** Whether requests of one connection may depend on earlier ones. */
  readonly keepsState: boolean;
}

export interface Connected {
  readonly client: Client;
  readonly traits: UpstreamTraits;
  readonly pid: number | undefined;
  /** Ends the session at the server, too. */
  close(): Promise<void>;
}

/** What a connection needs beside the options of its mount. */
export interface ConnectionNeeds {
  readonly settings: GroupSettings;
  readonly clientInfo: { readonly name: string; readonly version: string };
  readonly capabilities: ClientCapabilities;
  readonly traits: UpstreamTraits | undefined;
  /** Is aborted when the mount is closed. */
  readonly closed: AbortSignal;
  noticed(trick: Trick): void;
  said(line: string): void;
}

/** A child may first load packages, so it gets more time than a server that runs. */
const PROBE_MS = 10_000;

/**
 * Connects to a server of either era.
 *
 * @throws what the SDK throws when the server cannot be reached
 * @throws {ConnectTimeout} when it does not answer in time
 */
export function connect(needs: ConnectionNeeds): Promise<Connected> {
  const { settings, closed } = needs;
  return outsideExchanges(() =>
    withinConnectTimeout(settings, closed, (signal) => {
      const options = { ...needs, signal };
      return settings.url === undefined ? overStdio(options) : overHttp(options);
    }),
  );
}

/** The signal ends the attempt when its time is over. */
type Attempt = ConnectionNeeds & { readonly signal: AbortSignal };

async function overHttp(options: Attempt): Promise<Connected> {
  const { settings, traits } = options;
  const url = new URL(settings.url!);
  const { headers } = settings;
  const fetch = limitedFetch({ bytes: settings.limits.resultBytes, values: settings.limits.values });
  const common = { fetch, ...(headers && { requestInit: { headers: { ...headers } } }) };
  const streamable = async () => {
    const transport = new StreamableHTTPClientTransport(url, {
      ...common,
      reconnectionOptions: {
        initialReconnectionDelay: 50,
        maxReconnectionDelay: 500,
        reconnectionDelayGrowFactor: 3,
        maxRetries: 2,
      },
    });
    const connected = await open(transport, { ...options, hasOwnStreams: true });
    const end = async () => {
      await transport.terminateSession().catch(() => undefined);
      await connected.client.close();
    };
    return { ...connected, close: end };
  };
  if (traits?.isOldSse) return oldSse(url, common, options);
  try {
    return await streamable();
  } catch (error) {
    // A server with the old transport refuses to be posted to (2025-03-26, basic/transports, Backwards Compatibility).
    if (!(error instanceof SdkHttpError) || ![404, 405].includes(error.status)) throw error;
    return oldSse(url, common, options).catch(() => Promise.reject(error));
  }
}

function oldSse(
  url: URL,
  common: ConstructorParameters<typeof SSEClientTransport>[1],
  options: Attempt,
): Promise<Connected> {
  const transport = new SSEClientTransport(url, common);
  return open(transport, { ...options, hasOwnStreams: false, isOldSse: true });
}

async function overStdio(options: Attempt): Promise<Connected> {
  const { command, args = [], env = {}, cwd, limits } = options.settings;
  const { memoryBytes, resultBytes, values } = limits;
  const attempt = async (traits: UpstreamTraits | undefined) => {
    const words = new LastWords(options.said);
    const transport = new ChildTransport({
      command: command!,
      args,
      env,
      cwd,
      memoryBytes,
      said: (line) => words.add(line),
      mostBytes: resultBytes + 1024 * 1024,
      mostValues: values,
    });
    return open(transport, { ...options, traits, hasOwnStreams: false }).catch((error: Error) =>
      words.addTo(error),
    );
  };
  if (options.traits) return attempt(options.traits);
  try {
    return await attempt(undefined);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' || options.signal.aborted) throw error;
    // Some servers end when the first request is one that they do not know. A new process gets the old handshake.
    return attempt({ prior: { kind: 'legacy' }, isOldSse: false, keepsState: true });
  }
}

interface OpenOptions extends Attempt {
  readonly hasOwnStreams: boolean;
  readonly isOldSse?: boolean;
}

async function open(inner: Transport, options: OpenOptions): Promise<Connected> {
  const { clientInfo, capabilities, traits, hasOwnStreams, isOldSse = false, settings, noticed } = options;
  const { signal } = options;
  const client = new Client(clientInfo, {
    capabilities,
    versionNegotiation: { mode: 'auto', probe: { timeoutMs: Math.min(PROBE_MS, settings.limits.answerMs) } },
    inputRequired: { autoFulfill: false },
    // Our own guards check results. The SDK would load a validator for each connection.
    jsonSchemaValidator: {
      getValidator: () => (data) => ({ valid: true, data: data as never, errorMessage: undefined }),
    },
  });
  const watched = new WatchedTransport(inner, hasOwnStreams, noticed);
  // The SDK takes a transport with these members for a local process: silence then means an old server, no outage.
  if (inner instanceof ChildTransport) Object.assign(watched, { stderr: null, pid: inner.pid });
  // Neither a process nor a stream outlives its attempt.
  const giveUp = () => void inner.close().catch(() => undefined);
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    await client.connect(watched, {
      ...(traits ? { prior: traits.prior } : isOldSse && { prior: { kind: 'legacy' } }),
      timeout: settings.limits.answerMs,
    });
    signal.throwIfAborted();
  } catch (error) {
    await inner.close().catch(() => undefined);
    throw error;
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
  return {
    client,
    traits: traitsOf(client, watched, { isOldSse, isChild: inner instanceof ChildTransport }),
    pid: inner instanceof ChildTransport ? inner.pid : undefined,
    close: () => client.close(),
  };
}

/** A process and a connection keep state. Over HTTP, the server says so by giving a session id. */
function traitsOf(
  client: Client,
  watched: WatchedTransport,
  { isChild, isOldSse }: { isChild: boolean; isOldSse: boolean },
): UpstreamTraits {
  const discover = client.getDiscoverResult();
  if (discover && client.getProtocolEra() === 'modern')
    return { prior: { kind: 'modern', discover }, isOldSse, keepsState: false };
  return {
    prior: { kind: 'legacy' },
    isOldSse,
    keepsState: isChild || isOldSse || watched.sessionId !== undefined,
  };
}
