import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { run } from '../../src/run.js';
import { RecordingTerminal } from '../support/recording-terminal.js';

// What Streamable HTTP allows a server to answer, and what a mistaken server answers.

interface Message {
  id?: number;
  method?: string;
}
type Answer = (message: Message, response: ServerResponse) => void;

const results: Record<string, object> = {
  'server/discover': { capabilities: { tools: {} }, _meta: {} },
  initialize: {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'old', version: '1.0.0' },
  },
  'tools/list': { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] },
  'tools/call': { content: [{ type: 'text', text: 'Here.' }] },
};
const text = (message: object) => JSON.stringify({ jsonrpc: '2.0', ...message });
const answerTo = ({ id, method = '' }: Message) => text({ id, result: results[method] });

/** Answers with a text of a type. */
const sent =
  (type: string, write: (message: Message) => string): Answer =>
  (message, response) => {
    if (message.id === undefined) return void response.writeHead(202).end();
    response.writeHead(200, { 'content-type': type }).end(write(message));
  };
const events = (write: (message: Message) => string) => sent('text/event-stream', write);

/** A server of the revisions with a handshake knows no other first request. */
const older =
  (answer: Answer): Answer =>
  (message, response) => {
    if (message.method !== 'server/discover') return answer(message, response);
    const error = { code: -32601, message: 'Unknown method' };
    response.writeHead(200, { 'content-type': 'application/json' }).end(text({ id: message.id, error }));
  };

let answering: Answer;
let url: string;
let asked: IncomingHttpHeaders[] = [];
let open = 0;
const http = createServer((request, response) => {
  asked.push(request.headers);
  open++;
  response.once('close', () => open--);
  let body = '';
  request.setEncoding('utf8').on('data', (part: string) => (body += part));
  request.once('end', () => {
    if (request.method === 'DELETE') response.writeHead(204).end();
    else answering(JSON.parse(body) as Message, response);
  });
});
beforeAll(async () => {
  await new Promise<void>((listening) => http.listen(0, '127.0.0.1', listening));
  url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
});
beforeEach(() => (asked = []));
afterAll(() => new Promise((resolve) => http.close(resolve).closeAllConnections()));

async function toolwright(...words: string[]) {
  const terminal = new RecordingTerminal(__dirname);
  const code = await run(words, terminal);
  return { code, stdout: terminal.stdout, stderr: terminal.stderr };
}
const call = (answer: Answer, ...options: string[]) => {
  answering = answer;
  return toolwright('call', '--url', url, ...options, 'echo');
};
const here = { code: 0, stdout: 'Here.\n', stderr: '' };

/** The answer is there, and the stream stays. */
const staying: Answer = (message, response) => {
  if (message.id === undefined) return void response.writeHead(200).write(' ');
  response.writeHead(200, { 'content-type': 'text/event-stream' }).write(`data: ${answerTo(message)}\n\n`);
};

test.each([
  ['2026-07-28', staying],
  ['2025-11-25', older(staying)],
])('an answer ends its request on %s, although the stream stays open', async (_revision, answer) => {
  expect(await call(answer)).toEqual(here);
  while (open > 0) await new Promise((resolve) => setTimeout(resolve, 5));
});

test('a stream that breaks after the answer has brought it', async () => {
  const breaking: Answer = (message, response) => {
    staying(message, response);
    setTimeout(() => response.destroy(), 10);
  };
  expect(await call(breaking)).toEqual(here);
});

test('--timeout ends a handshake whose last notification is not accepted', async () => {
  const mute = older((message, response) => {
    if (message.id !== undefined) staying(message, response);
  });
  expect(await call(mute, '--timeout', '200ms')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('The server has said nothing for 0.2 s.'),
  });
  while (open > 0) await new Promise((resolve) => setTimeout(resolve, 5));
});

test.each(['Text/Event-Stream', 'text/event-stream ; charset=utf-8'])(
  'the type %s is one of events',
  async (type) => {
    expect(await call(sent(type, (message) => `data: ${answerTo(message)}\n\n`))).toEqual(here);
  },
);

