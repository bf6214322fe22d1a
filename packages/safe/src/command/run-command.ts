import {
  type Duration,
  type OptionSchema,
  type WithDefaults,
  optionRules,
  parseOptions,
} from '@toolwright/core/options';
import { systemClock } from '@toolwright/core/ports';
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { isAbsolute } from 'node:path';
import type { Readable } from 'node:stream';
import { quote, refusal } from '../errors/refusal.js';
import { killTree } from './kill-tree.js';
import { ProcessMark } from './process-mark.js';

/** A program that may be run, and how. */
export interface AllowedCommand {
  /** The absolute path of the program. PATH is not searched. */
  file: string;
  /** Arguments that always come first. */
  args?: readonly string[];
  /** The arguments beginning with `-` that a caller may pass: `--oneline`, or `--author=` for any value. */
  options?: readonly string[];
}

export interface RunCommandOptions {
  /** The commands that may be run, by the names that callers use. */
  allow: Readonly<Record<string, string | AllowedCommand>>;
  /** The working directory. Default: that of the process. */
  cwd?: string;
  /**
   * Environment variables. The program gets these in addition to a minimal environment, and nothing from the
   * environment of the process.
   */
  env?: Readonly<Record<string, string>>;
  /** The standard input. Default: empty. */
  input?: string | Uint8Array;
  /** How long the command may take. Default 10 seconds. More than 0; `Infinity`: any time. */
  timeout?: Duration;
  /** How many bytes the command may write, on standard output and on standard error each. Default 1 MiB. */
  maxOutputBytes?: number;
  /** Aborting it ends the command. Pass `ctx.signal`. */
  signal?: AbortSignal;
}

const { anyObject, bytes, durationToInfinity, either, filledText, group, listOf, named } = optionRules;
const { positive, recordOf, required, text } = optionRules;
const texts = listOf('a list of strings', text);

const commandOptions = {
  file: required(filledText),
  args: texts,
  options: texts,
} satisfies OptionSchema<AllowedCommand>;

/** Every option with its rule and its default. */
const runCommandOptions = {
  allow: required(recordOf('commands by name', either(text, group(commandOptions)))),
  cwd: text,
  env: anyObject,
  input: named('a string or bytes', either(text, bytes)),
  timeout: { ...durationToInfinity, default: 10_000 },
  maxOutputBytes: { ...named('a number of bytes', positive), default: 1024 * 1024 },
  signal: optionRules.abortSignal,
} satisfies OptionSchema<RunCommandOptions>;

type RunCommandSettings = WithDefaults<RunCommandOptions, typeof runCommandOptions>;

