import { styleFor, type Style } from '../terminal/style.js';
import { formatTable } from '../terminal/table.js';
import type { Terminal } from '../terminal/terminal.js';
import type { Change, Impact } from './change.js';
import { visible } from '../terminal/visible-text.js';

const order: readonly Impact[] = ['breaking', 'notable', 'compatible'];

/**
 * One line per change, the worst first. Below it are the words that changed, with hidden characters made
 * visible.
 */
export function formatChanges(changes: readonly Change[], terminal: Pick<Terminal, 'colours'>): string[] {
  const style = styleFor(terminal);
  const { red, yellow, dim } = style;
  const paint: Record<Impact, (text: string) => string> = { breaking: red, notable: yellow, compatible: dim };
  const sorted = [...changes].sort((a, b) => order.indexOf(a.impact) - order.indexOf(b.impact));
  const lines = formatTable(
    sorted.map(({ impact, tool, path, message }) => [
      paint[impact](impact),
      visible(`${tool}${path}`),
      visible(message),
    ]),
  );
  return sorted.flatMap((change, index) => [lines[index]!, ...formatWords(change, style)]);
}

function formatWords({ before, after }: Change, { red, green, bold }: Style): string[] {
  const show = (text: string | undefined, paint: (line: string) => string, sign: string) =>
    text ? text.split('\n').map((line) => paint(`    ${sign} ${visible(line, bold)}`)) : [];
  return [...show(before, red, '-'), ...show(after, green, '+')];
}
