import { isLoopback } from '@toolwright/json';
import {
  type Channel,
  type ClientOptions,
  type McpClient,
  AnswerError,
  type OpenChannel,
  RpcError,
  openClient,
} from '@toolwright/client';
import { CommandError, type Terminal, usageError } from '@toolwright/operate/terminal';
import { fetchFor } from './fetch-for.js';
import { type HttpChannelOptions, httpChannel } from './http-channel.js';
import { interruptible } from './interruptible.js';
import { ByteBudget, defaultLimits, impatient, type RemoteLimits } from './limits.js';
import { type LocalApp, startLocalApp, urlsIn } from './local-app.js';
import type { Program } from './named-server.js';
import type { RemoteFlags, RemoteTarget } from './remote-options.js';
import { stdioChannel, type StrayText, strayWords } from './stdio-channel.js';

/** The options for talking to it. */
export interface RemoteSpeech {
  http?: Omit<HttpChannelOptions, 'budget'>;
  client?: ClientOptions;
  limits?: RemoteLimits;
  /** Ends what is being asked. */
  signal?: AbortSignal;
}

/** What a server that is started gets of the terminal. */
type Surroundings = Pick<Terminal, 'cwd' | 'env' | 'err'>;

/** A client, and a function that ends it and everything that was started for it. */
export interface Remote {
  client: McpClient;
  close(): Promise<void>;
}

/**
 * If a server on standard input and output has not answered after this many milliseconds, it does not know
 * the newest revision.
 */
const PROBE_MS = 5_000;
const HANDSHAKE_MS = 30_000;

/** @throws {CommandError} if the server cannot be started or reached, or refuses */
export async function openRemote(
  { url, app, stdio }: RemoteTarget,
  speech: RemoteSpeech,
  terminal: Surroundings,
): Promise<Remote> {
  if (stdio !== undefined) {
    const opened = await openStdio(stdio, speech, terminal);
    return { client: opened, close: () => opened.close() };
  }
  const local = app === undefined ? undefined : await startLocalApp(app, terminal, speech.signal);
  try {
    const opened = await connectTo(local?.url ?? url, local ? speechTo(local, speech, terminal) : speech);
    const close = async () => {
      try {
        await opened.close();
      } finally {
        await local?.stop();
      }
    };
    return { client: opened, close };
  } catch (error) {
    await local?.stop();
    throw error;
  }
}

/** Headers are secrets. A program that says nothing may have printed the address of somebody else. */
function speechTo(
  { url, isSure }: LocalApp,
  { http = {}, ...speech }: RemoteSpeech,
  terminal: Surroundings,
): RemoteSpeech {
  const { headers = {}, ...rest } = http;
  if (isSure || Object.keys(headers).length === 0) return { ...speech, http };
  terminal.err(
    `No header is sent to ${url}: it is the address that the app printed, and no program of Node.js has said that it listens there. Start the app yourself, and name it with --url.`,
  );
  return { ...speech, http: rest };
}

/**
 * Uses a server, and ends everything that was started for it.
 *
 * @throws {CommandError} if the server cannot be reached, refuses, or gives an invalid answer
 */
export async function useRemote<T>(
  flags: RemoteFlags & Pick<HttpChannelOptions, 'headersFor'> & { client?: ClientOptions },
  terminal: Surroundings & Pick<Terminal, 'ask'>,
  use: (client: McpClient) => Promise<T>,
): Promise<T> {
  const { headersFor, client } = flags;
  const target = await withNamedServer(flags, terminal);
  const http = { headers: await headersOf(target), ...(headersFor && { headersFor }) };
  return interruptible(async (signal) => {
    const speech = { http, limits: flags, signal, ...(client && { client }) };
    let remote: Awaited<ReturnType<typeof openRemote>> | undefined;
    try {
      remote = await openRemote(target, speech, terminal);
      return await use(remote.client);
    } catch (error) {
      throw plainly(error);
    } finally {
      await remote?.close();
    }
  });
}

/** What the options say of a server, with what a file of settings says of it. Headers of the command come first. */
export async function withNamedServer(
  flags: RemoteFlags,
  terminal: Surroundings & Pick<Terminal, 'ask'>,
): Promise<RemoteFlags> {
  if (flags.server === undefined && flags.config !== undefined)
    throw usageError('--config names a file of settings: name one of its servers with --server.');
  if (flags.server === undefined) return flags;
  const { findServer } = await import('./named-server.js');
  const found = await findServer(flags.server, flags.config, terminal);
  if (!('url' in found)) return { ...flags, stdio: found };
  return { ...flags, url: found.url, header: { ...found.headers, ...flags.header } };
}

/** The headers of the person, with the token of the test user that they want to be. */
async function headersOf({ header, as, url }: RemoteFlags): Promise<Record<string, string>> {
  if (as === undefined) return header;
  const { testUserToken } = await import('./test-user-token.js');
  return { ...header, authorization: `Bearer ${await testUserToken(url, as)}` };
}

/**
 * Opens the newest revision. If the server does not know it, starts the server again with an older revision. A client that names
 * its revision speaks no other one.
 */
