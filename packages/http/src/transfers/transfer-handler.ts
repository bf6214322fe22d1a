import type { Principal } from '@toolwright/core';
import type { ExtensionHost } from '@toolwright/core/extend';
import type { CompletedOptions } from '@toolwright/core/options';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable, Transform } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { escapeHtml, PageShell } from '@toolwright/json';
import { endAfterRequest } from '../node/end-after-request.js';
import { transferMetrics } from './metrics.js';
import { type TransferDirection, type Ticket, type TransferLinks, ownerOf } from './transfer-links.js';
import type { Download, TransferOptions, transferOptions } from './transfer-options.js';

export type TransferSettings = CompletedOptions<TransferOptions, typeof transferOptions>;

type Next = ((error?: unknown) => void) | undefined;

const TRANSFERS = 'toolwright.server.transfers';

/** All links that do not count have one answer: different ones would only help an attacker. */
const ENDED = 'This link has ended, was used, or was not made for you. Ask for a new one.';

/** An answer in place of a file. */
class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
    /** For the audit log. */
    readonly outcome: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}

/** Sends and takes the files of links. */
export class TransferHandler {
  readonly #count;

  constructor(
    private readonly host: ExtensionHost,
    private readonly links: TransferLinks,
    private readonly settings: TransferSettings,
  ) {
    const [, unit, description] = transferMetrics[TRANSFERS];
    this.#count = host.counter(TRANSFERS, { unit, description });
  }

  /** The address without a slash at its end. */
  get base(): string {
    const { url } = this.settings;
    return (typeof url === 'function' ? url() : url).replace(/\/+$/, '');
  }

  handle(req: IncomingMessage, res: ServerResponse, next: Next): void {
    const sealed = this.#sealedIn(req);
    if (sealed === undefined) {
      if (next) return next();
      res.writeHead(404).end();
      return;
    }
    void this.#answer(req, res, sealed);
  }

  /** The last part of the path. Express shortens `url` where a handler is mounted. */
  #sealedIn(req: IncomingMessage & { originalUrl?: string }): string | undefined {
    const [pathname = ''] = (req.originalUrl ?? req.url ?? '').split('?', 1);
    const start = `${new URL(this.base).pathname.replace(/\/$/, '')}/`;
    return pathname.startsWith(start) ? pathname.slice(start.length) : undefined;
  }

  async #answer(req: IncomingMessage, res: ServerResponse, sealed: string): Promise<void> {
    const direction: TransferDirection = req.method === 'PUT' ? 'upload' : 'download';
    let caller: Principal | undefined;
    let outcome = 'ok';
    let isGenuine = false;
    try {
      const { ticket, principal } = await this.#admit(req, direction, sealed);
      isGenuine = true;
      caller = principal ?? ticket.holder;
      if (direction === 'upload') await this.#receive(req, res, { ticket, caller });
      else await this.#send(req, res, { ticket, caller });
    } catch (error) {
      outcome = error instanceof Refusal ? error.outcome : 'error';
      this.#refuse(req, res, error);
    }
    if (req.method === 'HEAD' && outcome === 'ok') return;
    this.#count({ 'toolwright.transfer.direction': direction, 'toolwright.transfer.outcome': outcome });
    // Strangers decide how often a link does not count: that is only counted.
    if (isGenuine && outcome !== 'used')
      this.host.record({ operation: 'transfer', name: direction, outcome, principal: caller, fields: {} });
  }

  /** Lets in who may use a link. Who has no good link learns only whether a token is missing. */
  async #admit(
    req: IncomingMessage,
    direction: TransferDirection,
    sealed: string,
  ): Promise<{ ticket: Ticket; principal: Principal | undefined }> {
    const { authenticate, send, receive } = this.settings;
    if (!['GET', 'HEAD', 'PUT'].includes(req.method ?? '') || !(direction === 'upload' ? receive : send)) {
      const allowed = [send && 'GET, HEAD', receive && 'PUT'].filter(Boolean).join(', ');
      throw new Refusal(405, 'This method is not offered here.', 'method', { Allow: allowed });
    }
    const ticket = this.links.open(sealed, direction);
    const isOpen = typeof ticket === 'object' && !ticket.needsToken;
    let principal: Principal | undefined;
    if (authenticate && !isOpen) {
      const known = await authenticate(req);
      if ('challenge' in known) {
        const { status, message, headers } = known.challenge;
        throw new Refusal(status, message, 'unauthenticated', headers);
      }
      ({ principal } = known);
    }
    if (typeof ticket === 'string') throw new Refusal(404, ENDED, ticket);
    if (ticket.needsToken && ownerOf(principal) !== ticket.owner) throw new Refusal(404, ENDED, 'foreign');
    return { ticket, principal };
  }

  async #send(
    req: IncomingMessage,
    res: ServerResponse,
    { ticket, caller }: { ticket: Ticket; caller: Principal | undefined },
  ): Promise<void> {
    const isHead = req.method === 'HEAD';
    // With a token, an interrupted download may be repeated. Without one, the first request has the file.
    const isOnce = !ticket.needsToken && !isHead;
    if (isOnce) await this.#useUp(ticket);
    let file: Download | undefined;
    try {
      file = await this.settings.send!(ticket.about, caller);
      if (!file) throw new Refusal(404, ENDED, 'gone');
      res.writeHead(200, headersOf(file));
    } catch (error) {
      if (file?.body instanceof Readable) file.body.destroy();
      if (isOnce) await this.links.giveBack(ticket);
      throw error;
    }
    if (isHead) {
      if (file.body instanceof Readable) file.body.destroy();
      res.end();
    } else if (file.body instanceof Readable) await stream(file.body, res);
    else res.end(file.body);
  }

  async #receive(
    req: IncomingMessage,
    res: ServerResponse,
    { ticket, caller }: { ticket: Ticket; caller: Principal | undefined },
  ): Promise<void> {
    const { maxBytes, receive } = this.settings;
    const tooLarge = () => new Refusal(413, `A file may have at most ${maxBytes} bytes.`, 'too-large');
    if (Number(req.headers['content-length'] ?? 0) > maxBytes) throw tooLarge();
    await this.#useUp(ticket);
    const body = bounded(maxBytes, tooLarge);
    try {
      const arrived = follow(req, body);
      const take = async () => receive!(ticket.about, { body, type: req.headers['content-type'] }, caller);
      // A body that nobody reads does not end, so the rest of it is read and dropped.
      const taking = take().finally(() => body.resume());
      const [heard] = await Promise.all([taking, arrived]);
      res.writeHead(201, { ...guarded, 'Content-Type': 'application/json' }).end(JSON.stringify(heard ?? {}));
    } catch (error) {
      req.unpipe(body);
      body.destroy();
      await this.links.giveBack(ticket);
      throw body.errored instanceof Refusal ? body.errored : error;
    }
  }

  async #useUp(ticket: Ticket): Promise<void> {
    let isFirst: boolean;
    try {
      isFirst = await this.links.use(ticket);
    } catch (error) {
      this.host.logger.error({ err: error }, 'Whether a link was used before cannot be checked now');
      throw new Refusal(503, 'This cannot be checked now. Try again later.', 'unavailable', {
        'Retry-After': '5',
      });
    }
    if (!isFirst) throw new Refusal(404, ENDED, 'used');
  }

  /** The answer for a person who opens a link in a browser. It looks like the other pages of the server. */
  #page(message: string): { text: string; policy: string } {
    const { brand, title, name } = this.host.server.info;
    const shell = new PageShell({ name: title ?? name, ...brand });
    const images = shell.imageSource === undefined ? '' : ` img-src ${shell.imageSource};`;
    return {
      text: shell.write({
        title: 'No file',
        body: `<h1>There is no file here</h1><p>${escapeHtml(message)}</p>`,
      }),
      policy: `sandbox; default-src 'none'; style-src ${shell.styleSource};${images} frame-ancestors 'none'`,
    };
  }

  #refuse(req: IncomingMessage, res: ServerResponse, error: unknown): void {
    if (!(error instanceof Refusal)) this.host.logger.error({ err: error }, 'A transfer of a file failed');
    // Half a file must not look like a whole one.
    if (res.headersSent || res.destroyed) return void res.destroy();
    const { status, message, headers } =
      error instanceof Refusal ? error : new Refusal(500, 'The transfer failed. Try again later.', 'error');
    const isPage = req.method === 'GET' && /\btext\/html\b/i.test(req.headers.accept ?? '');
    const { text, policy } = isPage ? this.#page(message) : { text: `${message}\n`, policy: undefined };
    res.writeHead(status, {
      ...guarded,
      ...headers,
      ...(policy !== undefined && { 'Content-Security-Policy': policy }),
      Vary: 'Accept',
      'Content-Type': `text/${isPage ? 'html' : 'plain'}; charset=utf-8`,
      'Content-Length': Buffer.byteLength(text),
      // Nobody wants the rest of a file that is refused.
      ...(!req.complete && { Connection: 'close' }),
    });
    res.write(text);
    if (req.complete) res.end();
    else endAfterRequest(req, res, this.host.clock);
  }
}

