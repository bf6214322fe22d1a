import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { RecordingTerminal } from '../support/recording-terminal.js';
import { run } from '../../src/run.js';

interface Message {
  id?: number;
  method?: string;
}
type Answer = (message: Message, response: ServerResponse) => void;

const json = (response: ServerResponse, value: unknown, status = 200) =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
const result =
  (value: unknown): Answer =>
  (message, response) =>
    json(response, { jsonrpc: '2.0', id: message.id, result: value });
const empty = { type: 'object' };
const tools = { tools: [{ name: 'read', inputSchema: empty }] };

/** Answers as a server of 2026-07-28 should, but for what is given. */
const server =
  (answers: Record<string, Answer>): Answer =>
  (message, response) => {
    const { method = '' } = message;
    const usual: Record<string, Answer> = {
      'server/discover': result({ capabilities: {}, _meta: {} }),
      'tools/list': result(tools),
    };
    (answers[method] ?? usual[method] ?? result({}))(message, response);
  };

const nothing: Answer = () => undefined;
const endless: Answer = (_message, response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const more = () => {
    while (!response.destroyed && response.write('x'.repeat(65_536)));
  };
  response.on('drain', more).on('error', () => undefined);
  more();
};
const endlessEvents: Answer = (_message, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const more = () => {
    while (!response.destroyed && response.write('x'.repeat(65_536)));
  };
  response.on('drain', more).on('error', () => undefined);
  more();
};
let page = 0;
const pages: Answer = (message, response) =>
  result({ tools: [], nextCursor: `${++page}` })(message, response);
const circle: Answer = result({ tools: [], nextCursor: 'again' });
const plain =
  (status: number, text: string): Answer =>
  (_message, response) =>
    void response.writeHead(status, { 'content-type': 'text/plain' }).end(text);

