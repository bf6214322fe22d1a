import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { callBytes, postBytes, requestBytes } from './call-bytes.js';

export const NEWS = 'soak://news';

/** A call whose answer is read, or waits. */
export interface ReadCall {
  readonly port: number;
  readonly user: string;
  readonly tool: string;
  readonly args: Record<string, unknown>;
  /** False: from the answer on, nothing is read. */
  readonly reads: boolean;
}

const REVISION = '2025-11-25';
const message = (fields: object) => JSON.stringify({ jsonrpc: '2.0', ...fields });
const initialize = message({
  id: 0,
  method: 'initialize',
  params: { protocolVersion: REVISION, capabilities: {}, clientInfo: { name: 'soak', version: '1' } },
});
const callOf = ({ tool, args }: ReadCall) =>
  message({
    id: 1,
    method: 'tools/call',
    params: { name: tool, arguments: args, _meta: { progressToken: 1 } },
  });

const getBytes = (headers: Record<string, string>) =>
  `GET /mcp HTTP/1.1\r\n${Object.entries({ Host: '127.0.0.1', Accept: 'text/event-stream', ...headers })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`;

async function open(port: number, bytes: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(bytes);
  return socket;
}

/** Reads until the pattern is there. Nothing more is read then. */
function readUntil(socket: Socket, pattern: RegExp): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const take = (chunk: Buffer) => {
      text += chunk.toString('latin1');
      const found = pattern.exec(text);
      if (!found) return;
      socket.off('data', take).pause();
      resolve(found[1]!);
    };
    socket.on('data', take);
  });
}

async function ask(port: number, bytes: string, pattern: RegExp): Promise<string> {
  const socket = await open(port, bytes);
  const found = await readUntil(socket, pattern);
  socket.destroy();
  return found;
}

const goOn = (socket: Socket, { reads }: ReadCall) => (reads ? socket.resume() : socket.pause());

/** @returns the headers of further requests of the session */
async function openSession({ port, user }: ReadCall): Promise<Record<string, string>> {
  const who = { 'X-User': user };
  const id = await ask(port, postBytes(initialize, who), /mcp-session-id: (\S+)/i);
  const headers = { ...who, 'Mcp-Session-Id': id, 'Mcp-Protocol-Version': REVISION };
  await ask(port, postBytes(message({ method: 'notifications/initialized' }), headers), / (202) /);
  return headers;
}

/** The streams that answers and notifications take. Each opens one socket, and resolves when the server is asked. */
export const streams = {
  async '2026-07-28'(call: ReadCall) {
    const { port, tool, args, user } = call;
    const meta = { progressToken: 1, 'io.modelcontextprotocol/logLevel': 'info' };
    return goOn(await open(port, callBytes(tool, args, { meta, user })), call);
  },
  async 'a session'(call: ReadCall) {
    const headers = await openSession(call);
    return goOn(await open(call.port, postBytes(callOf(call), headers)), call);
  },
  async 'a resumed stream'(call: ReadCall) {
    const headers = await openSession(call);
    const event = await ask(call.port, postBytes(callOf(call), headers), /id: (\S+)\ndata: ?\n/);
    return goOn(await open(call.port, getBytes({ ...headers, 'Last-Event-ID': event })), call);
  },
  async 'HTTP+SSE'(call: ReadCall) {
    const { port, user } = call;
    const who = { 'X-User': user };
    const socket = await open(port, getBytes(who));
    const path = await readUntil(socket, /data: (\S+)\n/);
    const post = (body: string) => ask(port, postBytes(body, who).replace('/mcp', path), / (202) /);
    const welcome = readUntil(socket, /(serverInfo)/);
    socket.resume();
    await post(initialize);
    await welcome;
    goOn(socket, call);
    await post(callOf(call));
    return socket;
  },
  async GET(call: ReadCall) {
    const headers = await openSession(call);
    const subscribe = message({ id: 2, method: 'resources/subscribe', params: { uri: NEWS } });
    await ask(call.port, postBytes(subscribe, headers), /("result")/);
    return goOn(await open(call.port, getBytes(headers)), call);
  },
  async 'subscriptions/listen'(call: ReadCall) {
    const notifications = { resourceSubscriptions: [NEWS] };
    const bytes = requestBytes('subscriptions/listen', { notifications }, { user: call.user });
    return goOn(await open(call.port, bytes), call);
  },
};
