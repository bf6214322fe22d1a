import { createHmac, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { isSameSecret } from '@toolwright/json';
import type { Hub } from '../hub/hub.js';
import { readSpans } from '../hub/spans.js';
import { answerJson, refuse } from './respond.js';

const HEADER = 'x-toolwright-spans';

/** Of the body as JSON, also when it comes packed. A batch of 512 spans has about 500 kB. */
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Takes the spans that the app exports: OTLP over HTTP, in its JSON form. The app has a token for this that opens
 * nothing else, because its libraries see the headers of an exporter.
 */
export class SpanReceiver {
  readonly path = '/v1/traces';
  readonly #token = randomBytes(24).toString('base64url');

  constructor(private readonly hub: Hub) {}

  /** What an exporter reads in its environment. The names for traces leave metrics and logs where they are. */
  environment(origin: string): Readonly<Record<string, string>> {
    return {
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${origin}${this.path}`,
      OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json',
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: `${HEADER}=${this.#token}`,
    };
  }

  /** The answers are those of the specification of OTLP: an exporter does not send again what will not be taken. */
  async take(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { [HEADER]: token = '' } = req.headers;
    if (!isSameSecret(String(token), this.#token))
      return refuse(res, 401, `The header ${HEADER} is not of this run.`);
    if (req.method !== 'POST') return refuse(res, 405, 'Use POST.');
    let body: unknown;
    try {
      const text = await readText(req);
      if (text === undefined) return refuse(res, 413, `The spans have more than ${MAX_BYTES} bytes.`);
      body = JSON.parse(text);
    } catch {
      return refuse(res, 400, 'The spans are no JSON, or are packed in another way than with gzip.');
    }
    const { spans, rejected } = readSpans(body);
    this.hub.takeSpans(spans);
    answerJson(res, rejected === 0 ? {} : { partialSuccess: { rejectedSpans: String(rejected) } });
  }
}

/** Counts what is unpacked, so that a small packed body cannot become a large one. `undefined`: it is too large. */
async function readText(req: IncomingMessage): Promise<string | undefined> {
  const isPacked = req.headers['content-encoding'] === 'gzip';
  const stream: Readable = isPacked ? req.pipe(createGunzip()) : req;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length;
    // The loop ends the stream, and with it the unpacking.
    if (size > MAX_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** A code that opens the console once is not valid longer than a browser takes to start. */
const OPEN_WITHIN_MS = 60_000;

/**
 * What a console knows its person by. The token is in the address that is printed. It is exchanged for a cookie at once.
 * Browsers send cookies to all ports of a host, so the cookie belongs to a path that nobody can guess: another program
 * that listens on this machine, and is visited in the same browser, does not get it. Path and cookie follow from the
 * token, so a page that is open goes on when a later run has the same token.
 */
export class ConsoleSecrets {
  /** Where the page is, without a slash at its end. */
  readonly base: string;
  readonly #value: string;
  readonly #codes = new Set<string>();

  constructor(readonly token: string = randomBytes(24).toString('base64url')) {
    const derive = (purpose: string) => createHmac('sha256', token).update(purpose).digest('base64url');
    this.base = `/${derive('path').slice(0, 16)}`;
    this.#value = derive('cookie');
  }

  /** True for the token, and once for each code. */
  opens(given: string): boolean {
    return isSameSecret(given, this.token) || this.#codes.delete(given);
  }

  /** A code for the address that a browser is started with: other users of the machine may see it there. */
  codeForOnce(): string {
    const code = randomBytes(24).toString('base64url');
    this.#codes.add(code);
    setTimeout(() => this.#codes.delete(code), OPEN_WITHIN_MS).unref();
    return code;
  }

  /** @param port makes the name unlike those of other runs on this machine */
  cookie(port: number): string {
    return `${nameFor(port)}=${this.#value}; HttpOnly; SameSite=Strict; Path=${this.base}`;
  }

  /** @param cookies the header of a request */
  isKnown(cookies: string | undefined, port: number): boolean {
    const wanted = `${nameFor(port)}=${this.#value}`;
    return (cookies ?? '').split(/;\s*/).some((each) => isSameSecret(each, wanted));
  }
}

const nameFor = (port: number) => `toolwright-console-${port}`;
