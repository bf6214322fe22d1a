import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { noteTools } from './support/note-tools.js';
import { compilerOptions } from './support/project-folder.js';
import { runIn } from './support/recording-terminal.js';
import { SmallProject } from './support/small-project.js';

const tools = `${noteTools}
@McpService()
export class ForgottenTools {
  /** Forget all notes. Returns how many. */
  @McpTool({ name: 'forget_notes', annotations: { readOnlyHint: true } })
  forgetNotes(): number {
    return 0;
  }
}
`;

const main = (port: number) => `import { createMcpServer } from '@toolwright/core';
import { serveHttp } from '@toolwright/http';
import { NoteTools } from './note-tools.js';

async function main(): Promise<void> {
  const server = await createMcpServer({
    name: 'notes',
    version: '1.2.0',
    services: [NoteTools],
    lockedTools: 'listed',
    rateLimit: { points: 7, per: '1m' },
    audit: { file: 'var/audit.jsonl' },
  });
  const { url } = await serveHttp(server, { port: ${port} });
  server.prompts.add({ name: 'plan_day', description: 'Plan a day.', handler: () => 'Plan.' });
  server.tools.add({ name: 'search_all', title: 'Search all', description: 'Search.', handler: () => 'found' });
  console.log(url);
}

void main();
`;

const other = `import { createMcpServer, type Principal, RequireScopes } from '@toolwright/core';
import { NoteTools } from './note-tools.js';

export async function createServer() {
  const server = await createMcpServer({
    name: 'notes',
    version: '1',
    services: [NoteTools],
    rateLimit: { points: 9, per: '1m' },
  });
  server.tools.add({
    name: 'export',
    description: 'Export as CSV.',
    for: (principal) => principal?.tenant === 'acme',
    policies: [RequireScopes.entry('export:csv')],
    handler: () => 'csv',
  });
  const isGlobex = (principal: Principal | undefined) => principal?.tenant === 'globex';
  server.tools.add({
    name: 'export',
    description: 'Export as XML.',
    for: isGlobex,
    policies: [RequireScopes.entry('export:xml')],
    handler: () => 'xml',
  });
  return server;
}
`;

const stdio = `import { serveStdio } from '@toolwright/stdio';
import { createServer } from './create-server.js';

void createServer().then((server) => serveStdio(server));
`;

const searched = `import { createMcpServer } from '@toolwright/core';
import { NoteTools } from './note-tools.js';

export const createServer = () =>
  createMcpServer({ name: 'notes', version: '1', services: [NoteTools], toolSearch: true });
`;

/** The scope keeps one tool from callers who lack it; `export` is for callers of a tenant. */
const coded = other
  .replace("version: '1',", "version: '1',\n    codeMode: { only: 'readOnly', calls: 7 },")
  .replace("handler: () => 'csv'", "annotations: { readOnlyHint: true },\n    handler: () => 'csv'")
  .replace(
    '  return server;',
    "  server.tools.add({ name: 'say_motto', description: 'Say the motto.', annotations: { readOnlyHint: true }, handler: () => 'Onwards.' });\n$&",
  );

const forAcme = `exports.createServer = async () => {
  const server = await require('@toolwright/core').createMcpServer({ name: 'notes', version: '1' });
  const isAcme = (principal) => principal?.tenant === 'acme';
  server.tools.add({ name: 'export', description: 'Export.', for: isAcme, handler: () => 'csv' });
  return server;
};
`;

/** A port that another program has, so that an app that wants it would fail. */
const taken = createServer();

let project: SmallProject;

beforeAll(async () => {
  await once(taken.listen(0, '127.0.0.1'), 'listening');
  const { port } = taken.address() as { port: number };
  project = new SmallProject({
    'package.json': { name: 'notes' },
    'tsconfig.json': { compilerOptions, include: ['src'] },
    'src/note-tools.ts': tools,
    'src/main.ts': main(port),
    'src/create-server.ts': other,
    'src/stdio.ts': stdio,
    'src/searched.ts': searched,
    'src/coded.ts': coded,
    'dist/broken.js': "throw new TypeError('DATABASE_URL is not set');\n",
    'dist/empty.js': 'exports.nothing = 1;\n',
    'dist/for-acme.js': forAcme,
    // Connections to a database keep a process running.
    'dist/pool.js':
      "exports.createServer = require('./create-server.js').createServer;\nsetInterval(() => undefined, 1_000);\n",
  });
  project.install(
    Object.fromEntries(
      ['audit', 'code', 'search'].map((name) => [`@toolwright/${name}`, `packages/${name}`]),
    ),
  );
  expect(project.compile()).toMatchObject({ status: 0, stdout: '' });
  expect(await toolwright('build')).toMatchObject({ status: 0 });
});

afterAll(() => {
  taken.close();
  project.remove();
});

const toolwright = (...words: string[]) => runIn(project.folder, ...words);
const app = (...words: string[]) => toolwright(...words, '--app', 'dist/main.js');

