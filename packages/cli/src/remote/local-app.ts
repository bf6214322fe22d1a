import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { CommandError } from '../command-error.js';
import type { Terminal } from '../terminal/terminal.js';
import { splitCommand } from './split-command.js';

/** How many milliseconds an app may take to end after it was asked to. */
const GRACE_MS = 5_000;

/** An HTTP app that was started for one command. */
export interface LocalApp {
  /** The URL of its endpoint. */
  url: URL;
  stop(): Promise<void>;
}

/**
 * Starts an app on a free port, which it requests with `PORT=0`, and waits for the line with its URL.
 *
 * @throws {CommandError} if the app ends before that, or cannot be started
 */
export async function startLocalApp(
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
