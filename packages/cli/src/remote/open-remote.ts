import { readUrl, isObject } from '@toolwright/json';
import {
  type Channel,
  type ClientOptions,
  type McpClient,
  AnswerError,
  type ListedTool,
  type OpenChannel,
  RpcError,
  openClient,
} from '@toolwright/client';
import spawn from 'cross-spawn';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { CommandError, type Terminal } from '@toolwright/operate/terminal';
import { fetchFor } from './fetch-for.js';
import { type HttpChannelOptions, httpChannel } from './http-channel.js';
import {
  ByteBudget,
  defaultLimits,
  eachLine,
  impatient,
  LONGEST_SHOWN,
  type RemoteLimits,
} from './limits.js';
import type { Program } from './named-server.js';
import type { RemoteFlags, RemoteTarget } from './remote-options.js';
import { splitCommand, stdioChannel } from './stdio-channel.js';

/** The options for talking to it. */
export interface RemoteSpeech {
  http?: Omit<HttpChannelOptions, 'budget'>;
  client?: ClientOptions;
  limits?: RemoteLimits;
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
  const local = app === undefined ? undefined : await startLocalApp(app, terminal);
  try {
    const opened = await connectTo(local?.url ?? url, speech);
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
  const remote = await openRemote(target, { http, limits: flags, ...(client && { client }) }, terminal);
  try {
    return await use(remote.client);
  } catch (error) {
    throw plainly(error);
  } finally {
    await remote.close();
  }
}

/** What the options say of a server, with what a file of settings says of it. Headers of the command come first. */
async function withNamedServer(
  flags: RemoteFlags,
  terminal: Surroundings & Pick<Terminal, 'ask'>,
): Promise<RemoteFlags> {
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
 * Opens the newest revision. If the server does not know it, starts the server again with an older revision.
 */
async function openStdio(
  line: string | Program,
  { client: given = {}, limits = defaultLimits }: RemoteSpeech,
  terminal: Surroundings,
): Promise<McpClient> {
  const client = { ...given, maxPages: limits.maxPages };
  const budget = new ByteBudget(limits.maxBytes);
  const channel = (shown: Pick<Terminal, 'cwd' | 'err'>) =>
    impatient(stdioChannel(line, shown, budget), limits.timeout);
  const modern = { ...client, revision: '2026-07-28' } as const;
  const held = holdErrors(terminal);
  const opened = await openWithin(PROBE_MS, channel(held.terminal), modern).catch(() => undefined);
  if (opened) {
    held.release();
    return opened;
  }
  const legacy = { ...client, revision: '2025-11-25' } as const;
  return openWithin(HANDSHAKE_MS, channel(terminal), legacy);
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

/** Opens a client. If that takes too long, ends everything that was started for it. */
async function openWithin(ms: number, open: OpenChannel, options: ClientOptions): Promise<McpClient> {
  let channel: Channel | undefined;
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new CommandError(`The server has not answered for ${ms / 1000} s.`)), ms);
  });
  const client = openClient(async (receive) => (channel = await open(receive)), options);
  try {
    return await Promise.race([client, silence]);
  } catch (error) {
    await channel?.close();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

const MODERN = '2026-07-28';
const LEGACY = '2025-11-25';

/**
 * Connects to a server over HTTP, on the newest revision or on an older one that the server supports.
 *
 * @throws {CommandError} if the server cannot be reached, or refuses
 */
export async function connectTo(
  url: URL,
  { http: given = {}, client = {}, limits = defaultLimits }: RemoteSpeech,
): Promise<McpClient> {
  const http = {
    ...given,
    headers: await withKeptToken(url, given.headers),
    budget: new ByteBudget(limits.maxBytes),
    fetch: await fetchFor(process.env, limits),
  };
  const open = (options: HttpChannelOptions, revision: typeof MODERN | typeof LEGACY) =>
    openClient(impatient(httpChannel(url, options), limits.timeout), {
      ...client,
      maxPages: limits.maxPages,
      revision,
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

/**
 * The tools of a server.
 *
 * @throws {CommandError} if one of them is not a tool as the protocol describes it
 */
export async function listTools(client: McpClient): Promise<ListedTool[]> {
  const tools = await client.tools();
  tools.forEach((tool, index) => {
    const problem = problemOf(tool);
    if (problem !== undefined)
      throw new CommandError(`The server lists a tool that is none: number ${index + 1} has ${problem}.`);
  });
  return tools;
}

function problemOf(tool: ListedTool): string | undefined {
  if (!isObject(tool)) return 'no members';
  const { name, description, inputSchema, outputSchema, annotations } = tool;
  if (typeof name !== 'string') return 'no name';
  if (description !== undefined && typeof description !== 'string') return 'a description that is no text';
  if (!isObject(inputSchema)) return 'no input schema';
  const { properties, required } = inputSchema;
  if (properties !== undefined && !isObject(properties)) return 'properties that are no object';
  if (required !== undefined && !Array.isArray(required)) return 'required names that are no list';
  if (outputSchema !== undefined && !isObject(outputSchema)) return 'an output schema that is no object';
  return annotations === undefined || isObject(annotations) ? undefined : 'annotations that are no object';
}

/** How many milliseconds an app may take to end after it was asked to. */
const GRACE_MS = 5_000;

/** An HTTP app that was started for one command. */
interface LocalApp {
  /** The URL of its endpoint. */
  url: URL;
  stop(): Promise<void>;
}

/**
 * Starts an app on a free port, which it requests with `PORT=0`, and waits for the line with its URL.
 *
 * @throws {CommandError} if the app ends before that, or cannot be started
 */
async function startLocalApp(line: string, terminal: Surroundings): Promise<LocalApp> {
  const { command, args } = splitCommand(line);
  const env = { ...terminal.env, PORT: '0' };
  const child = spawn(command, args, { cwd: terminal.cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  eachLine(child.stderr!, { line: (text) => terminal.err(text), cut: LONGEST_SHOWN });
  const url = await new Promise<URL>((resolve, reject) => {
    child.once('error', (error) => reject(new CommandError(`${line} cannot be started: ${error.message}.`)));
    child.once('exit', (code) =>
      reject(new CommandError(`${line} ended with ${code} and did not say where it listens.`)),
    );
    eachLine(child.stdout!, {
      line: (text) => {
        const found = endpointIn(text);
        if (found) resolve(found);
      },
      cut: LONGEST_SHOWN,
    });
    setTimeout(
      () => reject(new CommandError(`${line} has not said where it listens for ${HANDSHAKE_MS / 1_000} s.`)),
      HANDSHAKE_MS,
    ).unref();
  }).catch(async (error: unknown) => {
    await stop(child);
    throw error;
  });
  return { url, stop: () => stop(child) };
}

function endpointIn(text: string): URL | undefined {
  const [found] = /https?:\/\/[^\s'"]+/.exec(text) ?? [];
  const url = found === undefined ? undefined : readUrl(found);
  if (url === undefined) return undefined;
  // An app may listen on such an address, but a client cannot connect to it.
  if (url.hostname === '0.0.0.0' || url.hostname === '[::]') url.hostname = '127.0.0.1';
  if (url.pathname === '/') url.pathname = '/mcp';
  return url;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), GRACE_MS);
  await exited;
  clearTimeout(timer);
}
