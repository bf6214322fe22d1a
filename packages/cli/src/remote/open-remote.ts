import {
  openClient,
  type Channel,
  type ClientOptions,
  type McpClient,
  type OpenChannel,
} from '@toolwright/client';
import { CommandError } from '../command-error.js';
import type { Terminal } from '../terminal/terminal.js';
import { connectTo } from './connect-to.js';
import type { HttpChannelOptions } from './http-channel.js';
import { startLocalApp } from './local-app.js';
import { stdioChannel } from './stdio-channel.js';

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
