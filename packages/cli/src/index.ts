export { exitCodes, processTerminal, type Terminal } from '@toolwright/operate';
export { run } from './run.js';
