import type { IncomingMessage, ServerResponse } from 'node:http';

const ALLOWED_HEADERS = [
  'content-type',
  'accept',
  'authorization',
  'mcp-protocol-version',
  'mcp-method',
  'mcp-name',
  'mcp-session-id',
  'last-event-id',
];
const PARAM_HEADER = /^mcp-param-[!#$%&'*+\-.^_`|~0-9a-z]+$/;
const A_DAY = '86400';

/** Lets the page whose Origin was found allowed read the answer. */
export function allowReading(req: IncomingMessage, res: ServerResponse): void {
  const { origin } = req.headers;
  if (origin === undefined) return;
  res.setHeader('Access-Control-Allow-Origin', origin);
  res.setHeader('Access-Control-Expose-Headers', 'mcp-session-id, www-authenticate');
  res.setHeader('Vary', 'Origin');
}

/** Answers the browser's question whether a page may send what it wants to. */
export function answerPreflight(req: IncomingMessage, res: ServerResponse): void {
  const wanted = String(req.headers['access-control-request-headers'] ?? '').toLowerCase();
  const mirrored = wanted
    .split(',')
    .map((name) => name.trim())
    .filter((name) => PARAM_HEADER.test(name));
  allowReading(req, res);
  res.writeHead(204, {
    'Access-Control-Allow-Methods': 'POST, GET, DELETE',
    'Access-Control-Allow-Headers': [...ALLOWED_HEADERS, ...mirrored].join(', '),
    'Access-Control-Max-Age': A_DAY,
  });
  res.end();
}

export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return (
    method === 'OPTIONS' &&
    headers.origin !== undefined &&
    headers['access-control-request-method'] !== undefined
  );
}
