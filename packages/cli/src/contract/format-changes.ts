import { styleFor } from '../terminal/style.js';
import { formatTable } from '../terminal/table.js';
import type { Terminal } from '../terminal/terminal.js';
import type { Change, Impact } from './change.js';

const order: readonly Impact[] = ['breaking', 'notable', 'compatible'];

/** One line per change, the worst first. */
export function formatChanges(changes: readonly Change[], terminal: Pick<Terminal, 'colours'>): string[] {
  const { red, yellow, dim } = styleFor(terminal);
  const paint: Record<Impact, (text: string) => string> = { breaking: red, notable: yellow, compatible: dim };
  const sorted = [...changes].sort((a, b) => order.indexOf(a.impact) - order.indexOf(b.impact));
  return formatTable(
    sorted.map(({ impact, tool, path, message }) => [paint[impact](impact), `${tool}${path}`, message]),
  );
}
