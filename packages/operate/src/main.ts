import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exitCodes } from './command-error.js';
import { addAudit, addUsage } from './commands/audit.js';
import { addGrants } from './commands/grants.js';
import { addKeys } from './commands/keys.js';
import { addSubject } from './commands/subject.js';
import { addTasks } from './commands/tasks.js';
import { addWorker } from './commands/worker.js';
import { runProgram } from './program.js';
import { outliveReader, processTerminal } from './terminal/terminal.js';

outliveReader();

const { version } = JSON.parse(readFileSync(join(__dirname, '../package.json'), 'utf8')) as {
  version: string;
};
const program = {
  name: 'toolwright-operate',
  description:
    'Operates a server in production: workers, durable tasks, API keys, grants, personal data, audit logs.',
  version,
  commands: [addWorker, addTasks, addKeys, addGrants, addSubject, addAudit, addUsage],
};

void runProgram(program, process.argv.slice(2), processTerminal()).then((code) => {
  // A signal that ends a worker sets its own exit code.
  if (code !== exitCodes.ok) process.exitCode = code;
});
