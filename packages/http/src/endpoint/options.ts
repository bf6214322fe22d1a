import { readUrl } from '@toolwright/json';
import type { IncomingMessage } from 'node:http';
import type { Principal } from '@toolwright/core';
import { type Duration, optionRules, type OptionSchema, type WithDefaults } from '@toolwright/core/options';
import type { MaybePromise } from '@toolwright/core/transport';
import { type ChallengeForm, type ChallengeParameters, challengeText } from './bearer.js';
import type { OAuthResourceServer } from './resource-server.js';
import type { Authenticate } from './authentication.js';

/**
 * The options of an endpoint over HTTP, however it is mounted.
 *
 * @template Req `IncomingMessage` for `mcpHttp`, `Request` for `mcpFetch`
 */
export interface EndpointOptions<Req = IncomingMessage> {
  /**
   * The host names (or `name:port`) under which clients may address the endpoint. Default: only loopback
   * names, and only requests from this machine. This keeps a web page from reaching a local server through a
   * name of the page's own (DNS rebinding).
   */
  allowedHosts?: readonly string[];
  /**
   * The origins whose pages may send requests and read the answers, such as `https://app.example.com`. Pages
   * of an allowed host may send requests without being listed, as pages may to their own server. Default:
   * none.
   */
  allowedOrigins?: readonly string[];
  /**
   * Answers browsers that ask whether a page may send and read (CORS): pages of listed origins may, others
   * may not. Default true.
   */
  cors?: boolean;
  /** The largest body in bytes. Default 1 MiB. */
  maxBodyBytes?: number;
  /**
   * How many bytes may wait in this process until clients read them, for all clients together. A message may be as large
   * as the output allows; when too much waits, the client that has taken nothing for longest is cut off. Default 64 MiB.
   */
  maxUnreadBytes?: number;
  /**
   * How long a stream may be quiet before a comment is sent that keeps it open. Default 15 seconds.
   * More than 0; `Infinity`: no comments.
   */
  keepAlive?: Duration;
  /** Also serves the HTTP+SSE transport of 2024-11-05, on the same path. Default false. */
  sse?: boolean;
  /**
   * Shows a page to people who open the endpoint in a browser: what this server is, and how to connect
   * applications to it. Clients of the protocol never get it. Default true; false under strict security.
   */
  landing?: boolean;
  /**
   * The URL of the endpoint as callers know it, such as `https://mcp.example.com/mcp`. The landing page shows
   * it. Default: the `resource` of `oauth`, or else the Host and the path of the request, with https unless
   * the Host is a name of this machine.
   */
  publicUrl?: string;
  /**
   * Returns the caller, when something in front of this handler has authenticated it. `undefined` or `null`
   * means an anonymous caller. With `oauth`, such a caller must bring a token. Without `oauth`, it is
   * answered with 401 when an operation needs scopes.
   */
  principal?: (req: Req) => MaybePromise<Principal | null | undefined>;
  /** Authenticates the caller, or answers with a challenge. It runs before the body is read. */
  authenticate?: Authenticate<Req>;
  /** Lets callers authenticate with OAuth access tokens. `oauthResourceServer` makes it. */
  oauth?: OAuthResourceServer;
}

const { callback, durationToInfinity, flag, listOf, named, objectWith, positiveCount, text, webUrl } =
  optionRules;
const MEBIBYTE = 1_048_576;
const bytes = { ...named('a number of bytes', positiveCount), default: MEBIBYTE };

/** A Host header, in parts. */
export const HOST_PARTS = /^(\[[0-9a-f:.]+\]|[^:[\]/\s@*]+)(?::\d{1,5})?$/i;

// What no browser and no client sends would be listed in vain, and every request refused.
const hostName = {
  ...text,
  accepts: (value: unknown) => typeof value === 'string' && HOST_PARTS.test(value),
};
const origin = {
  ...text,
  accepts: (value: unknown) =>
    typeof value === 'string' && /^(null|[a-z][a-z0-9+.-]*:\/\/[^/\s*]+\/?)$/i.test(value),
};

