import { once } from 'node:events';
import { CommandError, ReaderLeft } from '../command-error.js';
import { render } from './style.js';
import { inLine } from './visible-text.js';

/**
 * What a command writes to, and what it knows about its terminal. Tests pass their own. All text goes through
 * `render`, so nothing can hide in it, whoever wrote it. Only `write` passes text on exactly as it is, when
 * the output is not a screen.
 */
export interface Terminal {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Writes results for people: what the user asked for. */
  out(text: string): void;
  /** Writes everything else: progress, warnings and errors. */
  err(text: string): void;
  /**
   * Writes results for programs, without a line end. Resolves when the reader is ready for more, and rejects when it wants
   * no more. In a pipe or a file the text is exact; on a screen it is shown as `out` shows it.
   */
  write(text: string): void | Promise<void>;
  writeErr(text: string): void;
  /** The width of the screen in columns; `undefined` when the output does not go to a screen. */
  readonly columns: number | undefined;
  /** The height in lines of the screen that shows questions; `undefined` when it is not known. */
  readonly rows?: number | undefined;
  readonly colours: boolean;
  /**
   * Replaces the line that shows the progress; an empty text clears it. Present only when somebody watches.
   */
  status?(text: string): void;
  /** Asks the person at the terminal. Present only when there is one. */
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
    write: async (text) => {
      const isReady = !stdout.destroyed && stdout.write(stdout.isTTY ? render(text) : text);
      if (isReady) return;
      if (!stdout.destroyed) await once(stdout, 'drain').catch(() => undefined);
      if (stdout.destroyed) throw new ReaderLeft();
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

/**
 * Lets a command come to its end after its reader has left, as with `toolwright lint | head -1`. What it still writes is
 * lost, and its exit code is its own.
 */
export function outliveReader(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
}

/** Replaces the previous line. A line that wraps could not be cleared, so the text is cut. */
function statusLine(text: string, columns: number): string {
  return `\r\u001b[K${cutToFit(inLine(text), (columns || 80) - 1)}`;
}

async function ask(question: string): Promise<string> {
  const { createInterface } = await import('node:readline/promises');
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await lines.question(render(question));
  } catch (error) {
    // Ctrl+C and Ctrl+D reject with an AbortError. The cursor is then still after the question.
    if ((error as Error).name !== 'AbortError') throw error;
    process.stderr.write('\n');
    throw new CommandError('The question was not answered.');
  } finally {
    lines.close();
  }
}

/** Follows https://no-color.org. FORCE_COLOR is the usual way to ask for colours in a pipe. */
export function wantsColours(env: Terminal['env'], isScreen: boolean): boolean {
  if (env['NO_COLOR']) return false;
  if (env['FORCE_COLOR'] !== undefined) return env['FORCE_COLOR'] !== '0';
  return isScreen && env['TERM'] !== 'dumb';
}

/**
 * Characters outside ASCII count as two columns. Some are that wide, and a line that is too short hides
 * nothing.
 */
const columnsOf = (character: string) => (character > '~' ? 2 : 1);

/**
 * Lines with at most this many columns. Words are cut, because the writer of the text decides how long they
 * are.
 */
export function wrapText(text: string, columns: number): string[] {
  return text.split(/\r?\n/).flatMap((line) => wrapLine(line, columns));
}

/** The beginning of a line that fits, with an ellipsis if something is missing. */
export function cutToFit(line: string, columns: number): string {
  const [first = '', ...more] = wrapLine(line, columns - 1);
  return more.length > 0 ? `${first}…` : first;
}

function wrapLine(line: string, columns: number): string[] {
  const lines: string[] = [];
  let current = '';
  let width = 0;
  for (const character of line) {
    if (width + columnsOf(character) > columns && current !== '') {
      lines.push(current);
      current = '';
      width = 0;
    }
    current += character;
    width += columnsOf(character);
  }
  return [...lines, current];
}
