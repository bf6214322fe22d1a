import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openAuditSink } from '@toolwright/audit';
import { createMcpServer } from '@toolwright/core';
import { connect } from '@toolwright/testing';
import { createApp } from 'create-toolwright';
import { type Logger, silentLogger } from '@toolwright/core/ports';
import { freePort } from '../../../.ci/test/support/free-port.js';
import { programs, ProjectFolder, repository } from './support/project-folder.js';
import { runIn } from './support/recording-terminal.js';
import { patternOf, readConsoleBlocks, type DocumentedCommand } from './support/read-console-blocks.js';

/** Commands that run until they are stopped. The commands after them use what they serve. */
const servers = ['dev', 'start'];

const project = new ProjectFolder();
const app = project.path('notes');
let running: ChildProcess | undefined;
let port: number;

beforeAll(async () => {
  createApp({ directory: app, words: {} });
  const installed = 'packages/cli/node_modules';
  for (const name of readdirSync(join(repository, installed)).filter((each) => !/^(?:\.|@types$)/.test(each)))
    project.link(`notes/node_modules/${name}`, join(installed, name));
  project.link('notes/node_modules/@types', 'node_modules/@types');
  port = await freePort();
  await writeAuditLog(join(app, 'audit.jsonl'));
});

afterAll(async () => {
  await stop();
  project.remove();
});

/** A log with one call. */
async function writeAuditLog(file: string): Promise<void> {
  const audit = await openAuditSink({ file });
  const server = await createMcpServer({
    name: 'notes',
    version: '1',
    services: [],
    logger: silentLogger,
    audit,
  });
  server.tools.add({ name: 'add_note', inputSchema: { type: 'object' }, handler: () => 'added' });
  await (await connect(server)).call('add_note');
  await server.close();
}

async function stop(): Promise<void> {
  if (!running || running.exitCode !== null) return;
  running.kill('SIGTERM');
  await once(running, 'close');
}

/** The page uses port 3000. Here it is any free port. */
const here = (text: string) => text.replaceAll('127.0.0.1:3000', `127.0.0.1:${port}`);

/** The words without `npx --no`, which runs only what is installed. */
const programOf = (words: readonly string[]) => words.filter((word) => word !== 'npx' && word !== '--no');

/** Starts a server, and waits for what the page says that it prints. */
async function serve(args: readonly string[], pattern: RegExp): Promise<void> {
  const child = spawn(process.execPath, [programs.toolwright, ...args], {
    cwd: app,
    env: { ...process.env, PORT: String(port), NODE_ENV: undefined, NO_COLOR: '1', FORCE_COLOR: undefined },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  running = child;
  let printed = '';
  const matched = new Promise<void>((resolve) => {
    const hear = (text: string) => {
      printed += text;
      if (pattern.test(printed)) resolve();
    };
    child.stdout.setEncoding('utf8').on('data', hear);
    child.stderr.setEncoding('utf8').on('data', hear);
  });
  await Promise.race([matched, once(child, 'close')]);
  expect(printed).toMatch(pattern);
}

async function execute({ words, expected, exitCode }: DocumentedCommand): Promise<void> {
  const [program, ...args] = programOf(words).map(here);
  const pattern = patternOf(here(expected));
  if (servers.includes(args[0]!)) return serve(args, pattern);
  // Commands of the audit log look for it where their process is.
  const isProcess = program === 'tsc' || args[0] === 'audit';
  const {
    status,
    stdout,
    stderr,
    printed = stdout + stderr,
  } = isProcess
    ? { printed: undefined, ...project.nodeIn('notes', programs[program as keyof typeof programs], ...args) }
    : await runIn(app, ...args);
  expect(printed).toMatch(pattern);
  expect(status).toBe(exitCode);
}

/** Makes the edit that the page describes before a block. */
function edit(): Promise<void> {
  project.edit('notes/src/note-tools.ts', '@minLength 2', '@minLength 3');
  return execute({ line: 0, words: ['npx', '--no', 'tsc'], expected: '', exitCode: 0, tags: [] });
}

// The commands run one after the other, as a reader would type them. Each uses the results of those before
// it.
test.each(
  readConsoleBlocks(readFileSync(join(repository, 'docs/cli.md'), 'utf8')).map(
    (command) => [command.line, command.words.join(' '), command] as const,
  ),
)('line %i: %s', async (_line, _words, command) => {
  const [, name] = programOf(command.words);
  if (servers.includes(name!)) await stop();
  if (command.tags.includes('edit')) await edit();
  // A reader who builds first has no manifest yet. Here `dev` has already written one.
  if (name === 'build') rmSync(join(app, 'mcp.manifest.json'), { force: true });
  await execute(command);
});
