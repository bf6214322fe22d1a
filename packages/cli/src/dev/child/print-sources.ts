import { rmSync } from 'node:fs';
import { KEPT_MAPS, mapsIn } from '../kept-maps.js';

/** The compiled files that places name end so. Most of what an app prints has none. */
const COMPILED = /\.[cm]?js:\d/;

/**
 * In what the app prints on standard error, makes the places of compiled files those of their sources. Node.js does it
 * itself where the project writes maps. Standard output stays as it is: it may be the wire of MCP.
 */
export function printSources(directory: string, file = process.env[KEPT_MAPS]): void {
  if (file === undefined) return;
  const inSources = placesBy(directory, file);
  // `dev` removes the file, unless it was killed. The app ends with it, and must not end before this.
  process.prependOnceListener('disconnect', () => rmSync(file, { force: true }));
  const { stderr } = process;
  const write = stderr.write.bind(stderr) as (...args: unknown[]) => boolean;
  stderr.write = (chunk: string | Uint8Array, ...more: unknown[]) =>
    write(typeof chunk === 'string' ? inSources(chunk) : chunk, ...more);
  // Node.js prints the error that nobody caught itself, and not through the stream.
  process.on('uncaughtExceptionMonitor', (error: unknown) => {
    if (error instanceof Error && error.stack !== undefined) error.stack = inSources(error.stack);
  });
}

/** The reader of source maps is loaded when a text first needs it, so that it slows no start. */
function placesBy(directory: string, file: string): (text: string) => string {
  let stacks: import('../source-stacks.js').SourceStacks | undefined;
  const newer = mapsIn(file);
  return (text) => {
    if (!COMPILED.test(text)) return text;
    try {
      // eslint-disable-next-line @typescript-eslint/no-require-imports
      const { SourceStacks } = require('../source-stacks.js') as typeof import('../source-stacks.js');
      stacks ??= new SourceStacks(directory);
      stacks.take(newer());
      return stacks.inSources(text);
    } catch {
      // What the app prints matters more than where it says it comes from.
      return text;
    }
  };
}
