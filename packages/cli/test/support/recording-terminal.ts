import { type Terminal, render } from '@toolwright/operate/terminal';
import { run } from '../../src/run.js';

/**
 * A terminal that keeps everything that is written to it, in the form for a screen. It has no colours, and
 * nobody to ask.
 */
export class RecordingTerminal implements Terminal {
  stdout = '';
  stderr = '';
  /** Both, in the order in which they were written. */
  printed = '';
  readonly env = {};
  columns: number | undefined = 100;

  constructor(
    readonly cwd: string,
    readonly colours = false,
  ) {}

  out(text: string): void {
    this.#add('stdout', `${render(text)}\n`);
  }

  err(text: string): void {
    this.#add('stderr', `${render(text)}\n`);
  }

  write(text: string): void {
    this.#add('stdout', this.columns === undefined ? text : render(text));
  }

  writeErr(text: string): void {
    this.#add('stderr', render(text));
  }

  #add(stream: 'stdout' | 'stderr', text: string): void {
    this[stream] += text;
    this.printed += text;
  }
}

/** Runs a command line in a folder. Spaces separate its words. */
export async function toolwright(commandLine: string, cwd = __dirname) {
  const terminal = new RecordingTerminal(cwd);
  const code = await run(commandLine.split(' '), terminal);
  return { code, stdout: terminal.stdout, stderr: terminal.stderr };
}

/**
 * Runs a command in a folder as in a pipe, within this process. A process of its own loads and warms up the compiler for
 * each command, which takes several times as long.
 */
export async function runIn(cwd: string, ...words: string[]) {
  const terminal = new RecordingTerminal(cwd);
  terminal.columns = undefined;
  const status = await run(words, terminal);
  const { stdout, stderr, printed } = terminal;
  return { status, stdout, stderr, printed };
}
