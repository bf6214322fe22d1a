import { inLine, visible } from '../terminal/visible-text.js';
import { cutToFit, wrapText } from '../terminal/wrap-text.js';
import type { Terminal } from '../terminal/terminal.js';

/** What a question needs of a terminal. */
export type Asker = Required<Pick<Terminal, 'ask' | 'err'>> & Pick<Terminal, 'rows' | 'columns'>;

/** Begins every line of a server's words, so that nothing else can be taken for them, nor they for ours. */
const BAR = '│ ';

/** A label beside which there is room for an answer. */
const LONGEST_LABEL = 60;

/**
 * Shows what a server says before it is answered: behind a bar, and page by page, so that no part of it leaves the
 * screen before it was seen.
 */
export async function showQuestion(text: string, terminal: Asker): Promise<void> {
  const { rows = 24, columns = 80 } = terminal;
  const lines = wrapText(visible(text), Math.max(20, columns - BAR.length));
  const perPage = Math.max(5, rows - 4);
  for (let start = 0; start < lines.length; start += perPage) {
    const more = lines.length - start;
    if (start > 0) await terminal.ask(`The question has ${more} more lines. Press Enter to see more: `);
    for (const line of lines.slice(start, start + perPage)) terminal.err(`${BAR}${line}`.trimEnd());
  }
}

/** A label for a prompt of one line. One that is cut is shown as a whole before. */
export async function showLabel(label: string, terminal: Asker): Promise<string> {
  const short = cutToFit(inLine(label), LONGEST_LABEL);
  if (short.endsWith('…')) await showQuestion(label, terminal);
  return short;
}
