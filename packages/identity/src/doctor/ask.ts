import { cutText, isObject, type RecordedRequest, replaceHidden } from '@toolwright/json';
import { type SignInProblemCode, SignInProblem } from './problems.js';

/** What came back for one request. */
export interface SignInAnswer {
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body, if it is a JSON object, or the last message of a stream of events. */
  readonly json: Readonly<Record<string, unknown>> | undefined;
}

/** Sends requests, and keeps what it has sent. */
export class Wire {
  exchanges: RecordedRequest[] = [];

  constructor(
    private readonly fetch: typeof globalThis.fetch,
    private readonly timeoutMs: number,
  ) {}

  /** @param unreachable what is reported if no answer comes */
  async ask(
    unreachable: SignInProblemCode,
    url: string | URL,
    init: RequestInit = {},
  ): Promise<SignInAnswer> {
    const method = init.method ?? 'GET';
    const shown = withoutQuery(url);
    try {
      const signal = AbortSignal.timeout(this.timeoutMs);
      const response = await this.fetch(url, { redirect: 'manual', ...init, signal });
      const text = await bounded(response);
      this.exchanges.push({ method, url: shown, status: response.status });
      const { status, headers } = response;
      return { url: shown, status, headers, text, json: objectIn(text, headers) };
    } catch (error) {
      this.exchanges.push({ method, url: shown, status: undefined });
      throw new SignInProblem(unreachable, `${shown} does not answer: ${reasonOf(error)}.`);
    }
  }
}

/** Metadata and pages of refusal are small. A stream that never ends must not hold the doctor. */
const MOST_CHARACTERS = 262_144;

async function bounded(response: Response): Promise<string> {
  if (!response.body) return '';
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      text += decoder.decode(value, { stream: !done });
      if (done || text.length > MOST_CHARACTERS || isWholeEvent(response, text)) return text;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** The first message with a result or an error is the answer; a server may keep its stream open. */
function isWholeEvent(response: Response, text: string): boolean {
  if (!isEventStream(response.headers)) return false;
  const whole = text.slice(0, Math.max(text.lastIndexOf('\n\n'), text.lastIndexOf('\n\r\n'), 0));
  return whole.split('\n').some((line) => line.startsWith('data:') && /"(?:result|error)"/.test(line));
}

const isEventStream = (headers: Headers) =>
  (headers.get('content-type') ?? '').startsWith('text/event-stream');

function objectIn(text: string, headers: Headers): Readonly<Record<string, unknown>> | undefined {
  const events = isEventStream(headers)
    ? [...text.matchAll(/^data: ?(.*)$/gm)].map(([, data]) => data!)
    : [text];
  for (const each of events.reverse()) {
    try {
      const value: unknown = JSON.parse(each);
      if (isObject(value)) return value;
    } catch {
      // It is a page, or text.
    }
  }
  return undefined;
}

/** True when something answered that is neither the server nor the issuer: these answer programs in JSON. */
export function isFromBetween({ status, headers, text, json }: SignInAnswer): boolean {
  if (json || status < 300 || status === 404 || status === 405) return false;
  const isPage = /^\s*<(?:!doctype|html)/i.test(text);
  const isMarked = ['cf-ray', 'x-amz-cf-id', 'x-azure-ref', 'x-akamai-request-id', 'x-sucuri-id'].some(
    (name) => headers.has(name),
  );
  return isPage || isMarked || status === 502 || status === 504 || (status >= 300 && status < 400);
}

/** What an answer is, in few words. */
export function described({ url, status, text, json }: SignInAnswer): string {
  const body = json ? oneLine(messageOf(json)) : /^\s*</.test(text) ? 'a page of HTML' : oneLine(text);
  return `${url} answered ${status}${body && ` (${body})`}`;
}

function messageOf({ error, error_description: detail, message }: Readonly<Record<string, unknown>>): string {
  const nested =
    typeof error === 'object' && error !== null ? (error as { message?: unknown }).message : error;
  return [nested, detail, message].filter((each) => typeof each === 'string').join(': ');
}

function oneLine(text: string): string {
  const line = replaceHidden(text, () => ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return cutText(line, 160, '…');
}

export function withoutQuery(url: string | URL): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}

function reasonOf(error: unknown): string {
  const { cause, name, message } = error as Error;
  if (name === 'TimeoutError') return 'it took too long';
  const { code, message: inner } = (cause ?? {}) as { code?: string; message?: string };
  return code ?? inner ?? message;
}
