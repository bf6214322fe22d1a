import type { IncomingMessage } from 'node:http';

/** Reads a request's body and parses it, as one does without a body parser. */
export function readBody<T>(req: IncomingMessage, use: (value: T) => void): void {
  const chunks: Buffer[] = [];
  req.on('data', (chunk: Buffer) => chunks.push(chunk));
  req.on('end', () => use(JSON.parse(Buffer.concat(chunks).toString('utf8')) as T));
}
