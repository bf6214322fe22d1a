import { AsyncResource } from 'node:async_hooks';
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerResponse, ServerHttp2Stream } from 'node:http2';
import { readUrl } from '@toolwright/json';
import type { Clock } from '@toolwright/core/ports';
import type { BodyCallback, Exchange } from '../endpoint/exchange.js';
import { headerOnce } from '@toolwright/core/transport';
import { endedEarly, notUtf8, tooLarge } from '../endpoint/body-failures.js';
import { endAfterRequest } from './end-after-request.js';
import { NodeStreamWriter } from './node-stream-writer.js';

/** How the handlers of node:http, and of frameworks on top of it, hear of an error. */
type Next = (error?: unknown) => void;

/** The headers of a request by their lower-case names. Node joins repeated ones; some frameworks make lists of them. */
type HeaderValues = Readonly<Record<string, string | string[] | undefined>>;

/**
 * A request listener for node:http. A framework that passes `next` gets the errors that are not answers of
 * the protocol: those of `authenticate` or `principal`, and internal errors of this handler.
 */
export type McpHandler = (req: IncomingMessage, res: ServerResponse, next?: Next) => void;

/** The listener that passes each request to an endpoint. */
export function listenerOf(take: (exchange: Exchange<IncomingMessage>) => void): McpHandler {
  return (req, res, next) => {
    takeWholeTarget(req);
    const Kind = req.httpVersionMajor === 2 ? Http2Exchange : NodeExchange;
    take(new Kind(req, res, next));
  };
}

