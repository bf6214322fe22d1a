import { BUDGET } from '../budget.js';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { cutText, showHidden } from '@toolwright/json';

const MOST_LINES = BUDGET.lastLines;

/**
 * What a process wrote on its standard error before it ended. Most servers say there what they lack, such as a variable, and
 * the connection says only that it has ended.
 */
export class LastWords {
  readonly #lines: string[] = [];

  constructor(private readonly said: (line: string) => void) {}

  add(line: string): void {
    if (this.#lines.length < MOST_LINES) this.#lines.push(line);
    this.said(line);
  }

  /** @throws the error, whose message has the line that says most */
  async addTo(error: Error): Promise<never> {
    // The end of a process can be seen before its last words.
    await nextTurn();
    const line =
      this.#named() ??
      this.#lines.find((each) => /error|required|missing|not found/i.test(each)) ??
      this.#lines.at(-1);
    if (line !== undefined) error.message += ` The process wrote: "${showHidden(cutText(line.trim(), 300))}"`;
    throw error;
  }

  /** Node.js prints the line of the source before the error. A line that ends with a colon goes on in the next one. */
  #named(): string | undefined {
    const at = this.#lines.findIndex(namesError);
    const line = this.#lines[at]?.trim();
    const next = this.#lines.slice(at + 1).find((each) => each.trim() !== '');
    return line?.endsWith(':') && next !== undefined ? `${line} ${next.trim()}` : line;
  }
}

/** Such as `Uncaught TypeError [ERR_INVALID_URL]: Invalid URL`. */
function namesError(line: string): boolean {
  const [name = ''] = line.trim().replace('Uncaught ', '').split(/[: ]/, 1);
  return line.includes(':') && /(?:Error|Exception)$/.test(name);
}
