import { readUrl } from '@toolwright/json';
import type { IncomingMessage } from 'node:http';
import type { Principal } from '@toolwright/core';
import { type OptionSchema, optionRules, parseOptions } from '@toolwright/core/options';
import { challenge, type Authenticated, headerOf } from './authenticated.js';

type MaybePromise<T> = T | Promise<T>;

export interface SessionPrincipalOptions<Req extends IncomingMessage = IncomingMessage> {
  /** Returns who is signed in, from what your middleware has left at the request. `undefined` or `null`: nobody. */
  principal: (req: Req) => MaybePromise<Principal | null | undefined>;
  /** The origins whose pages may call, such as `https://app.example.com`. */
  origins: readonly string[];
  /** Authenticates requests without a session, such as `oauth.authenticate`. Default: they are anonymous. */
  or?: (req: Req) => unknown;
}

const { callback, listOf, required, text } = optionRules;

const sessionOptions = {
  principal: required(callback),
  origins: required(listOf('a list of origins', text)),
  or: callback,
} satisfies OptionSchema<SessionPrincipalOptions>;

/**
 * Lets people call who are signed in with your application: with a session cookie, or by any middleware of Express. A browser
 * sends cookies with the requests of every page, so a session counts only for requests of the pages that you list.
 *
 * @throws {ConfigurationError} for options that are unknown, missing or of the wrong type
 * @example
 * app.use('/mcp', session, mcpExpress(server, { authenticate: sessionPrincipal({ principal, origins }) }));
 */
export function sessionPrincipal<Req extends IncomingMessage = IncomingMessage>(
  given: SessionPrincipalOptions<Req>,
): (req: Req) => Promise<Authenticated> {
  parseOptions('sessionPrincipal', sessionOptions, given as never);
  const { principal, origins, or } = given;
  const allowed = new Set(origins);
  const hosts = new Set(origins.flatMap((origin) => readUrl(origin)?.host ?? []));
  // Browsers send no Origin with a GET to the page's own origin. No page can write Sec-Fetch-Site.
  const isOwnGet = ({ method, headers }: IncomingMessage) =>
    method === 'GET' && headers['sec-fetch-site'] === 'same-origin' && hosts.has(headers.host ?? '');
  return async (req) => {
    const known = (await principal(req)) ?? undefined;
    if (!known) return or ? ((await or(req)) as Authenticated) : { principal: undefined };
    // A program that is not a browser has no session cookie of a person, unless it has stolen one.
    const origin = headerOf(req, 'origin');
    if (origin === undefined ? !isOwnGet(req) : !allowed.has(origin))
      return challenge(403, 'claims', 'A session counts only for the pages of this application.');
    return { principal: known };
  };
}
