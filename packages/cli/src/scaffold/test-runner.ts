import { dirname, join } from 'node:path';
import type { SourceStyle } from 'create-toolwright';
import { currentText } from '../changes/current-text.js';

/** What runs the tests of a package: its own manifest says so, or that of the workspace around it. */
export function testRunnerOf(directory: string): SourceStyle['runner'] {
  const text = currentText(join(directory, 'package.json'));
  const found = text === undefined ? undefined : /"(jest|vitest)"\s*:/.exec(text)?.[1];
  if (found !== undefined) return found as SourceStyle['runner'];
  return dirname(directory) === directory ? 'node' : testRunnerOf(dirname(directory));
}