/** @throws {Refusal} when the reader goes away, which is not a failure of the server */
async function stream(body: Readable, res: ServerResponse): Promise<void> {
  let isLeft = false;
  // It is asked before the pipeline ends the one stream for the other.
  res.once('close', () => (isLeft = !body.destroyed && !res.writableFinished));
  try {
    await pipeline(body, res);
  } catch (error) {
    throw isLeft ? new Refusal(400, 'The reader went away too early.', 'cancelled') : error;
  }
}

/** Passes on at most `maxBytes`. */
function bounded(maxBytes: number, tooLarge: () => Error): Transform {
  let size = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      if (size > maxBytes) done(tooLarge());
      else done(null, chunk);
    },
  });
}

/**
 * Passes a request on. It is not ended with the body, as a pipeline would do: it has to be answered first.
 *
 * @returns resolves when all of it has arrived
 */
function follow(req: IncomingMessage, body: Transform): Promise<void> {
  req.once('close', () => {
    if (!req.complete) body.destroy(new Refusal(400, 'The sender went away too early.', 'cancelled'));
  });
  req.pipe(body);
  return finished(body, { readable: false });
}

/** No page of this origin shows what is sent here, no cache keeps it, and no other server learns of the address. */
const guarded = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

function headersOf({
  body,
  name,
  type = 'application/octet-stream',
  size,
}: Download): Record<string, string> {
  const length = body instanceof Readable ? size : Buffer.byteLength(body);
  const plain = name.replace(/[^\w. -]/g, '_');
  // Half of a pair of surrogates has no UTF-8.
  const encoded = encodeURIComponent(Buffer.from(name).toString()).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return {
    ...guarded,
    'Content-Type': type,
    // RFC 6266: the plain name is for programs that do not read the other one.
    'Accept-Ranges': 'none',
    'Content-Disposition': `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`,
    ...(length !== undefined && { 'Content-Length': String(length) }),
  };
}
