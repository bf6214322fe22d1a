import { cutLine, isObject, isWebUrl, mediaTypeIn, readUrl, type RecordedRequest } from '@toolwright/json';
import { type SignInProblemCode, SignInProblem } from './problems.js';

/** What came back for one request. */
export interface SignInAnswer {
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body, if it is a JSON object; of a stream of events, the last answer, or else the last message. */
  readonly json: Readonly<Record<string, unknown>> | undefined;
}

/** Sends requests, and keeps what it has sent. */
export class Wire {
  exchanges: RecordedRequest[] = [];

  constructor(
    private readonly fetch: typeof globalThis.fetch,
    private readonly timeoutMs: number,
  ) {}

  /**
   * @param unreachable what is reported if no answer comes
   * @param unfinished what is reported if an answer begins and does not end
   */
  async ask(
    unreachable: SignInProblemCode,
    url: string | URL,
    init: RequestInit = {},
    unfinished = unreachable,
  ): Promise<SignInAnswer> {
    const method = init.method ?? 'GET';
    const shown = withoutQuery(url);
    const signal = AbortSignal.timeout(this.timeoutMs);
    let response: Response | undefined;
    try {
      response = await this.fetch(url, { redirect: 'manual', ...init, signal });
      const text = await bounded(response);
      const { status, headers } = response;
      return { url: shown, status, headers, text, json: objectIn(text, headers) };
    } catch (error) {
      const reason = reasonOf(error);
      if (!response) throw new SignInProblem(unreachable, `${shown} does not answer: ${reason}.`);
      const { status, headers } = response;
      throw new SignInProblem(
        unfinished,
        `${shown} answered ${status} as ${mediaTypeOf(headers)}, and the answer does not end: ${reason}.`,
      );
    } finally {
      this.exchanges.push({ method, url: shown, status: response?.status });
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
  return whole.split('\n').some((line) => line.startsWith('data:') && /"(?:result|error)"\s*:/.test(line));
}

export const mediaTypeOf = (headers: Headers): string =>
  mediaTypeIn(headers.get('content-type')) || 'no media type';

const isEventStream = (headers: Headers) => mediaTypeOf(headers) === 'text/event-stream';

function objectIn(text: string, headers: Headers): Readonly<Record<string, unknown>> | undefined {
  const events = isEventStream(headers)
    ? [...text.matchAll(/^data: ?(.*)$/gm)].map(([, data]) => data!)
    : [text];
  const objects = events.reverse().flatMap((each) => {
    try {
      const value: unknown = JSON.parse(each);
      return isObject(value) ? [value] : [];
    } catch {
      return []; // It is a page, or text.
    }
  });
  return objects.find(({ result, error }) => result ?? error) ?? objects[0];
}

/** True when something answered that is neither the server nor the issuer: these answer programs in JSON. */
export function isFromBetween({ status, headers, text, json }: SignInAnswer): boolean {
  if (json || status < 300 || status === 404 || status === 405) return false;
  // A server writes a page of its own about an error of its own.
  const isPage = status !== 500 && /^\s*<(?:!doctype|html)/i.test(text);
  const isMarked = ['cf-ray', 'x-amz-cf-id', 'x-azure-ref', 'x-akamai-request-id', 'x-sucuri-id'].some(
    (name) => headers.has(name),
  );
  return isPage || isMarked || status === 502 || status === 504 || (status >= 300 && status < 400);
}

/** What an answer is, in few words. */
export function described({ url, status, headers, text, json }: SignInAnswer): string {
  const location = headers.get('location');
  const target = status < 400 && location !== null ? readUrl(location, url)?.href : undefined;
  const to = isWebUrl(target) ? `, to ${withoutQuery(target)}` : '';
  const body = json ? oneLine(messageOf(json)) : firstWords(text);
  const wait = headers.get('retry-after');
  const later = wait === null ? '' : `, Retry-After: ${oneLine(wait)}`;
  return `${url} answered ${status}${to}${later}${body && ` (${body})`}`;
}

/** The first words of a text, or the title of a page. */
export function firstWords(text: string): string {
  if (!/^\s*</.test(text)) return oneLine(text);
  const title = oneLine(/<title\b[^<>]{0,80}>([^<]{1,160})/i.exec(text)?.[1] ?? '');
  return `a page of HTML${title && `: ${title}`}`;
}

function messageOf({ error, error_description: detail, message }: Readonly<Record<string, unknown>>): string {
  const nested =
    typeof error === 'object' && error !== null ? (error as { message?: unknown }).message : error;
  return [nested, detail, message].filter((each) => typeof each === 'string').join(': ');
}

const oneLine = (text: string): string => cutLine(text, 160);

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
