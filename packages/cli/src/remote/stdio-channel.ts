import type { Channel, OpenChannel, WireMessage } from '@toolwright/client';
import { readMessage, writeJson } from '@toolwright/core/transport';
import spawn from 'cross-spawn';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { CommandError, type Terminal, exitCodes } from '@toolwright/operate/terminal';
import type { Program } from './named-server.js';
import { type ByteBudget, eachLine, LONGEST_SHOWN } from './limits.js';

/**
 * How many milliseconds a server may take to end after its input has ended (basic/transports/stdio,
 * shutdown).
 */
const GRACE_MS = 3_000;

/** Starts a server and talks to it over its standard input and output, with one message per line. */
export function stdioChannel(
  line: string | Program,
  terminal: Pick<Terminal, 'cwd' | 'err'>,
  budget: ByteBudget,
): OpenChannel {
  return (receive) => {
    const program = typeof line === 'string' ? splitCommand(line) : line;
    const {
      command,
      args,
      cwd = terminal.cwd,
      env,
    }: Pick<Program, 'command' | 'args'> & Partial<Program> = program;
    const started = { cwd, ...(env && { env: { ...process.env, ...env } }) };
    const options = { ...started, stdio: ['pipe', 'pipe', 'pipe'] as const };
    // On Windows `npx` and its kind are batch files, which `spawn` of Node.js does not start.
    const child = spawn(command, args, { ...options, stdio: [...options.stdio] });
    eachLine(child.stderr!, { line: (text) => terminal.err(text), cut: LONGEST_SHOWN });
    const name = typeof line === 'string' ? line : [command, ...args].join(' ');
    return new StdioChannel(child, { name, budget }, receive);
  };
}

class StdioChannel implements Channel {
  /** The requests that wait for an answer, with the functions that end the wait. */
  private readonly running = new Map<unknown, { resolve(): void; reject(reason: Error): void }>();
  private ended: Error | undefined;

  constructor(
    private readonly child: ChildProcess,
    { name, budget }: { name: string; budget: ByteBudget },
    private readonly receive: (message: WireMessage) => void,
  ) {
    const end = (reason: string | CommandError) => {
      this.ended ??= typeof reason === 'string' ? new CommandError(`${name} ${reason}.`) : reason;
      for (const { reject } of this.running.values()) reject(this.ended);
    };
    child.once('error', (error) => end(`cannot be started: ${error.message}`));
    child.once('exit', (code, signal) => end(`ended with ${code ?? signal} before it answered`));
    // A process that ends no longer reads; `exit` reports that.
    child.stdin!.on('error', () => undefined);
    const heard = (bytes: number) => {
      try {
        budget.take(bytes);
      } catch (error) {
        end(error as CommandError);
        child.stdout!.destroy();
        child.kill('SIGKILL');
      }
    };
    eachLine(child.stdout!, { heard, line: (line) => this.hear(line) });
  }

  async send(message: WireMessage): Promise<void> {
    if (this.ended) throw this.ended;
    this.child.stdin!.write(`${writeJson(message)}\n`);
    if (message.method === undefined || message.id === undefined) return;
    await new Promise<void>((resolve, reject) => this.running.set(message.id, { resolve, reject }));
  }

  async close(): Promise<void> {
    for (const { resolve } of this.running.values()) resolve();
    this.running.clear();
    if (this.child.exitCode !== null || this.child.signalCode !== null || this.child.pid === undefined)
      return;
    const exited = once(this.child, 'exit');
    this.child.stdin!.end();
    const timer = setTimeout(() => this.child.kill('SIGKILL'), GRACE_MS);
    await exited;
    clearTimeout(timer);
  }

  private hear(line: string): void {
    const message = parse(line);
    if (message === undefined) return;
    this.receive(message);
    if (message.method !== undefined) return;
    this.running.get(message.id)?.resolve();
    this.running.delete(message.id);
  }
}

/** Many servers also print other text there, so other text does not end the reading. */
function parse(line: string): WireMessage | undefined {
  try {
    const message = readMessage(line) as WireMessage | null;
    return message?.jsonrpc === '2.0' ? message : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Splits a command line into words without a shell. Quotes keep blanks together, also inside of a word, as in
 * `--name="two words"`; nothing else has a meaning.
 *
 * @throws {CommandError} if there are no words, or a quote has no end
 */
export function splitCommand(line: string): { command: string; args: string[] } {
  const words = [...line.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)].map(([word]) =>
    word.replace(/"([^"]*)"|'([^']*)'/g, (_quoted, a?: string, b?: string) => a ?? b ?? ''),
  );
  if (/["']/.test(line.replace(/"[^"]*"|'[^']*'/g, '')))
    throw new CommandError(`The command to start has a quote without an end: ${line}`, exitCodes.usage);
  const [first] = words;
  if (first === undefined) throw new CommandError('The command to start is empty.', exitCodes.usage);
  // A file name means a program of Node.js, as in `node dist/main.js`.
  const [command, ...args] = /\.[cm]?js$/.test(first) ? [process.execPath, ...words] : words;
  return { command: command!, args };
}
