import { hasCredentials, isLoopback, LOOPBACK_HOSTS, readUrl } from '@toolwright/json';
import type { OptionRule } from '@toolwright/core/options';

/** The text before the `*`: a scheme, the whole host if there is one, and the beginning of a path. */
const BEGINNING = /^[^:/?#]+:(?:\/\/[^/?#]+\/|\/(?!\/))[^?#]*$/;

/** The rule for the option `redirects`. A pattern that could match nothing would let nobody in, in silence. */
export const redirectPatterns: OptionRule = {
  expected: 'a list of URLs',
  accepts: (value) => Array.isArray(value) && value.every((each) => typeof each === 'string'),
  inside: (value, { path }) =>
    (value as string[]).flatMap((pattern, index) => {
      const wrong = problemOf(pattern);
      return wrong === undefined
        ? []
        : [
            {
              message: `The option "${path}[${index}]" is ${JSON.stringify(pattern)}: ${wrong}`,
              fix: 'List a whole address, or the beginning of one that ends in "*", such as "https://app.example.com/*".',
            },
          ];
    }),
};

function problemOf(pattern: string): string | undefined {
  const [, host = ''] = /^http:\/\/([^/]+):\*/.exec(pattern) ?? [];
  if (LOOPBACK_HOSTS.has(host)) return `any port of this computer counts. Write "http://${host}/*".`;
  const isBeginning = pattern.endsWith('*');
  const text = isBeginning ? pattern.slice(0, -1) : pattern;
  if (text.includes('*')) return 'a "*" can only be its last character.';
  const url = readUrl(text);
  if (isBeginning && (url === undefined || !BEGINNING.test(text)))
    return 'before the "*" must be the scheme, the whole host and a slash.';
  if (url === undefined) return 'it is no URL.';
  if (url.hash !== '' || hasCredentials(url))
    return 'nobody is sent to an address with a fragment, a user or a password.';
  return undefined;
}

/**
 * What programs behind an address may take for a step upwards or for a slash, although a URL reads it otherwise: `..%2f`, `..;`. A code
 * could then go to a path that is not listed.
 */
const MAY_LEAVE = /%2f|%5c|\/(?:\.|%2e){1,2};/i;

/** True if a client may be sent back to this address. */
export function isAllowedRedirect(uri: string, allowed: readonly string[]): boolean {
  if (readUrl(uri) === undefined || uri.includes('#')) return false;
  const asked = withoutLoopbackPort(uri);
  if (hasCredentials(asked)) return false;
  return allowed.some((each) => {
    const wanted = withoutLoopbackPort(each.endsWith('*') ? each.slice(0, -1) : each);
    if (asked.protocol !== wanted.protocol || asked.host !== wanted.host) return false;
    if (!each.endsWith('*')) return asked.href === wanted.href;
    return asked.pathname.startsWith(wanted.pathname) && !MAY_LEAVE.test(asked.pathname);
  });
}

/** An application on this machine takes any free port (RFC 8252, section 7.3). */
function withoutLoopbackPort(uri: string): URL {
  const url = new URL(uri);
  if (url.protocol === 'http:' && isLoopback(url)) url.port = '';
  return url;
}
