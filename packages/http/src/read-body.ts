import { AsyncResource } from 'node:async_hooks';
import { isUtf8 } from 'node:buffer';
import type { HeaderValues, HttpCall } from './endpoint.js';
import { HttpFault, INVALID_REQUEST, PARSE_ERROR } from './http-fault.js';

/** Passes the parsed body, or the fault that prevented it. */
export type BodyCallback = (fault: HttpFault | undefined, body?: unknown) => void;

/**
 * Reads a JSON body: from `req.body` if an earlier parser left it there, or else from the connection, up to
 * `maxBytes`. It takes a callback, because a promise per request would be the most expensive part of a small
 * one.
 */
export function readBody({ req, headers, endpoint }: HttpCall, done: BodyCallback): void {
  const { maxBodyBytes: maxBytes } = endpoint.settings;
  const fault = findFault(headers, maxBytes);
  if (fault) return done(fault);
  const { body } = req as { body?: unknown };
  // Express 4 leaves `{}` when no parser took the body. Only a stream that was read has been parsed.
  if (body !== undefined && (req.readableDidRead || req.readableEnded)) return takeParsed(body, done);
  readWire(req, maxBytes, done);
}

function findFault(headers: HeaderValues, maxBytes: number): HttpFault | undefined {
  if (!isJson(headers['content-type'])) {
    return new HttpFault(415, INVALID_REQUEST, 'Content-Type must be application/json.');
  }
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    return new HttpFault(415, INVALID_REQUEST, 'Send the body without Content-Encoding.');
  }
  return Number(headers['content-length']) > maxBytes ? tooLarge(maxBytes) : undefined;
}

function readWire(req: HttpCall['req'], maxBytes: number, done: BodyCallback): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let settled = false;
  // A listener runs in the context of the socket. Data that the application keeps in an AsyncLocalStorage
  // would be lost there.
  const caller = new AsyncResource('McpBody');
  const settle: BodyCallback = (fault, body) => {
    settled = true;
    caller.runInAsyncScope(done, undefined, fault, body);
  };
  req.on('data', (chunk: Buffer) => {
    if (settled) return;
    bytes += chunk.length;
    if (bytes > maxBytes) return settle(tooLarge(maxBytes));
    chunks.push(chunk);
  });
  req.on('end', () => {
    if (!settled) decode(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, bytes), settle);
  });
  // This also runs after an error. Node does not throw the error when nobody listens for it.
  req.on('close', () => {
    if (!settled) settle(new HttpFault(400, PARSE_ERROR, 'The body ended early.'));
  });
}

function decode(bytes: Buffer, done: BodyCallback): void {
  if (!isUtf8(bytes)) return done(new HttpFault(400, PARSE_ERROR, 'The body is not UTF-8.'));
  parse(bytes.toString('utf8'), done);
}

function parse(text: string, done: BodyCallback): void {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return done(new HttpFault(400, PARSE_ERROR, 'The body is not JSON.'));
  }
  done(undefined, body);
}

function takeParsed(body: unknown, done: BodyCallback): void {
  if (typeof body === 'string') parse(body, done);
  else if (Buffer.isBuffer(body)) decode(body, done);
  else done(undefined, body);
}

function tooLarge(maxBytes: number): HttpFault {
  return new HttpFault(413, INVALID_REQUEST, `The body is larger than ${maxBytes} bytes.`);
}

/**
 * True for `application/json` with any parameters. The header is read as a media type. A search for the words
 * would accept a form's `text/plain; a=application/json`, which a page may send anywhere without asking
 * (CORS-simple).
 */
function isJson(contentType: string | undefined): boolean {
  if (contentType === 'application/json') return true;
  if (contentType === undefined) return false;
  return contentType.split(';', 1)[0]!.trim().toLowerCase() === 'application/json';
}