function hostOfUrl(value: unknown): string | undefined {
  const host = typeof value === 'string' && readUrl(value)?.host;
  return host ? `Write ${host}, without the scheme and the path.` : undefined;
}

/** Every option of an endpoint, with its rule and its default. */
export const endpointOptions = {
  allowedHosts: { ...listOf('a list of host names', hostName), remedy: hostOfUrl },
  allowedOrigins: { ...listOf("a list of origins such as 'https://app.example.com'", origin), default: [] },
  cors: { ...flag, default: true },
  maxBodyBytes: bytes,
  maxUnreadBytes: { ...bytes, default: 64 * MEBIBYTE },
  keepAlive: { ...durationToInfinity, default: 15_000 },
  sse: { ...flag, default: false },
  landing: flag,
  publicUrl: webUrl,
  principal: callback,
  authenticate: callback,
  oauth: objectWith('what oauthResourceServer makes', 'authenticate', 'metadata'),
} satisfies OptionSchema<EndpointOptions<never>>;

type CheckedOptions<Req> = WithDefaults<EndpointOptions<Req>, typeof endpointOptions>;

/** The options of an endpoint, as it uses them. Without `landing`, it is as the security of the server wants it. */
export interface EndpointSettings<Req = never> extends Pick<
  CheckedOptions<never>,
  | 'allowedHosts'
  | 'allowedOrigins'
  | 'cors'
  | 'maxBodyBytes'
  | 'maxUnreadBytes'
  | 'sse'
  | 'landing'
  | 'publicUrl'
> {
  readonly keepAliveMs: number;
  /** Where clients learn how to get a token. */
  readonly resourceMetadata: string | undefined;
  /** The value of `WWW-Authenticate`. */
  readonly writeChallenge: (parameters: ChallengeParameters) => string;
  /** Is called before the first request is served. */
  readonly serve: OAuthResourceServer['serve'] | undefined;
  /** The form in which callers learn which scopes they lack. */
  readonly challenge: ChallengeForm;
  readonly authenticate: Authenticate<Req> | undefined;
  /** The option that says who calls. */
  readonly callersFrom: 'authenticate' | 'principal' | 'oauth';
  /** What the tools of the server get with these options. */
  readonly attach: OAuthResourceServer['attach'] | undefined;
  /** Returns the address of the caller. Default: `address`, the other end of the connection. */
  readonly ip: ((req: Req, address?: string) => string | undefined) | undefined;
  /** What the operator hears in place of an address that is missing, as over a Unix socket. Default: nothing. */
  readonly missingAddress?: string;
}

export function endpointSettings<Req extends IncomingMessage | Request>(
  { principal, oauth, authenticate, keepAlive, ...options }: CheckedOptions<Req>,
  ip?: EndpointSettings<Req>['ip'],
): EndpointSettings<Req> {
  return {
    ...options,
    keepAliveMs: keepAlive,
    publicUrl: options.publicUrl ?? oauth?.resource,
    resourceMetadata: oauth?.metadataUrl,
    writeChallenge: oauth?.writeChallenge ?? ((parameters) => challengeText('Bearer', parameters)),
    serve: oauth?.serve,
    challenge: oauth?.challenge ?? 'auto',
    authenticate: authenticate ?? authenticateBy(principal, oauth),
    callersFrom: authenticate ? 'authenticate' : principal ? 'principal' : 'oauth',
    attach: oauth?.attach,
    ip,
  };
}

/**
 * A caller that was authenticated in front of this handler needs no token. Everybody else does, if tokens are
 * accepted.
 */
function authenticateBy<Req extends IncomingMessage | Request>(
  principal: EndpointOptions<Req>['principal'],
  oauth: OAuthResourceServer | undefined,
): Authenticate<Req> | undefined {
  if (!principal) return oauth?.authenticate;
  return async (req) => {
    const known = (await principal(req)) ?? undefined;
    return known || !oauth ? { principal: known } : oauth.authenticate(req);
  };
}
