import type { ServerResponse } from 'node:http';

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
  res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ message }));
}

export function answerJson(res: ServerResponse, body: unknown): void {
  res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
