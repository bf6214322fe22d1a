import { CommandError } from '../command-error.js';
import { render } from './style.js';
import { inLine } from './visible-text.js';
import { cutToFit } from './wrap-text.js';

/**
 * Where a command reads its surroundings and writes its words; tests bring one of their own. All text goes through
 * `render`: whoever wrote it, nothing in it can hide. Only `write` is exact, where no screen obeys what it gets.
 */
export interface Terminal {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Results for people: what the user asked for. */
  out(text: string): void;
  /** Everything else: progress, warnings, errors. */
  err(text: string): void;
  /**
   * Results for programs, without ending the line; resolves when whoever reads is ready for more. Exact in a pipe and in
   * a file, shown as `out` does on a screen.
   */
  write(text: string): void | Promise<void>;
  writeErr(text: string): void;
  /** Columns to fit into; undefined when the output goes to no screen. */
  readonly columns: number | undefined;
  /** Lines of the screen that shows questions; undefined when it is not known. */
  readonly rows?: number | undefined;
  readonly colours: boolean;
  /** Replaces the one line that tells how far things are; empty clears it. Only where somebody watches. */
  status?(text: string): void;
  /** Asks the person in front of it. Only where there is one. */
  ask?(question: string): Promise<string>;
}

/** The terminal of this process. */
export function processTerminal(): Terminal {
  const { stdin, stdout, stderr, env } = process;
  return {
    cwd: process.cwd(),
    env,
    out: (text) => void stdout.write(`${render(text)}\n`),
    err: (text) => void stderr.write(`${render(text)}\n`),
    write: (text) => {
      if (!stdout.write(stdout.isTTY ? render(text) : text))
        return new Promise((resolve) => stdout.once('drain', resolve));
    },
    writeErr: (text) => void stderr.write(render(text)),
    columns: stdout.isTTY ? stdout.columns : undefined,
    get rows() {
      return stderr.isTTY ? stderr.rows : undefined;
    },
    colours: wantsColours(env, stdout.isTTY),
    ...(stderr.isTTY && { status: (text: string) => void stderr.write(statusLine(text, stderr.columns)) }),
    ...(stdin.isTTY && { ask }),
  };
}

/** Over the line before it. A line that wraps could not be wiped again. */
function statusLine(text: string, columns: number): string {
  return `\r\u001b[K${cutToFit(inLine(text), (columns || 80) - 1)}`;
}

async function ask(question: string): Promise<string> {
  const { createInterface } = await import('node:readline/promises');
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await lines.question(render(question));
  } catch (error) {
    // Ctrl+C and Ctrl+D; the cursor stands behind the question.
    if ((error as Error).name !== 'AbortError') throw error;
    process.stderr.write('\n');
    throw new CommandError('The question was not answered.');
  } finally {
    lines.close();
  }
}

/** https://no-color.org, with FORCE_COLOR as the usual way to ask for colours in a pipe. */
export function wantsColours(env: Terminal['env'], isScreen: boolean): boolean {
  if (env['NO_COLOR']) return false;
  if (env['FORCE_COLOR'] !== undefined) return env['FORCE_COLOR'] !== '0';
  return isScreen && env['TERM'] !== 'dumb';
}
