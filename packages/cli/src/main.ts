import module from 'node:module';
import { exitCodes, processTerminal } from '@toolwright/operate/terminal';
import { lookOnly } from './app/look-only.js';
import { run } from './run.js';

// Node.js 22.8 and later store the compiled code of the TypeScript compiler, and load it twice as fast the
// next time.
(module as { enableCompileCache?: () => void }).enableCompileCache?.();

// With `toolwright list | head -1` the reader stops early, and that is not a failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

const words = process.argv.slice(2);

/** These commands load the classes of a project. Timers of an app that is in the same file must not keep them running. */
const looks = ['lint', 'lock', 'diff', 'explain', 'client'].includes(words[0] ?? '');
if (looks) lookOnly();

void run(words, processTerminal()).then((code) => {
  // An app that `start` runs sets its own exit code.
  if (code !== exitCodes.ok) process.exitCode = code;
  if (looks) process.stdout.write('', () => process.exit());
});
