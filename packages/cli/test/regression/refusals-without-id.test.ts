import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toolwright } from '../support/recording-terminal.js';

/** A server of the official SDK, version 1, without sessions: it refuses a revision it does not know with the id null. */
const server = createServer((request, response) => void answer(request, response));

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { id, method } = JSON.parse(await textOf(request)) as { id?: number; method: string };
  const known = request.headers['mcp-protocol-version'] !== '2026-07-28';
  if (id === undefined) return void response.writeHead(202).end();
  const message = known
    ? { id, result: results[method] }
    : { id: null, error: { code: -32000, message: 'Bad Request: Unsupported protocol version' } };
  response.writeHead(known ? 200 : 400, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', ...message }));
}

const results: Record<string, object> = {
  initialize: {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'old', version: '1.0.0' },
  },
  'tools/list': { tools: [{ name: 'find_notes', inputSchema: { type: 'object' } }] },
};

beforeAll(() => new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening)));
afterAll(() => server.close().closeAllConnections());

test('a server that refuses a revision without naming the request is asked in an older one', async () => {
  const { port } = server.address() as AddressInfo;
  const { code, stdout } = await toolwright(`list --url http://127.0.0.1:${port}/mcp`);
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('find_notes') });
});

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of request) text += String(part);
  return text;
}
