import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ConfigurationError } from '@toolwright/core';
import { CommandError, inLine } from '@toolwright/operate/terminal';
import type { AppReport, LookFailure, LookReport } from './app-snapshot.js';

/** How many milliseconds the code of a project may take until it has been looked at. */
const PATIENCE_MS = 60_000;

/** How many characters at the end of its output are remembered. */
const REMEMBERED = 4_000;

/** The last words of a process that has ended may still be in a pipe, which a process that it started may hold open. */
const LAST_WORDS_MS = 200;

/** The file of a process that is asked. Tests run this file from the sources. What a process loads by itself is built. */
export const builtChild = (name: string): string => join(__dirname, '../../dist/app/child', `${name}.js`);

interface Child {
  /** The arguments of Node.js. */
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Is sent to it. */
  readonly question?: object;
  /** What could not be loaded, at the beginning of a message. */
  readonly named: string;
  /** Gets what it writes. Otherwise that is shown only if it fails. */
  readonly wrote?: (text: string) => void;
  /** How many milliseconds it may take. */
  readonly patienceMs?: number;
}

/**
 * Runs the code of a project in a process of its own, and waits for what it says about it. That code may print, exit, hang or
 * hold something open: none of that reaches the command.
 *
 * @throws {CommandError} if it says nothing
 * @throws {ConfigurationError} if its server cannot be created
 */
export async function askChild(child: Child): Promise<LookReport> {
  const { args, cwd, env, question, named, wrote, patienceMs = PATIENCE_MS } = child;
  const running = spawn(process.execPath, ['--enable-source-maps', ...args], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...process.env, ...env },
  });
  let report: AppReport | undefined;
  let written = '';
  running.on('message', (message: AppReport) => (report ??= message));
  for (const stream of [running.stdout!, running.stderr!])
    stream.setEncoding('utf8').on('data', (text: string) => {
      written = (written + text).slice(-REMEMBERED);
      wrote?.(text);
    });
  if (question) running.send(question, () => undefined);
  const timer = setTimeout(() => running.kill('SIGKILL'), patienceMs);
  const closed = once(running, 'close');
  const [code] = (await once(running, 'exit')) as [number | null];
  clearTimeout(timer);
  await Promise.race([closed, pause(LAST_WORDS_MS, undefined, { ref: false })]);
  running.stdout!.destroy();
  running.stderr!.destroy();
  if (report?.is === 'seen') return report;
  const said = written.trim() === '' || wrote ? '' : `: ${written}`;
  throw failureOf(report ?? { message: `${endOf(code, patienceMs)}${said}` }, named);
}

function failureOf({ problems, isPlain, message }: LookFailure, named: string): Error {
  if (problems) return new ConfigurationError(problems);
  return new CommandError(isPlain ? message : `${named} cannot be loaded: ${oneLine(message)}`);
}

const endOf = (code: number | null, patienceMs: number): string =>
  code === null
    ? `its code did not come to an end in ${patienceMs / 1_000} s`
    : `its code ended the process with ${code}, as process.exit(${code}) does`;

/** The heading of the configuration's problems, the stack lines of Node.js, and the reference to the list of codes. */
const NOISE =
  /^(?:The configuration has .* problems?:|at |node_modules\/@toolwright\/core\/docs|Node\.js v|\^+$)/;

function oneLine(text: string): string {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !NOISE.test(line));
  return inLine(lines.join(' '));
}
