import { isObject, mediaTypeIn, readUrl } from '@toolwright/json';
import type { Channel, OpenChannel, WireMessage } from '@toolwright/client';
import { namesOf, readNames, routingHeaders, writeJson } from '@toolwright/core/transport';
import { createParser } from 'eventsource-parser';
import { CommandError } from '@toolwright/operate/terminal';
import { readExactMessage } from './exact-json.js';
import type { ByteBudget } from './limits.js';
import { lineEnds } from './line-ends.js';
import { quoted, refusalOf, saidBy, shortened, signInRefusal, unreachable } from './refused-answers.js';

export interface HttpChannelOptions {
  /** Sent with every request. Put `Authorization` here. */
  headers?: Record<string, string>;
  /** Further headers of one message, such as the mirrored parameters of a tool. Its method has the name of the newest revision. */
  headersFor?({ method }: { readonly method: string }): Record<string, string>;
  /** Counts what the server sends. */
  budget: ByteBudget;
  /** The revision in `MCP-Protocol-Version` before a handshake has chosen another one. */
  revision?: string;
  /** Default: the built-in one. */
  fetch?: typeof fetch;
}

type Receive = (message: WireMessage) => void;

/** A message that is on its way, or whose answer is being read. */
interface Sent {
  readonly message: WireMessage;
  readonly control: AbortController;
  isAnswered?: true;
  /** The id of an answer on its stream that none of our requests has. */
  strangeId?: unknown;
}

const isRequest = ({ id, method }: WireMessage) => id !== undefined && method !== undefined;

/**
 * The client side of Streamable HTTP: a POST per message, answered with one JSON object or a stream of
 * events.
 */
export function httpChannel(url: URL, options: HttpChannelOptions): OpenChannel {
  return (receive) => new HttpChannel(url, options, receive);
}