export interface CommandResult {
  /** The exit code; `null` if a signal ended the program. */
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

/**
 * Runs one of the allowed programs without a shell, so no argument can become a command. An argument that
 * looks like an option is refused unless it is listed, because many programs have an option that runs another
 * program or writes a file. The program sees nothing of the process's environment. It is killed when it runs
 * too long, when it writes too much, or when the call ends. The processes that it started are killed, too,
 * even after it has ended by itself.
 *
 * @throws ToolError `TW_SAFE_COMMAND`, `TW_SAFE_TIMEOUT` or `TW_SAFE_TOO_LARGE`
 *
 * @example
 * const git = { file: '/usr/bin/git', args: ['log', '--oneline'], options: ['-n', '--author='] };
 * const { stdout } = await runCommand('log', [path], { allow: { log: git }, cwd: repository, signal: ctx.signal });
 */
export async function runCommand(
  name: string,
  args: readonly string[],
  given: RunCommandOptions,
): Promise<CommandResult> {
  const options = parseOptions('runCommand', runCommandOptions, given);
  const command = allowedCommand(name, options.allow);
  if (!Array.isArray(args)) throw refusal('TW_SAFE_COMMAND', 'The arguments are not a list of strings.');
  args.forEach((argument: unknown, index) => checkArgument(argument, index, command));
  options.signal?.throwIfAborted();
  return runProcess(command.file, [...(command.args ?? []), ...args], options);
}

function allowedCommand(name: string, allow: RunCommandOptions['allow']): AllowedCommand {
  const entry = Object.hasOwn(allow, name) ? allow[name]! : undefined;
  if (!entry) {
    const names = Object.keys(allow).join(', ');
    throw refusal('TW_SAFE_COMMAND', `The command ${quote(name)} is not allowed. Allowed: ${names}.`);
  }
  const command = typeof entry === 'string' ? { file: entry } : entry;
  if (!isAbsolute(command.file))
    throw new TypeError(`allow.${name} must be an absolute path, not ${quote(command.file)}.`);
  // Windows runs such files through its shell, and the shell's quoting cannot be made safe.
  if (/\.(bat|cmd)$/i.test(command.file))
    throw new TypeError(`allow.${name} is a batch file, which needs a shell.`);
  return command;
}

function checkArgument(argument: unknown, index: number, { options = [] }: AllowedCommand): void {
  if (typeof argument !== 'string')
    throw refusal('TW_SAFE_COMMAND', `The argument at position ${index + 1} is not a string.`);
  if (argument.includes('\0')) {
    throw refusal('TW_SAFE_COMMAND', `The argument ${quote(argument)} contains a NUL character.`);
  }
  if (!argument.startsWith('-')) return;
  const listed = options.some((option) =>
    option.endsWith('=') ? argument.startsWith(option) : argument === option,
  );
  if (listed) return;
  const allowed = options.length === 0 ? 'None is.' : `Allowed: ${options.join(', ')}.`;
  throw refusal('TW_SAFE_COMMAND', `The option ${quote(argument)} is not allowed. ${allowed}`);
}

/** The variables that programs need to find other programs and to print UTF-8. None of them is a secret. */
const ENVIRONMENT = {
  PATH: '/usr/local/bin:/usr/bin:/bin',
  LANG: 'C.UTF-8',
  ...(process.env['SystemRoot'] ? { SystemRoot: process.env['SystemRoot'] } : {}),
};

function runProcess(
  file: string,
  args: readonly string[],
  options: RunCommandSettings,
): Promise<CommandResult> {
  const { cwd, env, input, timeout, maxOutputBytes, signal } = options;
  const mark = new ProcessMark();
  return new Promise((resolve, reject) => {
    const child = startProgram(file, args, {
      cwd,
      env: { ...ENVIRONMENT, ...env, ...mark.environment },
      shell: false,
      windowsHide: true,
      // The program gets its own process group, so that the processes it started can be killed with it.
      detached: process.platform !== 'win32',
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
    let failure: unknown;
    child.on('error', (error) => (failure ??= notStarted(error)));
    // Without a free descriptor there are no pipes, and nothing else happens than the error.
    const { stdout: out, stderr: err } = child;
    if (!out || !err) return void child.once('error', () => reject(failure));
    const end = (reason: unknown): void => {
      failure ??= reason;
      killTree(child.pid);
      // A descendant that left the group may hold the other ends of the pipes for ever.
      out.destroy();
      err.destroy();
    };
    const tooLarge = () =>
      end(refusal('TW_SAFE_TOO_LARGE', `The command printed more than ${maxOutputBytes} bytes.`));
    const stopClock = systemClock.after(timeout, () =>
      end(refusal('TW_SAFE_TIMEOUT', `The command took longer than ${timeout} ms.`)),
    );
    const onAbort = () => end(signal!.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    const stdout = new CappedOutput(out, maxOutputBytes, tooLarge);
    const stderr = new CappedOutput(err, maxOutputBytes, tooLarge);
    // A program that does not read its input closes the pipe. Its exit code tells more than this error.
    child.stdin?.on('error', () => undefined).end(input);
    // The command is over when its program ends. Processes that it left behind would keep the pipes open and
    // run on.
    let swept: Promise<void> | undefined;
    child.on('exit', () => {
      if (process.platform !== 'win32') killTree(child.pid);
      swept = mark.killAll();
    });
    child.on('close', (exitCode) => {
      stopClock();
      signal?.removeEventListener('abort', onAbort);
      const settle = () => {
        if (failure === undefined) resolve({ exitCode, stdout: stdout.text(), stderr: stderr.text() });
        else reject(failure);
      };
      if (swept) void swept.then(settle, reject);
      else settle();
    });
  });
}

/** Node throws some errors of the system here, such as E2BIG, and emits others, such as ENOENT. */
function startProgram(file: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  try {
    return spawn(file, args, options);
  } catch (error) {
    throw notStarted(error);
  }
}

function notStarted(error: unknown): Error {
  const isTooLong = (error as NodeJS.ErrnoException).code === 'E2BIG';
  const text = isTooLong
    ? 'The arguments are longer than the system allows for one command.'
    : 'The command could not be started.';
  return refusal('TW_SAFE_COMMAND', text, error);
}

/** Collects the output of a stream, up to a limit. */
class CappedOutput {
  private readonly chunks: Buffer[] = [];
  private size = 0;

  constructor(stream: Readable, maxBytes: number, onTooLarge: () => void) {
    stream.on('data', (chunk: Buffer) => {
      this.size += chunk.length;
      if (this.size <= maxBytes) this.chunks.push(chunk);
      else onTooLarge();
    });
  }

  /** As UTF-8. */
  text(): string {
    return Buffer.concat(this.chunks).toString('utf8');
  }
}
