import type { IncomingMessage } from 'node:http';
import { quote, refusal } from '../errors/refusal.js';
import type { ResolvedAddress } from './address-policy.js';
import { type UrlRules, checkUrl, hostOf } from './check-url.js';

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

/**
 * The headers that may be sent to another origin. Any other header may be a credential, because every API has
 * its own name for the header with its key.
 */
const FOR_ANYBODY = ['accept', 'accept-language', 'cache-control', 'pragma', 'range', 'user-agent'];

/** Headers that describe the body. */
const OF_BODY = ['content-type', 'content-encoding', 'content-language'];

/**
 * Returns the next request if the answer is a redirect, by the rules of the Fetch standard. A request to
 * another origin has no body, and no header that could be a credential.
 *
 * @throws ToolError `TW_SAFE_URL` if it leads to a forbidden place, or would send a request to another origin
 * that changes something there
 */
export function followRedirect(
  hop: Hop,
  { statusCode, headers }: IncomingMessage,
  rules: UrlRules,
): Hop | undefined {
  if (![301, 302, 303, 307, 308].includes(statusCode ?? 0) || headers.location === undefined)
    return undefined;
  const url = checkUrl(headers.location, hop.url, rules);
  if (hop.url.protocol === 'https:' && url.protocol === 'http:') {
    throw refusal(
      'TW_SAFE_URL',
      'The server redirects from https to http, where anybody could read and change the answer.',
    );
  }
  const isElsewhere = url.origin !== hop.url.origin;
  const becomesGet = statusCode === 303 ? hop.method !== 'HEAD' : hop.method === 'POST' && statusCode! <= 302;
  const next = becomesGet ? asGet(hop) : hop;
  if (!isElsewhere) return { ...next, url };
  if (next.method !== 'GET' && next.method !== 'HEAD') {
    throw refusal(
      'TW_SAFE_URL',
      `The server redirects the ${next.method} to ${quote(url.origin)}, which is another server. Send it there yourself if you trust that server.`,
    );
  }
  return { url, method: next.method, headers: only(next.headers, FOR_ANYBODY), body: undefined };
}

function asGet({ url, headers }: Hop): Hop {
  const kept = Object.keys(headers).filter((name) => !OF_BODY.includes(name));
  return { url, method: 'GET', headers: only(headers, kept), body: undefined };
}

function only(headers: Hop['headers'], names: readonly string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => names.includes(name)));
}
