import childProcess from 'node:child_process';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;

/** Functions that take a descriptor first. Loggers write to descriptor 1 with them, without the stream. */
const FILE_FUNCTIONS = [
  'appendFile',
  'appendFileSync',
  'write',
  'writeFile',
  'writeFileSync',
  'writeSync',
  'writev',
  'writevSync',
];

/** Functions that take a path, also for streams of files. In containers, loggers are given that of standard output. */
const OPEN_FUNCTIONS = ['open', 'openSync'];
const PROMISE_FUNCTIONS = ['appendFile', 'open', 'writeFile'];

/** The paths of standard output. Others, such as a link to one of them, are not known. */
const STDOUT_PATHS: ReadonlySet<string> = new Set(
  ['/dev/stdout', '/dev/fd/1'].concat(
    ['self', process.pid, 'thread-self'].map((each) => `/proc/${each}/fd/1`),
  ),
);

/** Functions that start a process and wait for it. All others use `ChildProcess.prototype.spawn`. */
const START_FUNCTIONS = ['execFileSync', 'execSync', 'spawnSync'];

const STDOUT = 1;
const STDERR = 2;

/**
 * Sends to standard error what uses descriptor 1 without `process.stdout`: functions of `node:fs`, with its number or its path,
 * and children that inherit it. Returns the function that undoes it.
 */
export function guardDescriptor(): () => void {
  const undo = [
    ...FILE_FUNCTIONS.map((name) => wrap(fs, name, ([file, ...rest]) => [aside(file), ...rest])),
    ...OPEN_FUNCTIONS.map((name) => wrap(fs, name, withoutPath)),
    ...PROMISE_FUNCTIONS.map((name) => wrap(fs.promises, name, withoutPath)),
    ...START_FUNCTIONS.map((name) => wrap(childProcess, name, (args) => args.map(withoutStdout))),
    wrap(childProcess.ChildProcess.prototype, 'spawn', (args) => args.map(withoutStdout)),
  ];
  // Modules that have imported these functions by name get the new ones, too.
  syncBuiltinESMExports();
  return () => {
    for (const each of undo) each();
    syncBuiltinESMExports();
  };
}

/** Has a function called with other arguments. */
function wrap(owner: object, name: string, change: (args: unknown[]) => unknown[]): () => void {
  const functions = owner as Record<string, AnyFunction>;
  const original = functions[name]!;
  let isOn = true;
  const wrapped: AnyFunction = function (...args) {
    return original.apply(this, isOn ? change(args) : args);
  };
  // `util.promisify` finds there what a function resolves to.
  Object.defineProperties(wrapped, Object.getOwnPropertyDescriptors(original));
  functions[name] = wrapped;
  return () => {
    isOn = false;
    // Somebody may have wrapped it since. That must not be lost.
    if (functions[name] === wrapped) functions[name] = original;
  };
}

/** A descriptor, a path, or a stream. */
function aside(target: unknown): unknown {
  const isStdout = target === STDOUT || (target as { fd?: unknown } | null)?.fd === STDOUT;
  return isStdout || isStdoutPath(target) ? STDERR : target;
}

function isStdoutPath(target: unknown): boolean {
  if (target instanceof URL) return STDOUT_PATHS.has(target.pathname);
  return (typeof target === 'string' || Buffer.isBuffer(target)) && STDOUT_PATHS.has(String(target));
}

function withoutPath([path, ...rest]: unknown[]): unknown[] {
  return [isStdoutPath(path) ? '/dev/stderr' : path, ...rest];
}

/** Options of a child, whose output is not that of this process. All other arguments stay. */
function withoutStdout(argument: unknown): unknown {
  if (typeof argument !== 'object' || argument === null) return argument;
  const { stdio } = argument as { stdio?: unknown };
  if (stdio === 'inherit') return { ...argument, stdio: ['inherit', STDERR, 'inherit'] };
  if (!Array.isArray(stdio)) return argument;
  const kept = stdio.map((each: unknown, at) => (each === 'inherit' && at === STDOUT ? STDERR : aside(each)));
  return { ...argument, stdio: kept };
}
