import { request, type Agent, type IncomingMessage } from 'node:http';
import type { WireRequest } from './request.js';

/** What came back from one request. */
export interface Exchange {
  status: number;
  headers: IncomingMessage['headers'];
  body: string;
}

const HANG_UP_AFTER = 30_000;

/** Sends one request and reads the whole answer. */
export async function exchange(port: number, wire: WireRequest, agent?: Agent): Promise<Exchange> {
  const response = await open(port, wire, agent);
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    body: Buffer.concat(chunks).toString('utf8'),
  };
}

/** Sends one request and resolves with its answer as soon as the headers are there. */
export function open(port: number, wire: WireRequest, agent?: Agent): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { ...wire.headers, 'content-length': Buffer.byteLength(wire.body) };
    const options = { host: '127.0.0.1', port, path: wire.path, method: 'POST', headers, agent };
    const sent = request({ ...options, timeout: HANG_UP_AFTER }, resolve);
    sent.on('timeout', () => sent.destroy(new Error(`no answer within ${HANG_UP_AFTER} ms`)));
    sent.on('error', reject).end(wire.body);
  });
}
