import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { programs } from './support/project-folder.js';
import { addingServer, oldServer, servesHttp, servesStdio } from './support/adding-server.js';
import { SmallProject } from './support/small-project.js';

/** Servers that are started by something else, that print something else, or that do not end when they should. */
const files = {
  'package.json': {
    name: 'foreign',
    scripts: { http: 'node http.js', stdio: 'node stdio.js' },
  },
  'remember.js': "require('node:fs').appendFileSync('pids', process.pid + '\\n');\n",
  'server.js': `require('./remember.js');${addingServer('foreign')}`,
  'http.js': servesHttp(
    "process.env.QUIET || console.log('Docs at ' + url.replace('/mcp', '/docs') + ', MCP at \\u001b[36m' + url + '\\u001b[39m.')",
    "if (process.env.TRAP) console.log('[dotenv] tip: see ' + process.env.TRAP);",
  ),
  'tmp/kept': '',
  'headers.js': `
require('./remember.js');
require('node:http').createServer((request, response) => {
  // A 401 makes the command look for the issuer of dev, which gets no header.
  if (request.url === '/mcp') require('node:fs').writeFileSync('seen.json', JSON.stringify(request.headers));
  response.writeHead(401).end();
}).listen(process.env.PORT, '127.0.0.1', function () {
  console.log('http://localhost:' + this.address().port + '/mcp');
});
`,
  // It is no program of Node.js any more: nothing reports where it listens.
  'unreported.js': `
const { NODE_OPTIONS, ...env } = process.env;
require('node:child_process').spawn(process.execPath, ['headers.js'], { env, stdio: 'inherit' });
`,
  'stdio.js': servesStdio(),
  // It answers in the older era, and neither the end of its input nor SIGTERM ends it.
  'stubborn.js': oldServer(
    "require('./remember.js'); process.on('SIGTERM', () => undefined); setInterval(() => undefined, 1_000);",
  ),
  'flood.js': `
require('./remember.js');
const lines = 'y\\n'.repeat(32768);
const write = () => { while (process.stdout.write(lines)); process.stdout.once('drain', write); };
write();
`,
  'usage.js': "console.log('Usage: server start');\n",
  'waits.js': `
require('./remember.js');
const result = { capabilities: {}, tools: [{ name: 'add', inputSchema: { type: 'object' } }] };
require('node:readline').createInterface(process.stdin).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (method === 'tools/call') console.error('called');
  else if (id === undefined) console.error(method);
  else console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
});
`,
};

let project: SmallProject;

beforeAll(() => (project = new SmallProject(files)));
afterAll(() => project.remove());

const isRunning = (pid: number) => existsSync(`/proc/${pid}`);

/** The processes that the last command started, and that still run. */
function leftBehind(): number[] {
  const pids = project.has('pids') ? project.read('pids').trim().split('\n').map(Number) : [];
  project.write('pids', '');
  expect(pids.length).toBeGreaterThan(0);
  return pids.filter((pid) => {
    try {
      process.kill(pid, 0);
      return !isRunning(pid) || !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
    } catch {
      return false;
    }
  });
}

const add = ['add', '--a', '2', '--b', '3'];

describe.each([
  ['--app', 'node http.js'],
  ['--app', "sh -c 'node http.js; true'"],
  ['--app', 'npm run http'],
  ['--stdio', "sh -c 'node stdio.js; true'"],
  ['--stdio', 'npm run --silent stdio'],
])('%s %s', (flag, line) => {
  test('answers, and ends with all that it started', () => {
    expect(project.toolwright('call', flag, line, ...add)).toMatchObject({ status: 0, stdout: '5' });
    expect(leftBehind()).toEqual([]);
  });
});

test('a server behind a shell that ends on nothing ends with the command', () => {
  const { status, stdout } = project.toolwright('call', '--stdio', "sh -c 'node stubborn.js; true'", 'add');
  expect({ status, stdout }).toEqual({ status: 0, stdout: 'old' });
  expect(leftBehind()).toEqual([]);
});

test('a program that writes short lines without end is given up in time, and ended', () => {
  const { status, stderr } = project.toolwright('list', '--stdio', 'flood.js', '--timeout', '100ms');
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: expect.stringMatching(/^error: The server has (?:said nothing|not answered) for [^\n]*\n$/),
  });
  expect(leftBehind()).toEqual([]);
});

test('a server that ends at once is shown with what it printed in place of messages', () => {
  const { status, stderr } = project.toolwright('list', '--stdio', 'usage.js');
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: 'error: usage.js ended with 0 before it answered, and wrote: Usage: server start.\n',
  });
});

test('a server over HTTP behind --stdio is told as one, with what to write', () => {
  const { status, stderr } = project.toolwright('call', '--stdio', 'node headers.js', 'add');
  expect(status).toBe(1);
  expect(stderr).toMatch(
    /^error: The server has not answered for 5 s, and wrote: http:\/\/localhost:\d+\/mcp\. It serves HTTP: write --app in place of --stdio\.\n$/,
  );
});

test('a variable before the command to start is refused: no shell reads it', () => {
  expect(project.toolwright('list', '--stdio', 'KEY=1 node stdio.js')).toMatchObject({
    status: 2,
    stderr: 'error: No shell reads the command to start: set KEY=1 before toolwright.\n',
  });
});

test('an app that prints nothing is found where it listens', () => {
  expect(project.toolwright('call', '--app', "sh -c 'QUIET=1 node http.js'", ...add)).toMatchObject({
    status: 0,
    stdout: '5',
  });
});