/** A proxy may send the whole URL (RFC 9112, section 3.2.2). Its host counts in place of the header's. */
export function takeWholeTarget(req: IncomingMessage): URL | undefined {
  const { url = '/' } = req;
  if (url[0] === '/' || !/^https?:\/\//i.test(url)) return undefined;
  const whole = readUrl(url);
  if (whole) req.headers.host = whole.host;
  return whole;
}

/** A request of node:http. */
export class NodeExchange implements Exchange<IncomingMessage> {
  /**
   * They are read only once: on Node 20, every request in Express has its own hidden class, so reading one of
   * its members is never fast.
   */
  protected readonly headers: HeaderValues;
  readonly address: string | undefined;
  #answered = false;

  constructor(
    readonly source: IncomingMessage,
    protected readonly res: ServerResponse,
    private readonly next?: Next | undefined,
  ) {
    this.headers = source.headers as HeaderValues;
    this.address = source.socket.remoteAddress;
  }

  get method(): string | undefined {
    return this.source.method;
  }

  /** Express shortens `url` by the path of the mount. */
  get target(): string {
    return (this.source as { originalUrl?: string }).originalUrl ?? this.source.url ?? '/';
  }

  get isEncrypted(): boolean {
    return (this.source.socket as { encrypted?: boolean }).encrypted === true;
  }

  get isAnswered(): boolean {
    return this.res.headersSent || this.res.destroyed;
  }

  get isClosed(): boolean {
    return this.res.closed || this.res.destroyed;
  }

  header(name: string): string | undefined {
    const value = this.headers[name];
    const isOne = typeof value !== 'object' && !(name.startsWith('mcp-') && value?.includes(','));
    return isOne ? value : headerOnce(name, value);
  }

  /** Node keeps only the first one among the headers. */
  get repeatsHost(): boolean {
    const { rawHeaders } = this.source;
    let count = 0;
    for (let at = 0; at < (rawHeaders?.length ?? 0); at += 2)
      if (rawHeaders[at]!.length === 4 && rawHeaders[at]!.toLowerCase() === 'host') count++;
    return count > 1;
  }

  receive(maxBytes: number, done: BodyCallback): void {
    readWire(this.source, maxBytes, done);
  }

  setHeader(name: string, value: string): void {
    if (!this.res.headersSent) this.res.setHeader(name, value);
  }

  addHeader(name: string, value: string): void {
    this.res.appendHeader(name, value);
  }

  /**
   * Sends a whole answer, after the event loop has handled all requests that came with this one. Reading,
   * working and writing in turn keeps the processor's caches warm and wakes the reader less often (see ADR 11).
   */
  sendJson(status: number, text: string): void {
    this.#answered = true;
    setImmediate(writeJson, this.res, status, text);
  }

  /** The client may still be sending a body that is too large. */
  sendJsonEarly(status: number, text: string, clock: Clock): void {
    const { source: req, res } = this;
    if (this.isAnswered) return;
    res.writeHead(status, {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(text),
      Connection: 'close',
    });
    res.write(text);
    endAfterRequest(req, res, clock);
  }

  sendPage(status: number, text: string): void {
    if (this.isAnswered) return;
    this.res.writeHead(status, {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Length': Buffer.byteLength(text),
    });
    this.res.end(text);
  }

  sendEmpty(status: number): void {
    if (this.isAnswered) return;
    if (status === 204) this.res.writeHead(status);
    else this.res.writeHead(status, { 'Content-Length': 0 });
    this.res.end();
  }

  openStream(headers: Readonly<Record<string, string>>, status = 200): NodeStreamWriter {
    return new NodeStreamWriter(this.res, headers, { status, isGone: () => this.res.destroyed });
  }

  drop(): void {
    this.res.destroy();
  }

  /** A listener on a response of Express costs more than most calls, so work that ends in this turn needs none. */
  whenClosed(listener: (early: boolean) => void): void {
    setImmediate(() => this.#answered || this.listenForClose(listener));
  }

  protected listenForClose(listener: (early: boolean) => void): void {
    const { res } = this;
    if (res.closed) listener(!res.writableFinished);
    else res.once('close', () => listener(!res.writableFinished));
  }

  passError(error: unknown): boolean {
    this.next?.(error);
    return this.next !== undefined;
  }
}

/** An error code of RFC 9113, 7. `constants` of node:http2 has it, too, and with it Node.js loads TLS: 4 ms of each start. */
const INTERNAL_ERROR = 2;

/**
 * A request of node:http2, in the form that node:http has. It is a stream of its own on a connection of others, and some
 * members of the answer are missing or mean something else.
 */
class Http2Exchange extends NodeExchange {
  get #stream(): ServerHttp2Stream | undefined {
    return (this.res as unknown as Http2ServerResponse).stream as ServerHttp2Stream | undefined;
  }

  override get isAnswered(): boolean {
    return this.res.headersSent || this.isClosed;
  }

  override get isClosed(): boolean {
    return this.#stream?.destroyed ?? true;
  }

  override header(name: string): string | undefined {
    return super.header(name) ?? (name === 'host' ? super.header(':authority') : undefined);
  }

  /** `:authority` is the Host. A request may have both. */
  override get repeatsHost(): boolean {
    const { host, ':authority': authority } = this.headers;
    return super.repeatsHost || (host !== undefined && authority !== undefined && host !== authority);
  }

  /** Other streams of the connection go on, so the client gets the answer. */
  override sendJsonEarly(status: number, text: string): void {
    this.sendJson(status, text);
    this.source.resume();
  }

  override openStream(headers: Readonly<Record<string, string>>, status = 200): NodeStreamWriter {
    return new NodeStreamWriter(this.res, headers, { status, isGone: () => this.isClosed });
  }

  override drop(): void {
    this.#stream?.close(INTERNAL_ERROR);
  }

  protected override listenForClose(listener: (early: boolean) => void): void {
    const { res } = this;
    const close = () => listener(!res.writableEnded || this.#stream?.aborted === true);
    if (this.isClosed) close();
    else res.once('close', close);
  }
}

/** The length is known, so the connection can be used again at once. */
function writeJson(res: ServerResponse, status: number, text: string): void {
  if (res.headersSent || res.destroyed) return;
  const length = Buffer.byteLength(text);
  res.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': length });
  // ASCII has the same bytes in both encodings, but Node copies Latin-1 as it is, and reserves three bytes for each
  // character of UTF-8.
  res.end(text, length === text.length ? 'latin1' : 'utf8');
}

/** Reads a body: from `req.body` if an earlier parser left it there, or else from the connection. */
function readWire(req: IncomingMessage, maxBytes: number, done: BodyCallback): void {
  const { body } = req as { body?: unknown };
  // Express 4 leaves `{}` when no parser took the body. Only a stream that was read has been parsed.
  if (body !== undefined && (req.readableDidRead || req.readableEnded))
    return Buffer.isBuffer(body) ? decode(body, done) : done(undefined, body);
  const chunks: Buffer[] = [];
  let bytes = 0;
  let settled = false;
  // A listener runs in the context of the socket. Data that the application keeps in an AsyncLocalStorage
  // would be lost there.
  const caller = new AsyncResource('McpBody');
  const settle: BodyCallback = (failure, value) => {
    settled = true;
    caller.runInAsyncScope(done, undefined, failure, value);
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
    if (!settled) settle(endedEarly());
  });
}

function decode(bytes: Buffer, done: BodyCallback): void {
  if (isUtf8(bytes)) done(undefined, bytes.toString('utf8'));
  else done(notUtf8());
}
