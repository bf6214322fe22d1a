import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { request, type IncomingMessage, type RequestOptions } from 'node:http';
import { networkInterfaces, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { auths, createApp, databases, transports } from '../src/index.js';

const root = join(__dirname, '../../..');
const command = join(root, 'packages/cli/bin/toolwright.js');
const typescript = join(root, 'node_modules/typescript/bin/tsc');
let folder: string;

/** What apps depend on, as links to what is installed here. */
const installed: Record<string, string> = {
  '@toolwright/core': 'packages/core',
  '@toolwright/express': 'packages/express',
  '@toolwright/stdio': 'packages/stdio',
  '@toolwright/testing': 'packages/testing',
  '@electric-sql/pglite': 'apps/pages/node_modules/@electric-sql/pglite',
  'class-validator': 'packages/cli/node_modules/class-validator',
  'class-transformer': 'packages/cli/node_modules/class-transformer',
  '@types/node': 'node_modules/@types/node',
};

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'create-toolwright-')));
  for (const [name, target] of Object.entries(installed)) {
    const link = join(folder, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(root, target), link, 'dir');
  }
});

afterAll(() => rmSync(folder, { recursive: true }));

const combinations = transports
  .flatMap((transport) => auths.flatMap((auth) => databases.map((db) => ({ transport, auth, db }))))
  .filter(({ transport, auth }) => transport !== 'stdio' || auth === 'none');

function create(name: string, words: Record<string, string>): string {
  const directory = join(folder, name);
  createApp({ directory, words });
  return directory;
}

function node(cwd: string, ...args: string[]) {
  // Jest's environment would tell the runner of Node that it is a child of another one.
  return spawnSync(process.execPath, args, { cwd, encoding: 'utf8', env: { PATH: process.env['PATH'] } });
}

test('every combination of flags is written without leftovers, and compiles', () => {
  for (const words of combinations) {
    const directory = create(`every-${words.transport}-${words.auth}-${words.db}`, words);
    expect(readFileSync(join(directory, 'src/create-server.ts'), 'utf8')).not.toContain('my-server');
    expect(JSON.parse(readFileSync(join(directory, '.vscode/mcp.json'), 'utf8'))).toHaveProperty('servers');
  }
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      extends: './every-http-none-none/tsconfig.json',
      compilerOptions: { noEmit: true, rootDir: '.', noUnusedLocals: true },
      include: ['every-*/src'],
    }),
  );
  expect(node(folder, typescript, '-p', '.')).toMatchObject({ status: 0, stdout: '' });
}, 120_000);

test('an app builds, passes its own test, starts, and lists its tools', async () => {
  const directory = create('finished', { transport: 'both', db: 'pglite' });
  expect(node(directory, typescript)).toMatchObject({ status: 0, stdout: '' });
  expect(node(directory, command, 'build')).toMatchObject({ status: 0, stderr: '' });
  expect(node(directory, '--test', 'dist/note-tools.test.js')).toMatchObject({ status: 0 });

  const app = startApp(directory, { DATA: join(directory, '.data') });
  try {
    const { stdout } = node(directory, command, 'list', '--url', await app.url);
    expect(stdout).toMatch(/find_notes[\s\S]*add_note/);
  } finally {
    expect(await app.stop()).toEqual([0, null]);
  }
}, 120_000);

/** Starts a compiled app on any free port; it prints its URL when it is ready. */
function startApp(directory: string, env: Record<string, string>) {
  const app = spawn(process.execPath, ['dist/main.js'], {
    cwd: directory,
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

test('in the container of its Dockerfile an app is reached from outside, and only by its own names', async () => {
  const directory = create('contained', { transport: 'http' });
  expect(node(directory, typescript)).toMatchObject({ status: 0, stdout: '' });
  expect(node(directory, command, 'build')).toMatchObject({ status: 0, stderr: '' });
  const image = readFileSync(join(directory, 'Dockerfile'), 'utf8');
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

/** An address of this machine that is not 127.0.0.1, as a container has one. */
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

test('the command tells what it was told wrong, and exits with 2', () => {
  const main = join(__dirname, '../bin/create-toolwright.js');
  expect(node(folder, main, 'app', '--nonsense')).toMatchObject({ status: 2, stdout: '' });
  expect(node(folder, main, 'app', '--yes', '--auth', 'x')).toMatchObject({
    status: 2,
    stderr: 'error: --auth is one of none, jwt, not x.\n',
  });
});
