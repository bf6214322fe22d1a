import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AddCommand } from '@toolwright/operate';
import { commands } from '../src/commands/commands.js';
import { createProgram, run } from '../src/run.js';
import { RecordingTerminal } from './support/recording-terminal.js';

/**
 * A command that does not exist. Here it is added to the table as its file and its line would add it. What it needed
 * beside them and its part of docs/cli.md would have to change other files.
 */
const addGreet: AddCommand = (program, { terminal, exit }) => {
  program
    .command('greet')
    .description('greet somebody')
    .argument('<name>')
    .option('--loud', 'with capitals')
    .action((name: string, { loud }: { loud?: true }) => {
      terminal.out(loud ? name.toUpperCase() : name);
      exit(1);
    });
};
commands.push(addGreet);

test('a line in the table is all that help, completion and the run of a command need', async () => {
  const terminal = new RecordingTerminal(__dirname);
  expect(await run(['greet', 'Ada', '--loud'], terminal)).toBe(1);
  expect(await run(['--help'], terminal)).toBe(0);
  expect(await run(['completion', 'bash'], terminal)).toBe(0);
  expect(terminal.stdout).toMatch(/^ADA\n/);
  expect(terminal.stdout).toMatch(/greet.* +greet somebody/);
  expect(terminal.stdout).toContain('--loud');
});

test('docs/cli.md has every command', () => {
  const page = readFileSync(join(__dirname, '../../../docs/cli.md'), 'utf8');
  const program = createProgram(new RecordingTerminal(__dirname), () => undefined);
  // Scripts of shells call `complete-tools`, and no person does.
  const names = program.commands
    .map((command) => command.name())
    .filter((name) => name !== 'greet' && name !== 'complete-tools');
  expect(names.length).toBeGreaterThan(30);
  for (const name of names) expect(page).toContain(`toolwright ${name}`);
});
