import {
  type Channel,
  type ClientOptions,
  type McpClient,
  type OpenChannel,
  RpcError,
  openClient,
} from '@toolwright/client';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { CommandError, type Terminal } from '@toolwright/operate';
import { type HttpChannelOptions, httpChannel } from './http-channel.js';
import { splitCommand, stdioChannel } from './stdio-channel.js';

/** Where a server is: at a URL, or started for one command. */
export interface RemoteTarget {
  url: URL;
  /** A command that starts an HTTP app. */
  app?: string;
  /** A command that starts a server on standard input and output. */
  stdio?: string;
}

/** The options for talking to it. */
export interface RemoteSpeech {
  http?: HttpChannelOptions;
  client?: ClientOptions;
}

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
  { http = {}, client = {} }: RemoteSpeech,
  terminal: Terminal,
): Promise<Remote> {
  if (stdio !== undefined) {
    const opened = await openStdio(stdio, client, terminal);
    return { client: opened, close: () => opened.close() };
  }
  const local = app === undefined ? undefined : await startLocalApp(app, terminal);
  try {
    const opened = await connectTo(local?.url ?? url, http, client);
    const close = () => opened.close().finally(() => local?.stop());
    return { client: opened, close };
  } catch (error) {
    await local?.stop();
    throw error;
  }
}

/**
 * Opens the newest revision. If the server does not know it, starts the server again with an older revision.
 */
async function openStdio(line: string, client: ClientOptions, terminal: Terminal): Promise<McpClient> {
  const modern = { ...client, revision: '2026-07-28' } as const;
  const held = holdErrors(terminal);
  const opened = await openWithin(PROBE_MS, stdioChannel(line, held.terminal), modern).catch(() => undefined);
  if (opened) {
    held.release();
    return opened;
  }
  const legacy = { ...client, revision: '2025-11-25' } as const;
  return openWithin(HANDSHAKE_MS, stdioChannel(line, terminal), legacy);
}

/**
 * Holds back the server's output until it is known whether it starts again, because the second start prints
 * the same.
 */
function holdErrors(terminal: Terminal) {
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
async function startLocalApp(
  line: string,
  terminal: Pick<Terminal, 'cwd' | 'env' | 'err'>,
): Promise<LocalApp> {
  const { command, args } = splitCommand(line);
  const env = { ...terminal.env, PORT: '0' };
  const child = spawn(command, args, { cwd: terminal.cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  createInterface(child.stderr).on('line', (text) => terminal.err(text));
  const url = await new Promise<URL>((resolve, reject) => {
    child.once('error', (error) => reject(new CommandError(`${line} cannot be started: ${error.message}.`)));
    child.once('exit', (code) =>
      reject(new CommandError(`${line} ended with ${code} and did not say where it listens.`)),
    );
    createInterface(child.stdout).on('line', (text) => {
      const url = endpointIn(text);
      if (url) resolve(url);
    });
  });
  return { url, stop: () => stop(child) };
}

function endpointIn(text: string): URL | undefined {
  const [found] = /https?:\/\/[^\s'"]+/.exec(text) ?? [];
  if (found === undefined || !URL.canParse(found)) return undefined;
  const url = new URL(found);
  // An app may listen on such an address, but a client cannot connect to it.
  if (url.hostname === '0.0.0.0' || url.hostname === '[::]') url.hostname = '127.0.0.1';
  if (url.pathname === '/') url.pathname = '/mcp';
  return url;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), GRACE_MS);
  await exited;
  clearTimeout(timer);
}
