import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { stripVTControlCharacters } from 'node:util';

export interface TypedCommand {
  cwd: string;
  env: Record<string, string>;
}

/** Keys that have no letter. */
export const keys = { enter: '\r', down: '\u001b[B', interrupt: '\u0003', endOfInput: '\u0004' } as const;

/** Whether terminals can be made here: `script` is part of Debian (bsdutils) and of macOS. */
export const hasTerminal =
  process.env['REQUIRE_ALL'] === '1' || spawnSync('script', ['--version']).error === undefined;

/** A test that needs a terminal. */
export const terminalTest = hasTerminal
  ? test
  : Object.assign(notTried, {
      each: (cases: unknown[]) => (name: string) => notTried(`${name} (${cases.length})`),
    });

function notTried(name: string): void {
  test(`${name}: not tried, "script" is not installed here (Debian: apt-get install bsdutils)`, () =>
    expect(hasTerminal).toBe(false));
}

/** A command in a terminal, and somebody who reads its screen and types. The terminal is made by `script`. */
export class PseudoTerminal {
  private printed = '';
  /** How far the reader has come. */
  private read = 0;
  private look: () => void = () => undefined;
  private readonly ended: Promise<unknown[]>;

  private constructor(private readonly process: ChildProcess) {
    this.ended = once(process, 'close');
    process.stdout!.setEncoding('utf8').on('data', (text: string) => {
      this.printed += text;
      this.look();
    });
    process.once('close', () => this.look());
  }

  /** @param words of the command; none needs quoting */
  static start(words: string[], { cwd, env }: TypedCommand): PseudoTerminal {
    const command = `stty cols 100 rows 40; exec ${words.join(' ')}`;
    const args =
      process.platform === 'darwin'
        ? ['-q', '/dev/null', 'sh', '-c', command]
        : ['-q', '-e', '-c', command, '/dev/null'];
    const options = { cwd, env: { ...env, TERM: 'xterm', SHELL: '/bin/sh' } };
    return new PseudoTerminal(spawn('script', args, { ...options, stdio: ['pipe', 'pipe', 'inherit'] }));
  }

  /** Everything that was printed, without what only moves the cursor or colours. */
  get screen(): string {
    return stripVTControlCharacters(this.printed);
  }

  /** As the terminal got it. */
  get raw(): string {
    return this.printed;
  }

  /** Waits until a text is printed that has not been read before. */
  async see(text: string): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.look = () => {
        const at = this.screen.indexOf(text, this.read);
        if (at >= 0) {
          this.read = at + text.length;
          resolve();
        } else if (this.process.exitCode !== null) {
          reject(new Error(`It ended without "${text}":\n${this.screen}`));
        }
      };
      this.look();
    });
  }

  type(text: string): void {
    this.process.stdin!.write(text);
  }

  /** Waits for the end. Gives the exit code of the command. */
  async exit(): Promise<unknown> {
    const [code] = await this.ended;
    return code;
  }
}
