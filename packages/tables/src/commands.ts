// The commands that this package adds to `toolwright`. The command line finds them in the app that has the package.
export { commands } from './command/import-command.js';
export type { TablesConsole } from './command/run-import.js';
