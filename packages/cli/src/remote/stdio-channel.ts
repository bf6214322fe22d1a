import type { Channel, OpenChannel, WireMessage } from '@toolwright/client';
import { writeJson } from '@toolwright/core/transport';
import { CommandError, type Terminal, inLine, usageError } from '@toolwright/operate/terminal';
import { readExactMessage } from './exact-json.js';
import { type ByteBudget, eachLine } from './limits.js';
import type { Program } from './named-server.js';
import { requireFile, StartedProgram, whyNotStarted } from './started-program.js';

/**
 * How many milliseconds a server may take to end after its input has ended (basic/transports/stdio, shutdown). Many
 * servers wait for a signal: their library does not look at the end of the input.
 */
const GRACE_MS = 1_000;

/** How many characters at the end of other text are remembered. */
const REMEMBERED = 300;

/** The end of the text on standard output beside messages. */
export interface StrayText {
  text: string;
}

/**
 * Starts a server and talks to it over its standard input and output, with one message per line.
 *
 * @param stray gets what the server prints beside messages: one that cannot start may say why there
 */
export function stdioChannel(
  line: string | Program,
  terminal: Pick<Terminal, 'cwd' | 'err'>,
  budget: ByteBudget,
  stray: StrayText = { text: '' },
): OpenChannel {
  return (receive) => {
    const given: Pick<Program, 'command' | 'args'> & Partial<Program> =
      typeof line === 'string' ? splitCommand(line) : line;
    const { command, args, cwd, env } = given;
    const own = { ...(cwd !== undefined && { cwd }), ...(env && { env: { ...process.env, ...env } }) };
    requireFile(given, cwd ?? terminal.cwd);
    const program = new StartedProgram({ command, args, stdin: 'pipe', ...own }, terminal);
    const name = typeof line === 'string' ? line : [command, ...args].join(' ');
    const refused = (error: Error) => whyNotStarted(error, given, cwd ?? terminal.cwd);
    return new StdioChannel(program, { name, refused, budget, stray }, receive);
  };
}

interface Spoken {
  readonly name: string;
  /** Why it has not started. */
  refused(error: Error): string;
  readonly budget: ByteBudget;
  readonly stray: StrayText;
}

class StdioChannel implements Channel {
  /** The requests that wait for an answer, with the functions that end the wait. */
  private readonly running = new Map<unknown, { resolve(): void; reject(reason: Error): void }>();
  private ended: Error | undefined;
  private readonly stray: StrayText;

  constructor(
    private readonly program: StartedProgram,
    { name, refused, budget, stray }: Spoken,
    private readonly receive: (message: WireMessage) => void,
  ) {
    this.stray = stray;
    const end = (reason: string | CommandError) => {
      this.ended ??= typeof reason === 'string' ? new CommandError(`${name} ${reason}.`) : reason;
      for (const { reject } of this.running.values()) reject(this.ended);
    };
    const { child } = program;
    child.once('error', (error) => end(refused(error)));
    child.once('exit', (code, signal) =>
      end(`ended with ${code ?? signal} before it answered${strayWords(this.stray)}`),
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

  private hear(line: string): void {
    const message = parse(line);
    if (message === undefined) this.stray.text = `${this.stray.text} ${line.trim()}`.slice(-REMEMBERED);
    if (message === undefined) return;
    this.receive(message);
    if (message.method !== undefined) return;
    this.running.get(message.id)?.resolve();
    this.running.delete(message.id);
  }
}

export function strayWords({ text }: StrayText): string {
  return text.trim() === '' ? '' : `, and wrote: ${inLine(text.trim())}`;
}

/** Many servers also print other text there, so other text does not end the reading. */
function parse(line: string): WireMessage | undefined {
  // A message is an object. The error of each other line would cost more than all the rest.
  if (!line.trimStart().startsWith('{')) return undefined;
  try {
    const message = readExactMessage(line) as WireMessage | null;
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
    throw usageError(`The command to start has a quote without an end: ${line}`);
  const [first] = words;
  if (first === undefined) throw usageError('The command to start is empty.');
  if (/^\w+=/.test(first))
    throw usageError(`No shell reads the command to start: set ${first} before toolwright.`);
  // A file name means a program of Node.js, as in `node dist/main.js`.
  const [command, ...args] = /\.[cm]?js$/.test(first) ? [process.execPath, ...words] : words;
  return { command: command!, args };
}
