import { styleText } from 'node:util';
import type { Terminal } from './terminal.js';

/** Marks up text where the terminal shows colours, and leaves it alone elsewhere. */
export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  cyan(text: string): string;
}

export function styleFor({ colours }: Pick<Terminal, 'colours'>): Style {
  const paint = (format: keyof Style) => (text: string) =>
    colours ? apply(format, text, { validateStream: false }) : text;
  return {
    bold: paint('bold'),
    dim: paint('dim'),
    red: paint('red'),
    green: paint('green'),
    yellow: paint('yellow'),
    cyan: paint('cyan'),
  };
}

/** Whether to colour was decided by `wantsColours`; newer versions of Node would look at stdout once more. */
const apply = styleText as (
  format: keyof Style,
  text: string,
  options?: { validateStream: boolean },
) => string;
