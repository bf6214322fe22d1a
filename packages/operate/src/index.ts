export { checkManifest, findBuild, packageEntry } from './built-app.js';
export { addAudit, addAuditCommands, addUsage } from './commands/audit.js';
export type { AddCommand, CommandContext } from './commands/command-context.js';
export { addGrants } from './commands/grants.js';
export { addKeys } from './commands/keys.js';
export { addSubject } from './commands/subject.js';
export { addTasks } from './commands/tasks.js';
export { addWorker } from './commands/worker.js';
export { createProgram, runProgram, type ProgramDefinition } from './program.js';