async function openStdio(
  line: string | Program,
  { client: given = {}, limits = defaultLimits, signal }: RemoteSpeech,
  terminal: Surroundings,
): Promise<McpClient> {
  const client = { ...given, maxPages: limits.maxPages };
  const { revision } = given;
  const budget = new ByteBudget(limits.maxBytes);
  const stray: StrayText = { text: '' };
  const channel = (shown: Pick<Terminal, 'cwd' | 'err'>) =>
    impatient(stdioChannel(line, shown, budget, stray), { ms: limits.timeout, signal });
  if (revision !== undefined)
    return openWithin({ ms: HANDSHAKE_MS, more: () => strayWords(stray) }, channel(terminal), client);
  const modern = { ...client, revision: '2026-07-28' } as const;
  const held = holdErrors(terminal);
  const opened = await openWithin({ ms: PROBE_MS }, channel(held.terminal), modern).catch(() => undefined);
  if (opened) {
    held.release();
    return opened;
  }
  signal?.throwIfAborted();
  const legacy = { ...client, revision: '2025-11-25' } as const;
  // It runs, and serves HTTP: most of them read no standard input.
  const overHttp = urlsIn(stray.text).some(isLoopback);
  const hint = overHttp ? '. It serves HTTP: write --app in place of --stdio.' : '.';
  stray.text = '';
  const patience = { ms: overHttp ? PROBE_MS : HANDSHAKE_MS, more: () => `${strayWords(stray)}${hint}` };
  return openWithin(patience, channel(terminal), legacy);
}

/**
 * Holds back the server's output until it is known whether it starts again, because the second start prints
 * the same.
 */
function holdErrors(terminal: Surroundings) {
  const lines: string[] = [];
  let isOpen = false;
  const show = (line: string) => (isOpen ? terminal.err(line) : void lines.push(line));
  const release = () => {
    isOpen = true;
    for (const line of lines) terminal.err(line);
  };
  return { terminal: { cwd: terminal.cwd, err: show }, release };
}

/** How many milliseconds a server has for its first answer, and what else to say of one that gives none. */
interface Patience {
  readonly ms: number;
  readonly more?: () => string;
}

/** Opens a client. If that takes too long, ends everything that was started for it. */
async function openWithin(
  { ms, more = () => '.' }: Patience,
  open: OpenChannel,
  options: ClientOptions,
): Promise<McpClient> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new CommandError(`The server has not answered for ${ms / 1000} s${more()}`)),
      ms,
    );
  });
  return openOrEnd(open, (channel) => Promise.race([openClient(channel, options), silence])).finally(() =>
    clearTimeout(timer),
  );
}

/** Ends everything that was started for a client that cannot be opened. */
async function openOrEnd(
  open: OpenChannel,
  start: (open: OpenChannel) => Promise<McpClient>,
): Promise<McpClient> {
  let channel: Channel | undefined;
  try {
    return await start(async (receive) => (channel = await open(receive)));
  } catch (error) {
    await channel?.close();
    throw error;
  }
}

const MODERN = '2026-07-28';
const LEGACY = '2025-11-25';

type Revision = NonNullable<ClientOptions['revision']>;

/**
 * Connects to a server over HTTP, on the revision that the client names; else on the newest one, or on an older one that the
 * server supports.
 *
 * @throws {CommandError} if the server cannot be reached, or refuses
 */
export async function connectTo(
  url: URL,
  { http: given = {}, client = {}, limits = defaultLimits, signal }: RemoteSpeech,
): Promise<McpClient> {
  const http = {
    ...given,
    headers: await withKeptToken(url, given.headers),
    budget: new ByteBudget(limits.maxBytes),
    fetch: await fetchFor(process.env, limits),
  };
  const open = (options: HttpChannelOptions, revision: Revision) =>
    openOrEnd(impatient(httpChannel(url, options), { ms: limits.timeout, signal }), (channel) =>
      openClient(channel, { ...client, maxPages: limits.maxPages, revision }),
    );
  const { revision } = client;
  if (revision !== undefined)
    return open(revision < MODERN ? http : { ...http, revision }, revision).catch((error: unknown) => {
      throw plainly(error);
    });
  try {
    return await open({ ...http, revision: MODERN }, MODERN);
  } catch (error) {
    if (!(error instanceof RpcError)) throw plainly(error);
    return open(http, LEGACY).catch((refusal: unknown) => {
      throw plainly(refusal);
    });
  }
}

/** A header that somebody gave comes first, and a token is for the origin that it was issued for. */
async function withKeptToken(
  url: URL,
  headers: Record<string, string> = {},
): Promise<Record<string, string>> {
  if (headers['authorization'] !== undefined) return headers;
  const { tokenFor } = await import('./kept-tokens.js');
  const token = await tokenFor(url, process.env);
  return token === undefined ? headers : { ...headers, authorization: `Bearer ${token}` };
}

/**
 * What a server answered, for people: its refusal, or one sentence about an invalid answer. A stack would show our
 * code, which is not where the mistake is.
 */
export function plainly(error: unknown): unknown {
  if (error instanceof RpcError) return new CommandError(`${error.message} (${error.code})`);
  if (error instanceof AnswerError) return new CommandError(error.message);
  const isOdd = error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError;
  if (!isOdd) return error;
  return new CommandError(`The server gave an answer that the protocol does not allow: ${error.message}.`);
}
