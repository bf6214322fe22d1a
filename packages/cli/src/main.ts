import { run } from './run.js';
import { processTerminal } from './terminal/terminal.js';

// `toolwright list | head -1`: who reads has had enough, and that is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

void run(process.argv.slice(2), processTerminal()).then((code) => {
  process.exitCode = code;
});
