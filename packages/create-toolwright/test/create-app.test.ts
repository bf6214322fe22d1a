import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { request, type IncomingMessage, type RequestOptions } from 'node:http';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { programs, ProjectFolder } from '../../cli/test/support/project-folder.js';
import { auths, createApp, databases, transports } from '../src/index.js';

let room: ProjectFolder;

/** The dependencies of apps, as links to what is installed here. */
const installed = {
  '@toolwright/core': 'packages/core',
  '@toolwright/express': 'packages/express',
  '@toolwright/http': 'packages/http',
  '@toolwright/stdio': 'packages/stdio',
  '@toolwright/testing': 'packages/testing',
  '@electric-sql/pglite': 'apps/pages/node_modules/@electric-sql/pglite',
  'class-validator': 'packages/cli/node_modules/class-validator',
  'class-transformer': 'packages/cli/node_modules/class-transformer',
  '@types/node': 'node_modules/@types/node',
};

beforeAll(() => {
  room = new ProjectFolder();
  room.install(installed);
});

afterAll(() => room.remove());

const combinations = transports
  .flatMap((transport) => auths.flatMap((auth) => databases.map((db) => ({ transport, auth, db }))))
  .filter(({ transport, auth }) => transport !== 'stdio' || auth === 'none');

/** @returns the folder of the app */
function create(name: string, words: Record<string, string>): string {
  createApp({ directory: room.path(name), words });
  return name;
}

test('every combination of flags is written without leftovers, and compiles', () => {
  for (const words of combinations) {
    const app = create(`every-${words.transport}-${words.auth}-${words.db}`, words);
    expect(room.read(join(app, 'src/create-server.ts'))).not.toContain('my-server');
    expect(JSON.parse(room.read(join(app, '.vscode/mcp.json')))).toHaveProperty('servers');
  }
  room.write(
    'tsconfig.json',
    JSON.stringify({
      extends: './every-http-none-none/tsconfig.json',
      compilerOptions: { noEmit: true, rootDir: '.', noUnusedLocals: true },
      include: ['every-*/src'],
    }),
  );
  expect(room.compile()).toMatchObject({ status: 0, stdout: '' });
}, 120_000);

test('an app builds, passes its own test, starts, and lists its tools', async () => {
  const directory = create('finished', { transport: 'both', db: 'pglite' });
  expect(room.nodeIn(directory, programs.tsc)).toMatchObject({ status: 0, stdout: '' });
  expect(room.nodeIn(directory, programs.toolwright, 'build')).toMatchObject({ status: 0, stderr: '' });
  expect(room.nodeIn(directory, '--test', 'dist/note-tools.test.js')).toMatchObject({ status: 0 });

  const app = startApp(directory, { DATA: room.path(directory, '.data') });
  try {
    const { stdout } = room.nodeIn(directory, programs.toolwright, 'list', '--url', await app.url);
    expect(stdout).toMatch(/find_notes[\s\S]*add_note/);
  } finally {
    expect(await app.stop()).toEqual([0, null]);
  }
}, 120_000);

test('what a coding agent is taught compiles, builds and has nothing that lint would tell', () => {
  const directory = create('taught', { transport: 'http' });
  const lesson = room.read(join(directory, 'AGENTS.md'));
  const [, code] = /```ts\n([^]*?)```/.exec(lesson)!;
  room.write(join(directory, 'src/note-reports.ts'), code!);
  const creation = room.read(join(directory, 'src/create-server.ts'));
  room.write(
    join(directory, 'src/create-server.ts'),
    `import { NoteReports } from './note-reports.js';\n${creation.replace('[NoteTools]', '[NoteTools, NoteReports]')}`,
  );
  expect(room.nodeIn(directory, programs.tsc)).toMatchObject({ status: 0, stdout: '' });
  expect(room.nodeIn(directory, programs.toolwright, 'build')).toMatchObject({ status: 0, stderr: '' });
  expect(room.nodeIn(directory, programs.toolwright, 'lint')).toMatchObject({ status: 0 });
  const explained = room.nodeIn(directory, programs.toolwright, 'explain', 'count_notes');
  expect(explained.stdout).toContain('minLength');
  expect(lesson).not.toContain('my-server');
  expect(room.read(join(directory, '.claude/skills/add-tool/SKILL.md'))).toContain('AGENTS.md');
  expect(JSON.parse(room.read(join(directory, '.mcp.json')))).toEqual({
    mcpServers: { 'taught-dev': { command: 'npx', args: ['toolwright', 'dev', '--mcp'] } },
  });
}, 120_000);

/** Starts a compiled app on any free port. It prints its URL when it is ready. */
function startApp(directory: string, env: Record<string, string>) {
  const app = spawn(process.execPath, ['dist/main.js'], {
    cwd: room.path(directory),
    env: { ...env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(app, 'exit');
  const url = once(createInterface(app.stdout), 'line').then(
    ([line]) => /^[\w-]+ listening on (http\S+)$/.exec(line as string)![1]!,
  );
  const stop = () => {
    app.kill('SIGTERM');
    return ended;
  };
  return { url, stop };
}

test('in the container of its Dockerfile, an app can be reached from outside, but only by its own names', async () => {
  const directory = create('contained', { transport: 'http' });
  expect(room.nodeIn(directory, programs.tsc)).toMatchObject({ status: 0, stdout: '' });
  expect(room.nodeIn(directory, programs.toolwright, 'build')).toMatchObject({ status: 0, stderr: '' });
  const image = room.read(join(directory, 'Dockerfile'));
  const set = [...image.matchAll(/^ENV (\w+)=(.*)$/gm)].map(([, name, value]) => [name, value] as const);
  const app = startApp(directory, {
    ...Object.fromEntries(set),
    ALLOWED_HOSTS: 'mcp.example.com, other.test',
  });
  try {
    const { port } = new URL(await app.url);
    const ask = (host: string) => statusFor({ host: outsideAddress(), port, headers: { host } });
    expect(await ask('mcp.example.com')).toBe(200);
    expect(await ask(`other.test:${port}`)).toBe(200);
    expect(await ask(`localhost:${port}`)).toBe(200);
    expect(await ask('rebound.example')).toBe(403);
  } finally {
    expect(await app.stop()).toEqual([0, null]);
  }
}, 120_000);

/** An address of this machine other than 127.0.0.1, as a container has one. */
function outsideAddress(): string {
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return addresses.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1';
}

async function statusFor(address: RequestOptions): Promise<number | undefined> {
  const headers = {
    ...address.headers,
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
  };
  const asked = request({ ...address, headers, path: '/mcp', method: 'POST' });
  asked.end(
    JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'test', version: '1' },
      },
    }),
  );
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

test.each([
  [
    'a word that is none',
    'one',
    { transport: 'smoke' },
    /--transport is one of http, stdio, both, not smoke/,
  ],
  ['tokens over stdio', 'two', { transport: 'stdio', auth: 'jwt' }, /stdio carries no tokens/],
  ['a name that is no package', 'Two Words', {}, /no name for a package/],
  ['a folder that holds something', 'node_modules', {}, /is not empty/],
])('%s is refused, and nothing is written', (_case, name, words, message) => {
  expect(() => create(name, words)).toThrow(message);
});

test('the command says what is wrong with its words, and exits with 2', () => {
  const main = join(__dirname, '../bin/create-toolwright.js');
  expect(room.node(main, 'app', '--nonsense')).toMatchObject({ status: 2, stdout: '' });
  expect(room.node(main, 'app', '--yes', '--auth', 'x')).toMatchObject({
    status: 2,
    stderr: 'error: --auth is one of none, jwt, not x.\n',
  });
});
