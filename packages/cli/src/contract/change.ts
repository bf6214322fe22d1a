import {
  type Style,
  type Terminal,
  formatTable,
  styleFor,
  visible,
  type TableShape,
} from '@toolwright/operate/terminal';

/**
 * The effect of a change on existing callers. `breaking`: calls that were right may now fail, or results may
 * be misread. `notable`: nothing fails, but models may behave differently. `compatible`: everything that
 * worked still works. `budget`: a tool or the list takes more tokens than it may, so that `diff` fails as well.
 */
export type Impact = 'breaking' | 'budget' | 'notable' | 'compatible';

/** One difference between two versions of a contract. */
export interface ContractChange {
  impact: Impact;
  /** The JSON pointer in the contract: `/input/properties/limit`. */
  path: string;
  message: string;
  /** For text that models read: the old and the new text. */
  before?: string;
  after?: string;
}

/** One difference between two versions of a tool. */
export interface ToolChange extends ContractChange {
  tool: string;
}

/** A change of text that models read. Nothing fails, but models may behave differently. */
export function textChange(
  member: string,
  path: string,
  [before, after]: [unknown, unknown],
): ContractChange {
  const show = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
  return { impact: 'notable', path, message: `${member} changed`, before: show(before), after: show(after) };
}

const order: readonly Impact[] = ['breaking', 'budget', 'notable', 'compatible'];

/**
 * One line per change, the worst first. Below it are the words that changed, with hidden characters made
 * visible.
 */
export function formatChanges(
  changes: readonly ToolChange[],
  terminal: Pick<Terminal, 'colours'> & TableShape,
): string[] {
  const style = styleFor(terminal);
  const { red, yellow, dim } = style;
  const paint: Record<Impact, (text: string) => string> = {
    breaking: red,
    budget: red,
    notable: yellow,
    compatible: dim,
  };
  const sorted = [...changes].sort((a, b) => order.indexOf(a.impact) - order.indexOf(b.impact));
  const lines = formatTable(
    sorted.map(({ impact, tool, path, message }) => [
      paint[impact](impact),
      visible(`${tool}${path}`),
      visible(message),
    ]),
    { columns: terminal.columns },
  );
  return sorted.flatMap((change, index) => [lines[index]!, ...formatWords(change, style)]);
}

function formatWords({ before, after }: ToolChange, { red, green, bold }: Style): string[] {
  const show = (text: string | undefined, paint: (line: string) => string, sign: string) =>
    text ? text.split('\n').map((line) => paint(`    ${sign} ${visible(line, bold)}`)) : [];
  return [...show(before, red, '-'), ...show(after, green, '+')];
}
