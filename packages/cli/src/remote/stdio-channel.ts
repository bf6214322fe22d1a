import type { Channel, OpenChannel, WireMessage } from '@toolwright/client';
import { readMessage, writeJson } from '@toolwright/core/transport';
import { CommandError, type Terminal, exitCodes, inLine } from '@toolwright/operate/terminal';
import { type ByteBudget, eachLine } from './limits.js';
import type { Program } from './named-server.js';
import { StartedProgram } from './started-program.js';

/**
 * How many milliseconds a server may take to end after its input has ended (basic/transports/stdio, shutdown). Many
 * servers wait for a signal: their library does not look at the end of the input.
 */
const GRACE_MS = 1_000;

/** How many characters at the end of other text are remembered. */
const REMEMBERED = 300;

/** Starts a server and talks to it over its standard input and output, with one message per line. */
export function stdioChannel(
  line: string | Program,
  terminal: Pick<Terminal, 'cwd' | 'err'>,
  budget: ByteBudget,
): OpenChannel {
  return (receive) => {
    const given: Pick<Program, 'command' | 'args'> & Partial<Program> =
      typeof line === 'string' ? splitCommand(line) : line;
    const { command, args, cwd, env } = given;
    const own = { ...(cwd !== undefined && { cwd }), ...(env && { env: { ...process.env, ...env } }) };
    const program = new StartedProgram({ command, args, stdin: 'pipe', ...own }, terminal);
    const name = typeof line === 'string' ? line : [command, ...args].join(' ');
    return new StdioChannel(program, { name, budget }, receive);
  };
}

class StdioChannel implements Channel {
  /** The requests that wait for an answer, with the functions that end the wait. */
  private readonly running = new Map<unknown, { resolve(): void; reject(reason: Error): void }>();
  private ended: Error | undefined;
  /** The last text that is not a message: a server that cannot start may say why there. */
  private stray = '';

  constructor(
    private readonly program: StartedProgram,
    { name, budget }: { name: string; budget: ByteBudget },
    private readonly receive: (message: WireMessage) => void,
  ) {
    const end = (reason: string | CommandError) => {
      this.ended ??= typeof reason === 'string' ? new CommandError(`${name} ${reason}.`) : reason;
      for (const { reject } of this.running.values()) reject(this.ended);
    };
    const { child } = program;
    child.once('error', (error) => end(`cannot be started: ${error.message}`));
    child.once('exit', (code, signal) =>
      end(`ended with ${code ?? signal} before it answered${this.strayWords()}`),
    );
    const heard = (bytes: number) => {
      try {
        budget.take(bytes);
      } catch (error) {
        end(error as CommandError);
        child.stdout!.destroy();
        program.kill();
      }
    };
    eachLine(child.stdout!, { heard, line: (line) => this.hear(line) });
  }

  async send(message: WireMessage): Promise<void> {
    if (this.ended) throw this.ended;
    this.program.child.stdin!.write(`${writeJson(message)}\n`);
    if (message.method === undefined || message.id === undefined) return;
    await new Promise<void>((resolve, reject) => this.running.set(message.id, { resolve, reject }));
  }

  async close(): Promise<void> {
    for (const { resolve } of this.running.values()) resolve();
    this.running.clear();
    await this.program.end(GRACE_MS);
  }

  private strayWords(): string {
    return this.stray.trim() === '' ? '' : `, and wrote: ${inLine(this.stray.trim())}`;
  }

  private hear(line: string): void {
    const message = parse(line);
    if (message === undefined) this.stray = `${this.stray} ${line.trim()}`.slice(-REMEMBERED);
    if (message === undefined) return;
    this.receive(message);
    if (message.method !== undefined) return;
    this.running.get(message.id)?.resolve();
    this.running.delete(message.id);
  }
}

/** Many servers also print other text there, so other text does not end the reading. */
function parse(line: string): WireMessage | undefined {
  // A message is an object. The error of each other line would cost more than all the rest.
  if (!line.trimStart().startsWith('{')) return undefined;
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
  if (/^\w+=/.test(first))
    throw new CommandError(
      `No shell reads the command to start: set ${first} before toolwright.`,
      exitCodes.usage,
    );
  // A file name means a program of Node.js, as in `node dist/main.js`.
  const [command, ...args] = /\.[cm]?js$/.test(first) ? [process.execPath, ...words] : words;
  return { command: command!, args };
}
