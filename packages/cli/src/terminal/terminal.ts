import { CommandError } from '../command-error.js';
import { withoutControls } from './without-controls.js';

/** Where a command reads its surroundings and writes its words; tests bring one of their own. */
export interface Terminal {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Results: what the user asked for. */
  out(text: string): void;
  /** Everything else: progress, warnings, errors. */
  err(text: string): void;
  /** Writes results without ending the line; resolves when whoever reads is ready for more. */
  write(text: string): void | Promise<void>;
  writeErr(text: string): void;
  /** Columns to fit into; undefined when the output goes to no screen. */
  readonly columns: number | undefined;
  readonly colours: boolean;
  /** Replaces the one line that tells how far things are; empty clears it. Only where somebody watches. */
  status?(text: string): void;
  /** Asks the person in front of it. Only where there is one. */
  ask?(question: string): Promise<string>;
}

/** The terminal of this process. */
export function processTerminal(): Terminal {
  const { stdin, stdout, stderr, env } = process;
  // Programs get what there is; only a screen obeys what is written to it.
  const shown = stdout.isTTY ? withoutControls : asIs;
  const shownErr = stderr.isTTY ? withoutControls : asIs;
  return {
    cwd: process.cwd(),
    env,
    out: (text) => void stdout.write(`${shown(text)}\n`),
    err: (text) => void stderr.write(`${shownErr(text)}\n`),
    write: (text) => {
      if (!stdout.write(shown(text))) return new Promise((resolve) => stdout.once('drain', resolve));
    },
    writeErr: (text) => void stderr.write(shownErr(text)),
    columns: stdout.isTTY ? stdout.columns : undefined,
    colours: wantsColours(env, stdout.isTTY),
    ...(stderr.isTTY && {
      status: (text: string) => void stderr.write(`\r\u001b[K${withoutControls(text)}`),
    }),
    ...(stdin.isTTY && { ask }),
  };
}

const asIs = (text: string) => text;

async function ask(question: string): Promise<string> {
  const { createInterface } = await import('node:readline/promises');
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await lines.question(withoutControls(question));
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
