import module from 'node:module';
import { exitCodes, outliveReader, processTerminal } from '@toolwright/operate/terminal';
import { run } from './run.js';

// Node.js 22.8 and later store the compiled code of the TypeScript compiler, and load it twice as fast the
// next time.
(module as { enableCompileCache?: () => void }).enableCompileCache?.();

outliveReader();
void run(process.argv.slice(2), processTerminal()).then((code) => {
  // An app that `start` runs sets its own exit code.
  if (code !== exitCodes.ok) process.exitCode = code;
});
