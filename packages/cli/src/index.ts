export { exitCodes, processTerminal, type Terminal } from '@toolwright/operate/terminal';
export { run } from './run.js';