test('the type application/JSON is one of JSON', async () => {
  expect(await call(sent('application/JSON', answerTo))).toEqual(here);
});

test.each([
  ['\r', (message: Message) => `data: ${answerTo(message)}\r\r`],
  ['\r\n', (message: Message) => `data: ${answerTo(message)}\r\n\r\n`],
  [
    'other events before',
    (message: Message) => `event: endpoint\ndata: /sse\n\ndata: ${answerTo(message)}\n\n`,
  ],
  ['a named message', (message: Message) => `event: message\ndata: ${answerTo(message)}\n\n`],
])('events are read with %j', async (_name, write) => {
  expect(await call(events(write))).toEqual(here);
});

test('an event without a name that is no message is told', async () => {
  expect(await call(events(() => 'data: /sse\n\n'))).toMatchObject({
    stderr: `error: ${url} sent an event that is no JSON-RPC message.\n`,
  });
});

test.each([
  ['JSON', sent('application/json', () => text({ id: '1', result: {} }))],
  ['an event', events(() => `data: ${text({ id: '1', result: {} })}\n\n`)],
])('%s with the id of no request is told', async (_form, answer) => {
  expect(await call(answer)).toEqual({
    code: 1,
    stdout: '',
    stderr: `error: ${url} answered server/discover with the id "1". The id of the request is 1.\n`,
  });
});

test('an event with the error of a whole message answers the request', async () => {
  const refusing = events(
    () => `data: ${text({ id: null, error: { code: -32000, message: 'Not now.' } })}\n\n`,
  );
  expect(await call(refusing)).toMatchObject({ stderr: 'error: Not now. (-32000)\n' });
});

test.each([
  ['without a word', '', ''],
  [
    'in JSON-RPC',
    text({ id: null, error: { code: -32001, message: 'Session not found' } }),
    'Session not found',
  ],
])('a session that has ended is told, %s', async (_name, body, said) => {
  const ending = older((message, response) => {
    response.setHeader('mcp-session-id', 'a');
    if (message.method !== 'tools/list') return sent('application/json', answerTo)(message, response);
    response.writeHead(404, { 'content-type': 'application/json' }).end(body);
  });
  const words = said && ` It said: ${said}`;
  expect(await call(ending)).toEqual({
    code: 1,
    stdout: '',
    stderr: `error: ${url} answered 404 Not Found: the session has ended there. Run the command again to open another one.${words}\n`,
  });
});

test('a header that is given twice is sent with both values', async () => {
  await call(
    sent('application/json', answerTo),
    '-H',
    'X-A: 1',
    '-H',
    'x-a: 2',
    '-H',
    'Cookie: a=1',
    '-H',
    'Cookie: b=2',
  );
  expect(asked[0]).toMatchObject({ 'x-a': '1, 2', cookie: 'a=1; b=2' });
});

describe('an address with a password is refused before any request', () => {
  const secret = () => url.replace('//', '//user:secret@');
  const remedy = '--header "Authorization: Basic';
  const before = process.env['TOOLWRIGHT_URL'];
  afterEach(() => {
    if (before === undefined) delete process.env['TOOLWRIGHT_URL'];
    else process.env['TOOLWRIGHT_URL'] = before;
  });

  test.each([
    ['before the tool', () => ['call', '--url', secret(), 'echo']],
    ['after the tool', () => ['call', 'echo', '--url', secret()]],
    ['at login', () => ['login', secret()]],
  ])('%s', async (_place, words) => {
    const { code, stdout, stderr } = await toolwright(...words());
    expect({ code, stdout, count: asked.length }).toEqual({ code: 2, stdout: '', count: 0 });
    expect(stderr).toContain(remedy);
    expect(stderr).not.toContain('secret');
  });

  test('in TOOLWRIGHT_URL, which no help shows', async () => {
    process.env['TOOLWRIGHT_URL'] = secret();
    const listed = await toolwright('list');
    expect([listed.code, asked.length]).toEqual([2, 0]);
    expect(listed.stderr).toContain(remedy);
    expect(listed.stderr + (await toolwright('list', '--help')).stdout).not.toContain('secret');
  });
});