test('explain shows the limits of the own server, and who sees the tool', async () => {
  const { status, stdout, stderr } = await app('explain', 'delete_note');
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toContain('server: notes 1.2.0');
  expect(stdout).toContain('needs notes:write; callers without see it as locked');
  expect(stdout).toContain('7 a minute');
  expect((await toolwright('explain', 'delete_note')).stdout).not.toContain('7 a minute');
});

test('explain knows tools that were added at run time', async () => {
  const { status, stdout } = await app('explain', 'search_all');
  expect(status).toBe(0);
  expect(stdout).toMatch(/^search_all {2}added at run time\n {2}Search\.\n/);
});

test('inspect says what is served, and what was added', async () => {
  const { status, stdout } = await app('inspect', '--json');
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject([
    { name: 'count_notes', served: true },
    { name: 'delete_note', served: true },
    { name: 'forget_notes', served: false },
    { name: 'search_all', key: 'dist/main.js#search_all', added: true, description: 'Search.' },
  ]);
  expect((await app('inspect')).stdout).toMatch(/forget_notes .* not served\n/);
});

test('lint looks at what the server serves', async () => {
  const { stdout, stderr } = await app('lint', '--for', 'claude');
  expect(stdout).toContain('No server of the app (notes 1.2.0) lists ForgottenTools.');
  expect(stdout).toMatch(/search_all/);
  expect(stdout).not.toContain('search_all: it has no title');
  expect(stderr).toMatch(/^4 tools, /);
});

test('lint judges the tools of the app, and not those that a package of Toolwright adds', async () => {
  const { stdout, stderr } = await toolwright('lint', '--app', 'dist/searched.js', '--for', 'claude');
  expect(stdout).toContain('delete_note');
  expect(stdout).not.toMatch(/search_tools|describe_tool|call_tool|load_group/);
  expect(stderr).toMatch(/^3 tools, /);
});

test('lock and diff cover what was added at run time', async () => {
  expect(await app('lock')).toMatchObject({ status: 0, stdout: 'mcp.lock.json: 3 tools, 1 prompt\n' });
  expect(JSON.parse(project.read('mcp.lock.json'))).toMatchObject({
    tools: { search_all: { description: 'Search.', scopes: [] }, delete_note: { scopes: ['notes:write'] } },
    prompts: { plan_day: { description: 'Plan a day.' } },
  });
  expect(await app('diff')).toMatchObject({ status: 0, stdout: 'No changes.\n' });
});

test('lock and diff cover the tools of one tenant, if they name it', async () => {
  const own = (...words: string[]) => toolwright(...words, '--app', 'dist/create-server.js');
  const lock = async (tenant: string) =>
    (await own('lock', '--tenant', tenant, '--out', 'tenant.lock.json')).stdout;
  expect(await lock('initech')).toBe('tenant.lock.json: 2 tools\n');
  for (const [tenant, format] of [
    ['globex', 'xml'],
    ['acme', 'csv'],
  ] as const) {
    expect(await lock(tenant)).toBe('tenant.lock.json: 3 tools\n');
    // Two tools have this name. Each lock has the scopes of its own.
    expect(JSON.parse(project.read('tenant.lock.json')).tools.export).toMatchObject({
      description: `Export as ${format.toUpperCase()}.`,
      scopes: [`export:${format}`],
    });
  }
  const diff = ['diff', '--lock', 'tenant.lock.json'];
  expect(await own(...diff, '--tenant', 'acme')).toMatchObject({ status: 0, stdout: 'No changes.\n' });
  // The lists of two tenants differ, so that a change of one would hide in the other.
  expect(JSON.parse(project.read('tenant.lock.json')).tenant).toBe('acme');
  const refused = (said: string) => ({ status: 2, stdout: '', stderr: expect.stringContaining(said) });
  expect(await own(...diff)).toMatchObject(
    refused('is the lock of the tenant acme, and diff was asked about callers'),
  );
  expect(await own(...diff, '--tenant', 'globex')).toMatchObject(refused('asked about the tenant globex'));
  await own('lock', '--out', 'all.lock.json');
  expect(await own('diff', '--lock', 'all.lock.json', '--tenant', 'acme')).toMatchObject(
    refused('toolwright lock --app <file> --tenant acme --out mcp.acme.lock.json'),
  );
  expect(await toolwright('lock', '--tenant', 'acme')).toMatchObject({
    stderr: 'error: --tenant is for the server of an app: add --app dist/main.js.\n',
  });
});

test('lock says that a tenant sees no tools, as one with a misspelt name does', async () => {
  const lock = (tenant: string) =>
    toolwright(...['lock', '--app', 'dist/for-acme.js', '--tenant', tenant, '--out', 'acme.lock.json']);
  expect(await lock('acme')).toMatchObject({ status: 0, stdout: 'acme.lock.json: 1 tool\n', stderr: '' });
  expect(await lock('acmee')).toMatchObject({
    status: 0,
    stdout: 'acme.lock.json: 0 tools\n',
    stderr: 'Callers of the tenant acmee see no tools. Is its name right?\n',
  });
});