class HttpChannel implements Channel {
  private readonly running = new Set<Sent>();
  private revision: string | undefined;
  private session: string | undefined;
  /** The cancellation that is on its way. It must arrive before the session ends. */
  private farewell: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly url: URL,
    private readonly options: HttpChannelOptions,
    private readonly deliver: Receive,
  ) {
    this.revision = options.revision;
  }

  negotiated(revision: string): void {
    this.revision = revision;
  }

  async send(message: WireMessage): Promise<void> {
    const { method, params } = this.known(message);
    if (method !== 'notifications/cancelled') return this.post(message, method);
    this.abort((sent) => isRequest(sent) && sent.id === params?.['requestId']);
    const late = new Promise((resolve) => setTimeout(resolve, FAREWELL_MS).unref());
    this.farewell = Promise.race([this.post(message, method).catch(() => undefined), late]);
  }

  private async post(message: WireMessage, method: string): Promise<void> {
    // Without a session there is nobody to notify. Requests of 2026-07-28 are cancelled by closing their
    // stream.
    if (message.id === undefined && !this.session && method !== 'notifications/initialized') return;
    const sent: Sent = { message, control: new AbortController() };
    this.running.add(sent);
    try {
      await this.exchange(sent);
      if (isRequest(message) && !sent.isAnswered) throw new CommandError(this.lacking(sent));
    } catch (error) {
      if (!sent.isAnswered && !sent.control.signal.aborted) throw unreachable(this.url, error);
    } finally {
      this.running.delete(sent);
    }
  }

  async close(): Promise<void> {
    this.abort(({ id }) => id !== undefined);
    await this.farewell;
    this.abort(() => true);
    if (this.session)
      await this.fetchWithinOrigin({
        method: 'DELETE',
        headers: this.headers(),
        signal: AbortSignal.timeout(FAREWELL_MS),
      }).catch(() => undefined);
  }

  private async exchange(sent: Sent): Promise<void> {
    const { message, control } = sent;
    const { session } = this;
    const response = await this.fetchWithinOrigin({
      method: 'POST',
      headers: { ...this.headers(message), 'content-type': 'application/json' },
      body: writeJson(message),
      signal: control.signal,
    });
    this.session = response.headers.get('mcp-session-id') ?? this.session;
    // Everything but a request may be acknowledged in any way.
    if (response.ok && !isRequest(message)) return response.body?.cancel();
    const type = mediaTypeIn(response.headers.get('content-type'));
    if (type === 'text/event-stream' && response.ok && response.body)
      return this.readEvents(response.body, sent);
    const text = await this.readText(response);
    const answer = type === 'application/json' ? messageIn(text) : undefined;
    if (response.status === 404 && session !== undefined && answer?.id == null) {
      this.session = undefined;
      throw new CommandError(
        `${saidBy(this.url, response)}: the session has ended there. Run the command again to open another one.${quoted(answer?.error?.message ?? text)}`,
      );
    }
    if (answer && (response.ok || response.status !== 401)) return this.receive(answer, sent);
    if (response.status === 401) throw new CommandError(await signInRefusal(this.url, response));
    if (!response.ok) throw new CommandError(refusalOf(this.url, response, text));
    throw new CommandError(
      `${this.url} answered ${message.method} with something else than JSON-RPC. Is it an MCP endpoint?${quoted(text)}`,
    );
  }

  /**
   * Fetches the URL, and follows redirects that repeat the request within the same origin. No body and no header may be
   * sent to another origin: any header can be a credential, and `fetch` knows only three of them.
   *
   * @throws {CommandError} if a redirect leads to another origin, or redirects never end
   */
  private async fetchWithinOrigin(request: RequestInit): Promise<Response> {
    const send = this.options.fetch ?? fetch;
    let at = this.url;
    for (let hop = 0; hop <= MOST_REDIRECTS; hop++) {
      const response = await send(at, { ...request, redirect: 'manual' });
      const location = response.headers.get('location');
      if (location === null || response.status < 300 || response.status > 399) return response;
      await response.body?.cancel();
      at = nextOf(at, response.status, location);
    }
    throw new CommandError(`${this.url} redirects more than ${MOST_REDIRECTS} times.`);
  }

  private async readText(response: Response): Promise<string> {
    const decoder = new TextDecoder();
    const parts: string[] = [];
    for await (const chunk of response.body ?? []) {
      this.options.budget.take(chunk.length);
      parts.push(decoder.decode(chunk, { stream: true }));
    }
    return parts.join('');
  }

  private receive(received: WireMessage, sent: Sent): void {
    if (received.method !== undefined) return this.deliver(received);
    const answer = identified(received, sent.message);
    const asked = [...this.running].find(({ message }) => isRequest(message) && message.id === answer.id);
    if (!asked) {
      sent.strangeId = answer.id;
      return;
    }
    asked.isAnswered = true;
    // A server should end the stream now, and need not (2025-11-25, basic/transports).
    setTimeout(() => asked.control.abort(), LINGER_MS).unref();
    this.deliver(answer);
  }

  private async readEvents(body: ReadableStream<Uint8Array>, sent: Sent): Promise<void> {
    const parser = createParser({
      onEvent: ({ event = 'message', data }) => {
        // Events of other names are not of this protocol.
        if (data === '' || event !== 'message' || sent.isAnswered) return;
        const message = messageIn(data);
        if (!message) throw new CommandError(`${this.url} sent an event that is no JSON-RPC message.`);
        this.receive(message, sent);
      },
    });
    const decoder = new TextDecoder();
    const unify = lineEnds();
    for await (const chunk of body) {
      if (sent.isAnswered) continue;
      this.options.budget.take(chunk.length);
      parser.feed(unify(decoder.decode(chunk, { stream: true })));
    }
  }

  /** Why a request has no answer although its exchange has ended. */
  private lacking({ message: { id, method }, strangeId }: Sent): string {
    if (strangeId === undefined) return `${this.url} ended the connection before the answer to ${method}.`;
    const strange = shortened(JSON.stringify(strangeId));
    return `${this.url} answered ${method} with the id ${strange}. The id of the request is ${JSON.stringify(id)}.`;
  }

  private headers(message?: WireMessage): Record<string, string> {
    const { method, params } = message ?? {};
    return {
      accept: 'application/json, text/event-stream',
      ...(this.revision && { 'mcp-protocol-version': this.revision }),
      ...(this.session && { 'mcp-session-id': this.session }),
      ...(method !== undefined && routingHeaders(this.revision, { method, params })),
      ...(method !== undefined && this.options.headersFor?.(this.known({ method, params }))),
      ...this.options.headers,
    };
  }

  /** A message in the names of the newest revision. An answer has none. */
  private known({ method = '', params }: Pick<WireMessage, 'method' | 'params'>) {
    return readNames(namesOf(this.revision), { method, params });
  }

  private abort(which: (message: WireMessage) => boolean): void {
    for (const { message, control } of this.running) if (which(message)) control.abort();
  }
}

/** How long a server may take to hear that its session has ended. */
const FAREWELL_MS = 2_000;

/** How long a server may take to end a stream after the answer. A stream that ends leaves its connection to the next request. */
const LINGER_MS = 100;

function messageIn(text: string): WireMessage | undefined {
  try {
    const value = readExactMessage(text);
    return isObject(value) && isMessage(value as unknown as WireMessage)
      ? (value as unknown as WireMessage)
      : undefined;
  } catch {
    return undefined;
  }
}

/** An app may answer with JSON of its own. */
const isMessage = ({ method, result, error }: WireMessage) =>
  typeof method === 'string' || isObject(result) || (isObject(error) && typeof error.message === 'string');

/** A refusal of the whole message has no id, but it is the answer to this request. */
function identified(answer: WireMessage, { id }: WireMessage): WireMessage {
  return answer.id == null && id !== undefined ? { ...answer, id } : answer;
}

const MOST_REDIRECTS = 5;

/**
 * After 301 to 303, a client may change a POST to a GET (RFC 9110, 15.4), and no server accepts that as a
 * call.
 */
function nextOf(at: URL, status: number, location: string): URL {
  const next = readUrl(location, at);
  if (next?.origin === at.origin && (status === 307 || status === 308)) return next;
  throw new CommandError(
    `${at} redirects to ${next ?? location}. The command sends no call and no header there. If you trust this address, pass it as --url.`,
  );
}
