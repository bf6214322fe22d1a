import { inLine, visible } from '../terminal/visible-text.js';
import { cutToFit, wrapText } from '../terminal/wrap-text.js';
import type { Terminal } from '../terminal/terminal.js';

/** The parts of a terminal that a question needs. */
export type Asker = Required<Pick<Terminal, 'ask' | 'err'>> & Pick<Terminal, 'rows' | 'columns'>;

/** Begins every line of a server's text, so that it cannot be confused with ours. */
const BAR = '│ ';

/** The longest label that leaves room for an answer. */
const LONGEST_LABEL = 60;

/**
 * Shows a server's text before the person answers, with a bar in front and page by page, so that all of it
 * can be read.
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

/** A label for a prompt of one line. If it has to be cut, it is first shown in full. */
export async function showLabel(label: string, terminal: Asker): Promise<string> {
  const short = cutToFit(inLine(label), LONGEST_LABEL);
  if (short.endsWith('…')) await showQuestion(label, terminal);
  return short;
}
