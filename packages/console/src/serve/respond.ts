import { isObject, mediaTypeIn } from '@toolwright/json';
import { writeJson } from '@toolwright/core/transport';
import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { ConsoleRefusal } from '../api/console-api.js';

/** Headers of every answer: other origins may not embed, read or open it with a handle to it. */
const guards = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
  'cache-control': 'no-store',
} as const;

export function guard(res: ServerResponse): void {
  for (const [name, value] of Object.entries(guards)) res.setHeader(name, value);
}

/** Answers with a message for a person. It never repeats what the request said. */
export function refuse(res: ServerResponse, status: number, message: string): void {
  if (res.headersSent) return void res.destroy();
  // What is left of the body is not read, so the connection cannot be used again.
  if (status === 413) res.setHeader('connection', 'close');
  res.writeHead(status, { 'content-type': 'application/json' }).end(writeJson({ message }));
}

export interface ConsoleExchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
}

interface RefusedPage extends RequestRefusal {
  /** What the person can do, a step a line. */
  readonly advice?: readonly string[];
}

const STYLE =
  ':root{color-scheme:light dark;font:16px/1.6 system-ui,sans-serif}' +
  'body{max-width:38rem;margin:12vh auto;padding:0 1.2rem}h1{font-size:1.4rem}li{margin:.4rem 0}';
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/**
 * Answers a person who opens an address in a browser with a page that says what to do, and programs with JSON. Message and
 * advice are texts of ours, never of the request.
 */
export function refusePage(
  { req, res }: ConsoleExchange,
  { status, message, advice = [] }: RefusedPage,
): void {
  const isForPerson = req.method === 'GET' && /\btext\/html\b/.test(req.headers.accept ?? '');
  if (!isForPerson || res.headersSent) return refuse(res, status, message);
  res.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; frame-ancestors 'none'`,
  });
  const steps = advice.map((step) => `<li>${step}</li>`).join('');
  res.end(
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Toolwright console</title>` +
      `<meta name="viewport" content="width=device-width, initial-scale=1"><style>${STYLE}</style></head>` +
      `<body><main><h1>${message}</h1>${steps && `<ol>${steps}</ol>`}</main></body></html>`,
  );
}

export function answerJson(res: ServerResponse, body: unknown): void {
  res.writeHead(200, { 'content-type': 'application/json' }).end(writeJson(body));
}

/** More than any form holds, and less than harms. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;

/** The body is larger than anything that the page sends. */
export class BodyTooLarge extends ConsoleRefusal {}

/**
 * @throws {BodyTooLarge} before more than the limit was read
 * @throws {ConsoleRefusal} when the body is not a JSON object
 */
export async function readJson(
  req: IncomingMessage,
  maxBytes = MAX_BODY_BYTES,
): Promise<Record<string, unknown>> {
  const tooLarge = () => new BodyTooLarge(`The request has more than ${maxBytes} bytes.`);
  if (Number(req.headers['content-length'] ?? 0) > maxBytes) throw tooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of req as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge();
    chunks.push(chunk);
  }
  try {
    const body = JSON.parse(Buffer.concat(chunks).toString() || '{}') as unknown;
    if (isObject(body)) return body;
  } catch {
    // Reported below.
  }
  throw new ConsoleRefusal('The request is no JSON object.');
}

/** Why a request is refused. */
export interface RequestRefusal {
  readonly status: number;
  readonly message: string;
}

/** What of a request decides. */
export interface RequestFacts {
  readonly method?: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders?: readonly string[];
}

/**
 * The refusal of a request that a foreign page may have sent; `undefined` when it may pass. A page can point a name of
 * its own at this machine (DNS rebinding), and can send requests with the cookies of its visitor (CSRF). But it cannot
 * choose what the browser writes into Host, Origin and Sec-Fetch-Site.
 *
 * @param host the authority by which the console is reached; pages of it are its own
 */
export function findRefusal(
  { method, headers, rawHeaders }: RequestFacts,
  host: string,
): RequestRefusal | undefined {
  if (repeatsHost(rawHeaders)) return TWO_HOSTS;
  if (headers.host !== host) return { status: 421, message: 'The console does not answer under this name.' };
  const { origin, 'sec-fetch-site': site } = headers;
  if (origin !== undefined && !isOwn(origin, host))
    return { status: 403, message: 'Only the page of the console may ask this.' };
  // `none`: the person typed the address, or opened it from another program.
  const isOpened = site === 'none' && (method === 'GET' || method === 'HEAD');
  if (site !== undefined && site !== 'same-origin' && !isOpened)
    return { status: 403, message: 'Only the page of the console may ask this.' };
  if (method === 'POST' && mediaTypeIn(headers['content-type']) !== 'application/json')
    // Forms of foreign pages cannot send this type.
    return { status: 415, message: 'Send application/json.' };
  return undefined;
}

export const TWO_HOSTS: RequestRefusal = { status: 400, message: 'A request has one Host.' };

/** True when a request names two hosts. Node keeps the first one, and a proxy in front may have looked at the other. */
export function repeatsHost(rawHeaders: readonly string[] = []): boolean {
  const names = rawHeaders.filter((_, index) => index % 2 === 0);
  return names.filter((name) => name.toLowerCase() === 'host').length > 1;
}

/** Behind a proxy the scheme of the page is not known here; the authority says enough. */
function isOwn(origin: string, host: string): boolean {
  return origin === `http://${host}` || origin === `https://${host}`;
}
