import type { IncomingHttpHeaders } from 'node:http';

/** Why a request is refused. */
export interface RequestFault {
  readonly status: number;
  readonly message: string;
}

/** What of a request decides. */
export interface RequestFacts {
  readonly method?: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders?: readonly string[];
}

/**
 * The fault of a request that a foreign page may have sent; `undefined` when it may pass. A page can point a name of
 * its own at this machine (DNS rebinding), and can send requests with the cookies of its visitor (CSRF). But it cannot
 * choose what the browser writes into Host, Origin and Sec-Fetch-Site.
 *
 * @param host the authority by which the console is reached; pages of it are its own
 */
export function findRequestFault(
  { method, headers, rawHeaders }: RequestFacts,
  host: string,
): RequestFault | undefined {
  if (repeatsHost(rawHeaders)) return TWO_HOSTS;
  if (headers.host !== host) return { status: 421, message: 'The console does not answer under this name.' };
  const { origin, 'sec-fetch-site': site } = headers;
  if (origin !== undefined && !isOwn(origin, host))
    return { status: 403, message: 'Only the page of the console may ask this.' };
  // `none`: the person typed the address, or opened it from another program.
  const isOpened = site === 'none' && (method === 'GET' || method === 'HEAD');
  if (site !== undefined && site !== 'same-origin' && !isOpened)
    return { status: 403, message: 'Only the page of the console may ask this.' };
  if (method === 'POST' && !/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? ''))
    // Forms of foreign pages cannot send this type.
    return { status: 415, message: 'Send application/json.' };
  return undefined;
}

export const TWO_HOSTS: RequestFault = { status: 400, message: 'A request has one Host.' };

/** True when a request names two hosts. Node keeps the first one, and a proxy in front may have looked at the other. */
export function repeatsHost(rawHeaders: readonly string[] = []): boolean {
  const names = rawHeaders.filter((_, index) => index % 2 === 0);
  return names.filter((name) => name.toLowerCase() === 'host').length > 1;
}

/** Behind a proxy the scheme of the page is not known here; the authority says enough. */
function isOwn(origin: string, host: string): boolean {
  return origin === `http://${host}` || origin === `https://${host}`;
}
