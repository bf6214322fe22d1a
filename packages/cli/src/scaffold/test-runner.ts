import { dirname, join } from 'node:path';
import type { SourceStyle } from 'create-toolwright';
import { currentText } from '../changes/current-text.js';

/** The test runner of a package, according to its own package.json or that of the surrounding workspace. */
export function testRunnerOf(directory: string): SourceStyle['runner'] {
  const text = currentText(join(directory, 'package.json'));
  const found = text === undefined ? undefined : /"(jest|vitest)"\s*:/.exec(text)?.[1];
  if (found !== undefined) return found as SourceStyle['runner'];
  return dirname(directory) === directory ? 'node' : testRunnerOf(dirname(directory));
}