test('a header goes to the app, and not to the first address that it prints', async () => {
  const seen: IncomingMessage[] = [];
  const trap = createServer((request, response) => {
    seen.push(request);
    response.writeHead(500).end();
  });
  await once(trap.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(trap.address() as AddressInfo).port}/mcp`;
  try {
    const line = `sh -c 'TRAP=${url} node http.js'`;
    const child = spawn(
      process.execPath,
      [programs.toolwright, 'call', '--app', line, '-H', 'x-key: secret', ...add],
      {
        cwd: project.folder,
        stdio: ['ignore', 'pipe', 'inherit'],
        env: { ...process.env, TMPDIR: project.path('tmp') },
      },
    );
    let stdout = '';
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number];
    expect({ code, stdout, seen: seen.length }).toEqual({ code: 0, stdout: '5', seen: 0 });
    // Nothing is left of the way in which the app said where it listens.
    expect(readdirSync(project.path('tmp'))).toEqual(['kept']);
  } finally {
    trap.close();
  }
});

test.each([
  ['headers.js', 'secret', ''],
  [
    'unreported.js',
    undefined,
    /^No header is sent to http:\/\/localhost:\d+\/mcp: .* name it with --url\.\n/,
  ],
])('%s gets the header %s', (file, key, message) => {
  const { status, stderr } = project.toolwright('list', '--app', file, '-H', 'x-key: secret');
  expect(status).toBe(1);
  expect(JSON.parse(project.read('seen.json'))).toEqual(
    key === undefined
      ? expect.not.objectContaining({ 'x-key': 'secret' })
      : expect.objectContaining({ 'x-key': key }),
  );
  expect(stderr).toMatch(message);
  expect(leftBehind()).toEqual([]);
});

describe('Ctrl C', () => {
  /** Runs a call until the server has it, presses Ctrl C, and says how the command ended. */
  async function interrupted(words: string[], isCalled: (child: ChildProcess) => Promise<unknown>) {
    const child = spawn(process.execPath, [programs.toolwright, 'call', ...words], {
      cwd: project.folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let written = '';
    for (const stream of [child.stdout!, child.stderr!])
      stream.on('data', (chunk: Buffer) => (written += chunk.toString()));
    await isCalled(child);
    child.kill('SIGINT');
    const [code] = (await once(child, 'close')) as [number];
    return { code, written };
  }

  /** Answers everything but calls. `seen` gets the methods, and what becomes of the connection of the call. */
  async function server(revision: '2025-06-18' | '2026-07-28') {
    const seen: string[] = [];
    let call!: () => void;
    const called = new Promise<void>((resolve) => (call = resolve));
    const tools = { tools: [{ name: 'add', inputSchema: { type: 'object' } }] };
    const session = revision === '2026-07-28' ? {} : { 'mcp-session-id': 's1' };
    const results: Record<string, object> = {
      'tools/list': tools,
      ...(revision === '2026-07-28'
        ? { 'server/discover': { capabilities: {} } }
        : {
            initialize: {
              protocolVersion: revision,
              capabilities: {},
              serverInfo: { name: 'o', version: '1' },
            },
          }),
    };
    const answer = (text: string, response: ServerResponse) => {
      const { id, method, params } = JSON.parse(text) as {
        id?: number;
        method: string;
        params: { requestId?: number };
      };
      seen.push(method === 'notifications/cancelled' ? `${method} ${params.requestId}` : method);
      if (method === 'tools/call') {
        response.on('close', () => seen.push('closed'));
        seen.push(`call ${id}`);
        return call();
      }
      if (id === undefined) return response.writeHead(202).end();
      const body = results[method]
        ? { jsonrpc: '2.0', id, result: results[method] }
        : { jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } };
      response.writeHead(200, { 'content-type': 'application/json', ...session }).end(JSON.stringify(body));
    };
    const listener = createServer((request, response) => {
      if (request.method === 'DELETE') {
        seen.push('DELETE');
        return void response.writeHead(204).end();
      }
      let text = '';
      request
        .on('data', (chunk: Buffer) => (text += chunk.toString()))
        .on('end', () => void answer(text, response));
    });
    await once(listener.listen(0, '127.0.0.1'), 'listening');
    const { port } = listener.address() as AddressInfo;
    return { url: `http://127.0.0.1:${port}/mcp`, seen, called, close: () => listener.close() };
  }

  test('cancels the call and ends the session, where the revision has sessions', async () => {
    const { url, seen, called, close } = await server('2025-06-18');
    try {
      expect(await interrupted(['--url', url, 'add'], () => called)).toEqual({ code: 130, written: '' });
      const call = seen.find((each) => each.startsWith('call '))!;
      expect(seen).toContain(call.replace('call', 'notifications/cancelled'));
      expect(seen.at(-1)).toBe('DELETE');
    } finally {
      close();
    }
  });

  test('closes the connection of the call, where that cancels it', async () => {
    const { url, seen, called, close } = await server('2026-07-28');
    try {
      expect(await interrupted(['--url', url, 'add'], () => called)).toEqual({ code: 130, written: '' });
      expect(seen).toContain('closed');
      expect(seen.filter((each) => each.startsWith('notifications/'))).toEqual([]);
    } finally {
      close();
    }
  });

  test('reaches a server behind a shell, which ends with the command', async () => {
    const line = "sh -c 'node waits.js; true'";
    const { code, written } = await interrupted(['--stdio', line, 'add'], (child) =>
      once(child.stderr!, 'data'),
    );
    expect({ code, written }).toEqual({
      code: 130,
      written: expect.stringMatching(/^called\nnotifications\/cancelled\n$/),
    });
    expect(leftBehind()).toEqual([]);
  });
});
