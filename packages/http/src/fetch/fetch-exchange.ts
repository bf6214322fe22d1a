import type { Logger } from '@toolwright/core/ports';
import { headerOnce } from '@toolwright/core/transport';
import type { BodyCallback, Exchange } from '../endpoint/exchange.js';
import { discardBody, readRequest } from './read-request.js';
import { WebStreamWriter } from './web-stream-writer.js';

const NO_HEADERS: Readonly<Record<string, string>> = {};
/** What proxies log for it. */
const CLIENT_GONE = 499;
const BROKEN =
  'A request was aborted by its signal, so its answer is not sent. If its client was still there, the platform aborts signals too early.';
const JSON_ONLY: Readonly<Record<string, string>> = { 'Content-Type': 'application/json' };

/** A web-standard request. Its answer is the promise `response`. */
export class FetchExchange implements Exchange<Request> {
  readonly response: Promise<Response>;
  #answer!: (response: Response) => void;
  #isAnswered = false;
  /** True once somebody has begun to read the body. Then nothing of it has to be discarded. */
  #isRead = false;
  /** What became of the request: `whole` when everything was sent, `gone` when the client left before. */
  #end: 'whole' | 'gone' | undefined;
  #headers = NO_HEADERS;
  #listeners: ((early: boolean) => void)[] | undefined;
  #writer: WebStreamWriter | undefined;

  constructor(
    readonly source: Request,
    /** The address of the caller, as the runtime around knows it. */
    private readonly addressOf: (() => string | undefined) | undefined,
    private readonly logger?: Logger,
  ) {
    this.response = new Promise((resolve) => (this.#answer = resolve));
  }

  get method(): string {
    return this.source.method;
  }

  get target(): string {
    const { pathname, search } = new URL(this.source.url);
    return pathname + search;
  }

  get address(): string | undefined {
    return this.addressOf?.();
  }

  get isEncrypted(): boolean {
    return this.source.url.startsWith('https:');
  }

  get isAnswered(): boolean {
    return this.#isAnswered || this.#end !== undefined;
  }

  get isClosed(): boolean {
    return this.#end !== undefined || this.source.signal.aborted;
  }

  header(name: string): string | undefined {
    const value = this.source.headers.get(name);
    if (value !== null) return headerOnce(name, value);
    // A request that was made within the program has no Host. Its URL says whom it asks.
    return name === 'host' ? hostOf(this.source.url) : undefined;
  }

  receive(maxBytes: number, done: BodyCallback): void {
    this.#isRead = true;
    readRequest(this.source, maxBytes, done);
  }

  setHeader(name: string, value: string): void {
    this.#headers = { ...this.#headers, [name]: value };
  }

  addHeader(name: string, value: string): void {
    const known = this.#headers[name];
    this.setHeader(name, known === undefined ? value : `${known}, ${value}`);
  }

  /** Answers after the event loop has handled all requests that came with this one, as `NodeExchange` does. */
  sendJson(status: number, text: string): void {
    if (this.isAnswered) return;
    this.#isAnswered = true;
    if (!this.#isRead) discardBody(this.source);
    const headers = this.#headers === NO_HEADERS ? JSON_ONLY : { ...JSON_ONLY, ...this.#headers };
    setImmediate(this.#answer, new Response(text, { status, headers }));
  }

  /** Runtimes take care of the rest of a large body by themselves. */
  sendJsonEarly(status: number, text: string): void {
    this.sendJson(status, text);
  }

  sendPage(status: number, text: string): void {
    this.#send(text, { status, headers: { 'Content-Type': 'text/html; charset=utf-8', ...this.#headers } });
  }

  sendEmpty(status: number): void {
    this.#send(null, { status, headers: this.#headers });
  }

  openStream(headers: Readonly<Record<string, string>>, status = 200): WebStreamWriter {
    const writer = (this.#writer = new WebStreamWriter((early) => this.#close(early ? 'gone' : 'whole')));
    this.#send(writer.stream, { status, headers: { ...headers, ...this.#headers } });
    return writer;
  }

  drop(): void {
    this.#close('gone');
  }

  whenClosed(listener: (early: boolean) => void): void {
    if (!this.#listeners) {
      this.#listeners = [];
      this.#watch();
    }
    if (this.#end === undefined) this.#listeners.push(listener);
    else listener(this.#end === 'gone');
  }

  passError(): boolean {
    return false;
  }

  #send(body: string | ReadableStream | null, init: ResponseInit): void {
    if (this.isAnswered) return;
    this.#isAnswered = true;
    if (!this.#isRead) discardBody(this.source);
    this.#answer(new Response(body as never, init as never));
  }

  /** Some runtimes make the signal of a request only when somebody reads it. */
  #watch(): void {
    const { signal } = this.source;
    if (signal.aborted) this.#abandon(signal, true);
    else signal.addEventListener('abort', () => this.#abandon(signal, false), { once: true });
  }

  /**
   * @param early true when the signal was aborted before anybody looked. The client has left just then, or the
   *   platform aborts the signal as soon as the body is read, as srvx did before 0.9.8.
   */
  #abandon(signal: AbortSignal, early: boolean): void {
    if (this.#end) return;
    // Deno also aborts the signal when a request is over.
    if (this.#isAnswered && !this.#writer) return this.#close('whole');
    const tellBroken = () => this.logger?.warn({ cause: String(signal.reason) }, BROKEN);
    if (this.#writer) return this.#writer.abandon(tellBroken);
    if (early) tellBroken();
    this.#close('gone');
  }

  #close(end: 'whole' | 'gone'): void {
    if (this.#end) return;
    this.#end = end;
    for (const listener of this.#listeners?.splice(0) ?? []) listener(end === 'gone');
    // Runtimes wait for an answer even when the client has gone. Nobody sees this one.
    if (!this.#isAnswered) this.#answer(new Response(null, { status: CLIENT_GONE }));
  }
}

let lastUrl: string | undefined;
let lastHost = '';

/** A program that asks its own handler uses the same URL again and again, and taking one apart costs 2 µs. */
function hostOf(url: string): string {
  if (url !== lastUrl) {
    lastHost = new URL(url).host;
    lastUrl = url;
  }
  return lastHost;
}
