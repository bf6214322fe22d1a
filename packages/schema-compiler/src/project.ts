/**
 * What other packages need to read a TypeScript project as the compiler does. Loading this entry loads TypeScript.
 */
export { ts } from './generator/tjs-adapter.js';
export { standInForCore, type StandIn } from './program/core-stand-in.js';
export { readConfig } from './program/open-project.js';
