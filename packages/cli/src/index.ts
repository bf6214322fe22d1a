export { exitCodes } from './command-error.js';
export { run } from './run.js';
export { processTerminal, type Terminal } from './terminal/terminal.js';
