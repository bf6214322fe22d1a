import { run } from './run.js';
import { processTerminal } from './terminal/terminal.js';

void run(process.argv.slice(2), processTerminal()).then((code) => {
  process.exitCode = code;
});
