import type { IncomingMessage } from 'node:http';
import { refusal } from '../errors/refusal.js';
import { hostOf } from './check-url.js';
import type { ResolvedAddress } from './pin-address.js';

/** One request. An answer may take several of them. */
export interface Hop {
  url: URL;
  method: string;
  headers: Readonly<Record<string, string>>;
  body: string | Uint8Array | undefined;
}

/** Loaded with the first request: a server that only opens files starts sooner without it. */
function clientFor({ protocol }: URL): typeof import('node:http') | typeof import('node:https') {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- lazily, see above
  return protocol === 'https:' ? require('node:https') : require('node:http');
}

/** Sends the request to the pinned address only, and resolves with the head of the answer. */
export function sendRequest(
  hop: Hop,
  pinned: ResolvedAddress,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const { url, method, headers, body } = hop;
  return new Promise((resolve, reject) => {
    const request = clientFor(url).request(url, {
      method,
      headers: { ...headers, 'accept-encoding': 'identity' },
      signal,
      // A pooled connection may lead to an earlier address of the name.
      agent: false,
      host: hostOf(url),
      // Node listens for errors of the socket only after this turn. If the answer came in this turn, an address
      // that the system refuses at once would end the process (Node 20 and 22).
      lookup: (_host, options, done) => {
        if (options.all) process.nextTick(done, null, [pinned]);
        else process.nextTick(done, null, pinned.address, pinned.family);
      },
    });
    request.on('response', resolve);
    request.on('upgrade', (_response, socket) => {
      socket.destroy();
      reject(refusal('TW_SAFE_FETCH', 'The server wants to use another protocol.'));
    });
    request.on('error', reject);
    request.end(body);
  });
}

/**
 * Reads the body, and stops as soon as it is too large, whatever length the server announced.
 *
 * @throws ToolError `TW_SAFE_TOO_LARGE`
 */
export async function readBody(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  const announced = Number(response.headers['content-length'] ?? 0);
  try {
    if (announced > maxBytes) throw tooLarge(maxBytes);
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) throw tooLarge(maxBytes);
      chunks.push(chunk);
    }
  } finally {
    response.destroy();
  }
  return Buffer.concat(chunks);
}

function tooLarge(maxBytes: number) {
  return refusal('TW_SAFE_TOO_LARGE', `The response is larger than ${maxBytes} bytes.`);
}
