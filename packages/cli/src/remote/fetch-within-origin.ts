import { CommandError } from '../command-error.js';

const MOST_REDIRECTS = 5;

/**
 * Fetches a URL, and follows redirects that repeat the request within the same origin. No body and no header
 * may be sent to another origin: any header can be a credential, and `fetch` knows only three of them.
 *
 * @throws {CommandError} if a redirect leads to another origin, or redirects never end
 */
export async function fetchWithinOrigin(url: URL, request: RequestInit): Promise<Response> {
  let at = url;
  for (let hop = 0; hop <= MOST_REDIRECTS; hop++) {
    const response = await fetch(at, { ...request, redirect: 'manual' });
    const location = response.headers.get('location');
    if (location === null || response.status < 300 || response.status > 399) return response;
    await response.body?.cancel();
    at = nextOf(at, response.status, location);
  }
  throw new CommandError(`${url} redirects more than ${MOST_REDIRECTS} times.`);
}

/**
 * After 301 to 303, a client may change a POST to a GET (RFC 9110, 15.4), and no server accepts that as a
 * call.
 */
function nextOf(at: URL, status: number, location: string): URL {
  const next = URL.canParse(location, at.href) ? new URL(location, at) : undefined;
  if (next?.origin === at.origin && (status === 307 || status === 308)) return next;
  throw new CommandError(
    `${at} redirects to ${next ?? location}. The command sends no call and no header there. If you trust this address, pass it as --url.`,
  );
}
