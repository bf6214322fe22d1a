import { relative, sep } from 'node:path';
import { createTwoFilesPatch } from 'diff';
import { styleFor } from '../terminal/style.js';
import type { Terminal } from '../terminal/terminal.js';
import type { FileChange } from './file-change.js';

/** A change in the format of `diff -u`, with paths relative to the working directory. */
export function formatChange(
  { path, before, after }: FileChange,
  terminal: Pick<Terminal, 'colours' | 'cwd'>,
): string[] {
  const { bold, cyan, green, red } = styleFor(terminal);
  const name = relative(terminal.cwd, path).split(sep).join('/');
  const patch = createTwoFilesPatch(before === undefined ? '/dev/null' : name, name, before ?? '', after);
  const [, ...lines] = patch.trimEnd().split('\n');
  return lines.map((line) => {
    if (line.startsWith('---') || line.startsWith('+++')) return bold(line.trimEnd());
    if (line.startsWith('@@')) return cyan(line);
    return line.startsWith('+') ? green(line) : line.startsWith('-') ? red(line) : line;
  });
}
