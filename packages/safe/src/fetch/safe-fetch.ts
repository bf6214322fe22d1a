import { orAborted } from '@toolwright/json';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isToolwrightError } from '@toolwright/core';
import {
  type Duration,
  optionRules,
  parseOptions,
  type OptionSchema,
  type WithDefaults,
} from '@toolwright/core/options';
import { systemClock } from '@toolwright/core/ports';
import { refusal } from '../errors/refusal.js';
import { type Resolver, addressPolicy, pinAddress, systemResolver } from './address-policy.js';
import { checkUrl, hostOf, urlRules, type UrlRules } from './check-url.js';
import { type Hop, followRedirect, readBody, sendRequest } from './send-request.js';

export interface SafeFetchOptions extends UrlRules {
  /** Default `GET`. */
  method?: string;
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
  /** The largest body in bytes. Default 5 MiB. */
  maxBytes?: number;
  /**
   * How long everything together may take: lookups, redirects and the body. Default 10 seconds. More than 0;
   * `Infinity`: any time.
   */
  timeout?: Duration;
  /** Default 5. */
  maxRedirects?: number;
  /** Address ranges (CIDR) that are allowed although they are not public. */
  allowedAddresses?: readonly string[];
  /** Aborting it ends the request. Pass `ctx.signal`. */
  signal?: AbortSignal;
  /** Looks up host names. Default: the operating system does. */
  resolve?: Resolver;
}

export interface SafeResponse {
  /** The URL that the answer came from, after all redirects. */
  url: string;
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** The body, decoded as UTF-8. */
  text(): string;
}

const { anyObject, callback, count, durationToInfinity, either, filledText, listOf, named, positive } =
  optionRules;

/**
 * Every option with its rule and its default. Unknown options are an error, because a misspelt `allowedHosts`
 * would allow every host.
 */
const safeFetchOptions = {
  ...urlRules,
  method: { ...filledText, default: 'GET' },
  headers: { ...anyObject, default: {} },
  body: named('a string or bytes', either(optionRules.text, optionRules.bytes)),
  maxBytes: { ...named('a number of bytes', positive), default: 5 * 1024 * 1024 },
  timeout: { ...durationToInfinity, default: 10_000 },
  maxRedirects: { ...named('a number of redirects', count), default: 5 },
  allowedAddresses: listOf('a list of address ranges', optionRules.text),
  signal: optionRules.abortSignal,
  resolve: callback,
} satisfies OptionSchema<SafeFetchOptions>;

type SafeFetchSettings = WithDefaults<SafeFetchOptions, typeof safeFetchOptions>;

/**
 * Fetches a URL that a model, a user or a document supplied. It connects only to the public internet.
 * Loopback, private, link-local and cloud metadata addresses are refused in every notation. The check uses
 * the very address that is then connected to, and runs again at each redirect. Size and time are limited.
 *
 * @throws ToolError `TW_SAFE_URL`, `TW_SAFE_ADDRESS`, `TW_SAFE_FETCH`, `TW_SAFE_TOO_LARGE` or
 *   `TW_SAFE_TIMEOUT`
 *
 * @example
 * const page = await safeFetch(url, { signal: ctx.signal, maxBytes: 200_000 });
 * return page.text();
 */
export async function safeFetch(url: string | URL, given: SafeFetchOptions = {}): Promise<SafeResponse> {
  const options = parseOptions('safeFetch', safeFetchOptions, given);
  const { signal, method, headers, body } = options;
  const limit = new AbortController();
  const { signal: timeout } = limit;
  const ended = AbortSignal.any(signal ? [signal, timeout] : [timeout]);
  const first = {
    url: checkUrl(String(url), undefined, options),
    method,
    headers: checkHeaders(headers),
    body,
  };
  const stopClock = systemClock.after(options.timeout, () => limit.abort());
  try {
    return await followHops(first, { ...options, signal: ended });
  } catch (error) {
    signal?.throwIfAborted();
    if (timeout.aborted)
      throw refusal('TW_SAFE_TIMEOUT', `The request took longer than ${options.timeout} ms.`, error);
    if (isToolwrightError(error)) throw error;
    throw refusal('TW_SAFE_FETCH', `The request to ${hostOf(first.url)} failed.`, error);
  } finally {
    stopClock();
  }
}

async function followHops(
  first: Hop,
  options: SafeFetchSettings & { signal: AbortSignal },
): Promise<SafeResponse> {
  const { maxRedirects, maxBytes, allowedAddresses, resolve = systemResolver, signal } = options;
  const allows = addressPolicy(allowedAddresses);
  let hop = first;
  for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
    // A lookup cannot be stopped, but the caller need not wait for it.
    const pinned = await orAborted(signal, pinAddress(hostOf(hop.url), allows, resolve));
    const response = await sendRequest(hop, pinned, signal);
    const next = followRedirect(hop, response, options);
    if (!next) return await readAnswer(hop, response, maxBytes);
    response.destroy();
    hop = next;
  }
  throw refusal('TW_SAFE_FETCH', `There were more than ${maxRedirects} redirects.`);
}

async function readAnswer({ url }: Hop, response: IncomingMessage, maxBytes: number): Promise<SafeResponse> {
  const { headers, statusCode = 0 } = response;
  // The request asked for no compression. A small compressed body can become a very large one.
  const coding = headers['content-encoding'];
  if (coding && coding !== 'identity') {
    response.destroy();
    throw refusal(
      'TW_SAFE_FETCH',
      'The server sent a compressed response, although the request allowed none.',
    );
  }
  const body = await readBody(response, maxBytes);
  return { url: url.href, status: statusCode, headers, body, text: () => body.toString('utf8') };
}

/** These headers decide where a request goes or where it ends, so a caller must not set them. */
const OWN_HEADERS = [
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'upgrade',
  'expect',
  'te',
  'trailer',
];

function checkHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const lowered = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  const own = lowered.find(([name]) => OWN_HEADERS.includes(name) || name.startsWith('proxy-'));
  if (own) throw refusal('TW_SAFE_FETCH', `The header ${own[0]} cannot be set.`);
  return Object.fromEntries(lowered);
}
