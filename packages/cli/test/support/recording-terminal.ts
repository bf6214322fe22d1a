import type { Terminal } from '../../src/terminal/terminal.js';
import { run } from '../../src/run.js';

/** A terminal that keeps what was written to it; colours are off and nobody sits in front of it. */
export class RecordingTerminal implements Terminal {
  stdout = '';
  stderr = '';
  readonly env = {};
  readonly columns: number | undefined = 100;

  constructor(
    readonly cwd: string,
    readonly colours = false,
  ) {}

  out(text: string): void {
    this.stdout += `${text}\n`;
  }

  err(text: string): void {
    this.stderr += `${text}\n`;
  }

  write(text: string): void {
    this.stdout += text;
  }

  writeErr(text: string): void {
    this.stderr += text;
  }
}

/** Runs a command line (words are separated by spaces) in a folder. */
export async function toolwright(commandLine: string, cwd = __dirname) {
  const terminal = new RecordingTerminal(cwd);
  const code = await run(commandLine.split(' '), terminal);
  return { code, stdout: terminal.stdout, stderr: terminal.stderr };
}
