import type { Logger } from '@toolwright/core/ports';
import { type Manifest, MANIFEST_PROVIDER } from '@toolwright/manifest';
import { close } from 'node:inspector';
import { resolve } from 'node:path';
import { inspect } from 'node:util';
import { isMainThread } from 'node:worker_threads';
import { compileOnTheFly } from '../../build/sound-manifest.js';
import { visible } from '@toolwright/operate/terminal';
import { DEFAULT_LOGGER, isRunning } from '@toolwright/json';
import { DevLink } from '../messages.js';
import { AppConsole } from './app-console.js';
import { endAsAfterSigterm } from './end-as-after-sigterm.js';
import { FollowedFolders } from './followed-folders.js';
import { holdListeners } from './hold-listeners.js';
import { printSources } from './print-sources.js';
import { reportEnd } from './report-end.js';
import { RunningServers } from './running-servers.js';
import { ShownPages } from './shown-pages.js';

const dev = process.env['TOOLWRIGHT_DEV'];
// `dev` was killed while this process started. It belongs to nobody, and would serve for ever.
if (isMainThread && process.send && dev !== undefined && !isRunning(Number(dev))) process.exit();

/**
 * `node --require` loads this file into the app before any of its own code. Threads and processes that the
 * app starts inherit the flag, but this code must not run in them.
 */
if (isMainThread && process.send && dev === String(process.ppid)) {
  const link = new DevLink();
  reportEnd(link);
  printSources(process.cwd());
  // Node.js would wait for an attached debugger before the process ends, and a restart with it.
  if (process.execArgv.some((flag) => flag.startsWith('--inspect'))) process.once('exit', () => close());
  link.on('end', () => endAsAfterSigterm());
  provideLogger();
  provideManifests(link);
  holdListeners(link);
  const console = process.env['TOOLWRIGHT_DEV_CONSOLE'] === 'on' ? new AppConsole(link) : undefined;
  const servers = new RunningServers((server) => {
    console?.add(server);
    link.tell({ tell: 'serving', name: server.info.name });
  });
  new ShownPages(link, (uri) => servers.tellChanged(uri));
  new FollowedFolders(link, () => console?.tellSurfaces());
  link.on('findUnserved', ({ services }) =>
    link.tell({ tell: 'unserved', keys: servers.findUnserved(services) }),
  );
  link.on(
    'swap',
    (swap) =>
      void servers.swap(swap).then((outcome) => {
        link.tell({ tell: 'swapped', outcome });
        if (outcome.is === 'replaced') console?.tellSurfaces();
      }),
  );
}

/**
 * Gives servers the manifest of `dev`'s last compilation. Other packages of the workspace are compiled on the
 * fly.
 */
function provideManifests(link: DevLink): void {
  let manifest: Manifest | undefined;
  let directory: string | undefined;
  let answered: (() => void) | undefined = link.expectAnswer();
  const arrived = new Promise<void>((resolve) => {
    link.on('manifest', (message) => {
      ({ manifest, directory } = message);
      answered?.();
      answered = undefined;
      resolve();
    });
  });
  (globalThis as Record<symbol, unknown>)[MANIFEST_PROVIDER] = async (asked: string) => {
    await arrived;
    return directory === resolve(asked) ? manifest : compileOnTheFly(asked);
  };
}

/** Makes servers of this process log for a person at the terminal, not for a log collector. */
function provideLogger(): void {
  (globalThis as Record<symbol, unknown>)[DEFAULT_LOGGER] = readableLogger();
}

/**
 * Writes warnings and errors with their stack traces, line by line. Text of a client in them cannot hide
 * anything.
 */
export function readableLogger(
  write: (text: string) => void = (text) => void process.stderr.write(text),
): Logger {
  const at =
    (level: string): Logger['warn'] =>
    (fields, message) =>
      write(`${visible(describe(level, fields, message))}\n`);
  const silent = () => undefined;
  return { debug: silent, info: silent, warn: at('warning'), error: at('error') };
}

function describe(level: string, fields: object, message: string): string {
  const entries = Object.entries(fields);
  const said = entries.filter(([, value]) => !(value instanceof Error) && value !== undefined);
  const words = said.map(([name, value]) => `${name}: ${typeof value === 'string' ? value : inspect(value)}`);
  const errors = entries.flatMap(([, value]) => (value instanceof Error ? [inspect(value)] : []));
  return [
    `${level}: ${message}${words.length > 0 ? ` (${words.join(', ')})` : ''}`,
    ...errors.map(indent),
  ].join('\n');
}

const indent = (text: string) => text.replace(/^/gm, '  ');
