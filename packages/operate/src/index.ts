export { checkManifest, findBuild, packageEntry } from './built-app.js';
export { CommandError, describeError, exitCodes } from './command-error.js';
export { addAudit, addAuditCommands } from './commands/audit.js';
export type { AddCommand, CommandContext } from './commands/command-context.js';
export { addTasks } from './commands/tasks.js';
export { addWorker } from './commands/worker.js';
export { createProgram, runProgram, type ProgramDefinition } from './program.js';
export {
  type Style,
  type TableShape,
  count,
  formatTable,
  render,
  styleFor,
  widthOf,
  wrapWords,
} from './terminal/style.js';
export { type Terminal, cutToFit, processTerminal, wrapText } from './terminal/terminal.js';
export { inLine, visible, visibleJson } from './terminal/visible-text.js';