test('explain shows whom tools of one name are for, or the one of a tenant', async () => {
  const own = (...words: string[]) =>
    toolwright('explain', 'export', '--app', 'dist/create-server.js', ...words);
  const { status, stdout } = await own();
  expect(status).toBe(0);
  expect(stdout).toContain("for: (principal) => principal?.tenant === 'acme'");
  expect(stdout).toContain('2 tools have the name export.');
  expect(stdout).toContain('isGlobex  Export as XML.');
  expect(JSON.parse((await own('--json')).stdout)).toMatchObject({
    others: [{ for: 'isGlobex', description: 'Export as XML.' }],
  });
  const ofGlobex = (await own('--tenant', 'globex')).stdout;
  expect(ofGlobex).toContain('for: isGlobex');
  expect(ofGlobex).toContain('export:xml');
  expect(ofGlobex).not.toContain('2 tools');
  expect(await own('--tenant', 'initech')).toMatchObject({ status: 2 });
  expect(await toolwright('explain', 'export', '--tenant', 'acme')).toMatchObject({
    stderr: 'error: --tenant is for the server of an app: add --app dist/main.js.\n',
  });
});

test('the port of the app may be taken, and no audit log is written', async () => {
  expect(project.node('dist/main.js')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('EADDRINUSE'),
  });
  expect(project.has('var/audit.jsonl')).toBe(true);
  rmSync(project.path('var'), { recursive: true });
  expect(await app('explain', 'count_notes')).toMatchObject({ status: 0, stderr: '' });
  expect(project.has('var')).toBe(false);
});

test.each(['create-server', 'stdio', 'pool'])('%s exports its server, or serves standard input', (name) => {
  const { status, stdout } = project.toolwright('explain', 'count_notes', '--app', `dist/${name}.js`);
  expect(status).toBe(0);
  expect(stdout).toContain('9 a minute');
});

test('an app that cannot be loaded is one line and exit code 1, for inspect a diagnostic and 0', async () => {
  const line = 'dist/broken.js cannot be loaded: TypeError: DATABASE_URL is not set';
  for (const words of [['explain', 'count_notes'], ['lint'], ['lock'], ['diff']])
    expect(await toolwright(...words, '--app', 'dist/broken.js')).toMatchObject({
      status: 1,
      stdout: '',
      stderr: `error: ${line}\n`,
    });
  const inspected = await toolwright('inspect', '--json', '--app', 'dist/broken.js');
  expect(inspected).toMatchObject({ status: 0, stderr: `warning TW_APP_UNLOADABLE: ${line}\n` });
  expect(JSON.parse(inspected.stdout)[0].diagnostics).toMatchObject([
    { code: 'TW_APP_UNLOADABLE', severity: 'warning', message: line, file: 'dist/broken.js' },
  ]);
});

test('a file without a server says what to export; one that is not there, and a source, are refused', async () => {
  const at = (file: string) => toolwright('explain', 'count_notes', '--app', file);
  expect(await at('dist/empty.js')).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/^error: dist\/empty\.js cannot be loaded: .*export createServer, .*\n$/),
  });
  expect(await at('dist/none.js')).toMatchObject({ status: 2 });
  expect(await at('src/main.ts')).toMatchObject({ status: 2 });
});

describe('with code mode', () => {
  const ask = (...words: string[]) => toolwright(...words, '--app', 'dist/coded.js');

  test('explain says what the programs of a caller may do, and why not the rest', async () => {
    const { status, stdout } = await ask('explain', 'run_code', '--tenant', 'acme');
    expect(status).toBe(0);
    expect(stdout).toMatch(/^ {2}calls +7 calls of tools, over all rounds$/m);
    expect(stdout).toMatch(/^ {2}count_notes +reads/m);
    expect(stdout).toMatch(/^ {2}export +reads; gives one text: it has no output schema$/m);
    expect(stdout).toMatch(/^ {2}delete_note +"delete_note" may change something/m);
    expect(stdout).toMatch(/^ {2}export +It is for other callers/m);
    const { programs } = JSON.parse((await ask('explain', 'run_code', '--tenant', 'acme', '--json')).stdout);
    expect(programs).toMatchObject({ limits: { calls: 7, time: 10_000 } });
    expect((await ask('explain', 'count_notes')).stdout).not.toContain('Limits of a program');
  });

  test('lint names the tools that give programs only text, and says what to do', async () => {
    const problems = JSON.parse((await ask('lint', '--format', 'json')).stdout) as {
      rule: string;
      tool?: string;
      message: string;
    }[];
    const found = problems.filter(({ rule }) => rule === 'text-for-programs');
    expect(found.map(({ tool }) => tool)).toEqual(['say_motto']);
    expect(found[0]!.message).toContain('outputSchema');
    expect((await toolwright('lint', '--app', 'dist/create-server.js')).stdout).not.toContain(
      'text-for-programs',
    );
  });
});
