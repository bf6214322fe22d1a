import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';

/** Takes the requests of a program that runs by itself, and sends them with a `fetch` of the test. */
export interface Relay {
  /** What the environment of the program needs. */
  readonly environment: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

export async function startRelay(send: typeof fetch): Promise<Relay> {
  const server = createServer((req, res) => {
    answer(send, req, res).catch(() => res.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const preload = join(__dirname, '../fixtures/relayed-fetch.cjs');
  return {
    environment: {
      NODE_OPTIONS: `--require ${preload}`,
      RELAY: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    },
    async close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** These are between two programs, and not a part of the message. */
const HOP = ['host', 'connection', 'content-length', 'transfer-encoding', 'x-relayed-url', 'keep-alive'];

async function answer(send: typeof fetch, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const headers = Object.entries(req.headers).filter(([name]) => !HOP.includes(name)) as [string, string][];
  let body = '';
  for await (const chunk of req) body += String(chunk);
  const gone = new AbortController();
  res.once('close', () => gone.abort());
  const response = await send(req.headers['x-relayed-url'] as string, {
    method: req.method!,
    headers,
    redirect: 'manual',
    signal: gone.signal,
    ...(body !== '' && { body }),
  });
  const shown = [...response.headers].filter(
    ([name]) => !/^content-(?:encoding|length)$|^transfer/.test(name),
  );
  res.writeHead(response.status, Object.fromEntries(shown));
  if (!response.body) return void res.end();
  Readable.fromWeb(response.body as ReadableStream)
    .on('error', () => res.destroy())
    .pipe(res);
}