const list = ['list'];
const call = ['call', 'read'];
const cases: Record<string, [words: string[], answer: Answer, said: RegExp]> = {
  'never answers': [['list', '--timeout', '50ms'], nothing, /has said nothing for 0\.05 s.*--timeout/],
  'never answers a call': [
    ['call', '--timeout', '50', 'read'],
    server({ 'tools/call': nothing }),
    /has said nothing for 0\.05 s/,
  ],
  'sends an answer without end': [list, endless, /sent more than 67108864 bytes.*--max-bytes/],
  'sends events without end': [
    ['list', '--max-bytes', '1000000'],
    endlessEvents,
    /sent more than 1000000 bytes/,
  ],
  'has pages without end': [
    ['list', '--max-pages', '7'],
    server({ 'tools/list': pages }),
    /more than 7 pages/,
  ],
  'has pages in a circle': [list, server({ 'tools/list': circle }), /never end/],
  'has no list': [list, server({ 'tools/list': result({}) }), /tools\/list has no list "tools"/],
  'lists nothing as a tool': [
    list,
    server({ 'tools/list': result({ tools: [null] }) }),
    /number 1 has no members/,
  ],
  'lists a tool without a schema': [
    call,
    server({ 'tools/list': result({ tools: [{ name: 'read' }] }) }),
    /number 1 \(read\) has no input schema/,
  ],
  'lists odd properties': [
    list,
    server({
      'tools/list': result({ tools: [{ name: 'a', inputSchema: { properties: { q: { enum: 5 } } } }] }),
    }),
    /number 1 \(a\) has an input schema that is none/,
  ],
  'answers a call with nothing': [call, server({ 'tools/call': result({}) }), /no list "content"/],
  'answers with a page': [list, plain(200, '<html>'), /something else than JSON-RPC/],
  'refuses in its own words': [
    list,
    plain(
      403,
      '<!DOCTYPE html><head><title>Error</title></head><body><pre>ForbiddenError: invalid csrf token<br> &nbsp; at csrf (a.js)</pre>',
    ),
    /answered 403 Forbidden\. It said: ForbiddenError: invalid csrf token at csrf \(a\.js\)$/m,
  ],
  'refuses with a text': [
    list,
    plain(400, 'request entity too large\u001b[2J'),
    /400 Bad Request\. It said: request entity too large\S*2J$/m,
  ],
  'has another page there': [
    list,
    plain(404, 'Cannot POST /'),
    /name it with --url\. It said: Cannot POST \/$/m,
  ],
  'refuses without a word': [list, plain(403, ''), /this caller, or this host name, may not use it\.$/m],
  'answers with a list': [list, (_m, response) => json(response, [1]), /something else than JSON-RPC/],
  'answers with broken JSON': [
    list,
    (_m, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{"a'),
    /something else than JSON-RPC/,
  ],
  'refuses a list': [
    list,
    server({
      'tools/list': ({ id }, response) =>
        json(response, { jsonrpc: '2.0', id, error: { code: -32603, message: 'It is broken.' } }),
    }),
    /^error: It is broken\. \(-32603\)\n$/,
  ],
  'wants to know who calls': [
    list,
    ({ id }, response) =>
      json(response, { jsonrpc: '2.0', id, error: { code: -32001, message: 'Unauthorized' } }, 401),
    /answered 401 Unauthorized: it wants to know who calls\. Sign in: toolwright login \S+\. Or pass a token: --header/,
  ],
  'is an app that wants a password': [list, plain(401, 'Who are you?'), /answered 401.*--header/],
  'wants a password by its challenge': [
    list,
    (_message, response) =>
      void response.writeHead(401, { 'www-authenticate': 'Basic realm="Bearer of keys"' }).end(),
    /answered 401 Unauthorized: it takes Basic, and no token\. Pass it: --header "Authorization: Basic <base64 of name:password>"\.$/m,
  ],
  'asks to come later': [
    list,
    (_message, response) => void response.writeHead(429, { 'retry-after': '30' }).end('slow down'),
    /answered 429 Too Many Requests, Retry-After: 30\. It said: slow down$/m,
  ],
  'is another app': [list, plain(404, 'not here'), /answered 404.*no MCP endpoint.*--url/],
};

let answering: Answer = nothing;
let http: Server;
let url: string;
beforeAll(async () => {
  http = createServer((request, response) => {
    void read(request).then((text) => answering(JSON.parse(text || '{}') as Message, response));
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
});
afterAll(() => new Promise((resolve) => http.close(resolve).closeAllConnections()));

async function read(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return text;
}

async function ask([command, ...words]: string[], address = url) {
  const terminal = new RecordingTerminal(__dirname);
  const code = await run([command!, '--url', address, ...words], terminal);
  return { code, stdout: terminal.stdout, stderr: terminal.stderr };
}

test.each(Object.entries(cases))(
  'a server that %s gets one sentence',
  async (_name, [words, answer, said]) => {
    answering = answer;
    const { code, stdout, stderr } = await ask(words);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(said);
    expect(stderr).toMatch(/^error: [^\n]+\n$/);
  },
);

test('a server that does not say who it is can be used', async () => {
  answering = server({ 'server/discover': result({}) });
  expect(await ask(list)).toEqual({ code: 0, stdout: 'read\n', stderr: '' });
});

test('null for what is absent hides no tool, and a tool that is none hides no other', async () => {
  const nothing = { title: null, description: null, outputSchema: null, annotations: null };
  const odd = { type: 'object', properties: { a: null, b: { type: 'string', enum: null, default: null } } };
  const listed = [
    { name: 'read', ...nothing, inputSchema: { type: 'object', properties: null, required: null } },
    { name: 'bare' },
    { name: 'broken', inputSchema: { properties: { q: { enum: 5 } } } },
    { name: 'odd', inputSchema: { ...odd, required: null } },
  ];
  answering = server({
    'tools/list': result({ tools: listed }),
    'tools/call': result({ content: [{ type: 'text', text: 'done' }] }),
  });
  const stderr =
    'The server lists a tool that is none. It is left out: number 2 (bare) has no input schema.\n' +
    'The server lists a tool that is none. It is left out: number 3 (broken) has an input schema that is none.\n';
  expect(await ask(list)).toEqual({ code: 0, stdout: 'read\nodd\n    --b  string  default null\n', stderr });
  expect(await ask(call)).toMatchObject({ code: 0, stderr });
});

test('a refused connection says what to do', async () => {
  const closed = createServer().listen(0, '127.0.0.1');
  await once(closed, 'listening');
  const { port } = closed.address() as AddressInfo;
  await new Promise((resolve) => closed.close(resolve));
  const { code, stderr } = await ask(list, `http://127.0.0.1:${port}/mcp`);
  expect(code).toBe(1);
  expect(stderr).toBe(
    `error: http://127.0.0.1:${port}/mcp cannot be reached: nothing listens there. Start the server, or name another one with --url.\n`,
  );
});

test('https where a server speaks http says so', async () => {
  const plain = createServer().listen(0, '127.0.0.1');
  await once(plain, 'listening');
  const url = `https://127.0.0.1:${(plain.address() as AddressInfo).port}/mcp`;
  const { code, stderr } = await ask(list, url);
  plain.close();
  expect([code, stderr]).toEqual([
    1,
    `error: ${url} cannot be reached: it speaks HTTP without TLS. Write http://.\n`,
  ]);
});

test('a program on standard output is no different', async () => {
  const endlessLine = `process.stdout.on('error', () => {}); const more = () => { while (process.stdout.write('x'.repeat(65536))); }; process.stdout.on('drain', more); more();`;
  const terminal = new RecordingTerminal(__dirname);
  const words = ['--stdio', `node -e "${endlessLine}"`, '--max-bytes', '1000000'];
  expect(await run(['list', ...words], terminal)).toBe(1);
  expect(terminal.stderr).toMatch(/^error: The server sent more than 1000000 bytes\.[^\n]+\n$/);
});
