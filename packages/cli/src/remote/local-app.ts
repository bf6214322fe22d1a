import { inBrackets, isLoopback, readUrl } from '@toolwright/json';
import { CommandError, type Terminal } from '@toolwright/operate/terminal';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { eachLine, LONGEST_SHOWN } from './limits.js';
import { requireFile, StartedProgram, whyNotStarted } from './started-program.js';
import { splitCommand } from './stdio-channel.js';

/** How many milliseconds an app may take until it listens. */
const STARTING_MS = 30_000;
/** How many milliseconds an app may take to end after it was asked to. */
const GRACE_MS = 5_000;
const LOOK_EVERY_MS = 20;
/** An app may print its URL before it listens there, or listen before it prints it. */
const SETTLED_MS = 3_000;

/** An HTTP app that was started for one command. */
export interface LocalApp {
  /** The URL of its endpoint. */
  readonly url: URL;
  /** Whether a process of the app has said that it listens there. What is secret is sent nowhere else. */
  readonly isSure: boolean;
  stop(): Promise<void>;
}

/**
 * Starts an app on a free port, which it requests with `PORT=0`, and waits until it listens. What it prints is only a hint:
 * the first URL in it may be that of a library or of another server.
 *
 * @throws {CommandError} if the app ends before that, or cannot be started
 */
export async function startLocalApp(
  line: string,
  terminal: Pick<Terminal, 'cwd' | 'env' | 'err'>,
  signal?: AbortSignal,
): Promise<LocalApp> {
  const start = splitCommand(line);
  requireFile(start, terminal.cwd);
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-'));
  const file = join(folder, 'listening');
  const printed: URL[] = [];
  const program = new StartedProgram(
    { ...start, stdin: 'ignore', env: reporting(terminal.env, file) },
    terminal,
  );
  const { child } = program;
  let ended: string | undefined;
  child.once('error', (error) => (ended = `${whyNotStarted(error, start, terminal.cwd)}.`));
  child.once(
    'exit',
    (code) =>
      (ended = `ended with ${code} and did not say where it listens.${code === 0 ? ' Name the file that starts the server, and not one that only exports it.' : ''}`),
  );
  eachLine(child.stdout!, { line: (text) => printed.push(...urlsIn(text)), cut: LONGEST_SHOWN });
  try {
    const found = await findEndpoint({ file, printed, ended: () => ended, signal });
    if (typeof found === 'string') throw new CommandError(`${line} ${found}`);
    return { ...found, stop: () => program.end(GRACE_MS) };
  } catch (error) {
    await program.end(GRACE_MS);
    throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The environment in which each program of Node.js says where it listens. */
function reporting(env: Terminal['env'], file: string): Terminal['env'] {
  const preload = JSON.stringify(join(__dirname, 'child/report-listening.js'));
  const options = [env['NODE_OPTIONS'], `--require ${preload}`].filter(Boolean).join(' ');
  return { ...env, PORT: '0', NODE_OPTIONS: options, TOOLWRIGHT_LISTENING: file };
}

interface Started {
  readonly file: string;
  readonly printed: readonly URL[];
  /** Why there is no app any more. */
  ended(): string | undefined;
  readonly signal: AbortSignal | undefined;
}

/** The endpoint, or why there is none. */
async function findEndpoint({
  file,
  printed,
  ended,
  signal,
}: Started): Promise<Omit<LocalApp, 'stop'> | string> {
  const start = performance.now();
  let known = 0;
  let since = start;
  for (;;) {
    const reported = reportedIn(file);
    const listening = printed.flatMap((url) => atAddresses(reported ?? [], url));
    // An app may print where its documentation is, too.
    const sure = listening.find(({ pathname }) => pathname.includes('mcp')) ?? listening[0];
    if (sure) return { url: sure, isSure: true };
    const now = performance.now();
    const facts = printed.length + (reported?.length ?? 0);
    if (facts > known) since = now;
    known = facts;
    // No program of Node.js is at work: what it prints is all that it will ever say.
    const isQuiet = known > 0 && (reported === undefined || now - since >= SETTLED_MS);
    if (isQuiet || now - start >= STARTING_MS) {
      const [unprinted] = atAddresses(reported ?? []);
      if (unprinted) return { url: unprinted, isSure: true };
      const hint = printed.find(isLoopback);
      if (hint) return { url: asEndpoint(hint), isSure: false };
    }
    const why = ended();
    if (why !== undefined) return why;
    if (now - start >= STARTING_MS)
      return `listens on no port of this machine after ${STARTING_MS / 1_000} s.`;
    await pause(LOOK_EVERY_MS, undefined, { ...(signal && { signal }) });
  }
}

/** The addresses in the file; `undefined` if no program of Node.js has started. */
function reportedIn(file: string): AddressInfo[] | undefined {
  try {
    const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
    return lines.flatMap((line) => (line === '' ? [] : [JSON.parse(line) as AddressInfo]));
  } catch {
    return undefined;
  }
}

/** An app may print such an address, but a client cannot connect to it. */
const connectable = (host: string) => (/^(?:0\.0\.0\.0|\[::\])$/.test(host) ? '127.0.0.1' : host);

/** The endpoints at these addresses of this machine: all of them, or the ones that a URL means. */
function atAddresses(addresses: readonly AddressInfo[], printed?: URL): URL[] {
  return addresses.flatMap(({ address, port }) => {
    const hostname = connectable(address.includes(':') ? inBrackets(address) : address);
    if (!isLoopback({ hostname }) || (printed && portOf(printed) !== port)) return [];
    const url = new URL(printed ?? `http://${hostname}`);
    // A certificate names a host.
    if (url.protocol === 'http:') url.hostname = hostname;
    url.port = String(port);
    return [asEndpoint(url)];
  });
}

const portOf = ({ port, protocol }: URL) => Number(port || (protocol === 'https:' ? 443 : 80));

function asEndpoint(url: URL): URL {
  if (url.pathname === '/') url.pathname = '/mcp';
  return url;
}

/** The URLs in what a program prints. */
export function urlsIn(text: string): URL[] {
  const found = stripVTControlCharacters(text).match(/https?:\/\/[^\s'"<>`]*[^\s'"<>`.,;:!)]/g) ?? [];
  return found.flatMap((each) => {
    const url = readUrl(each);
    if (url) url.hostname = connectable(url.hostname);
    return url ? [url] : [];
  });
}
