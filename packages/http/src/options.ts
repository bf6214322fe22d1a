import type { IncomingMessage } from 'node:http';
import type { MaybePromise, Principal } from '@toolwright/core';
import { optionRules, parseOptions, type OptionSchema } from '@toolwright/core/options';
import type { OAuthResourceServer } from './auth/oauth-resource-server.js';
import type { Authenticate } from './authentication.js';

/** What an endpoint over HTTP can be told, however it is mounted. */
export interface McpHttpOptions {
  /**
   * Host names (or `name:port`) under which the endpoint may be addressed. Default: loopback names alone, so that no
   * page can reach a local server through a name of its own (DNS rebinding), and requests of this machine alone.
   */
  allowedHosts?: readonly string[];
  /**
   * Origins whose pages may send requests and read the answers, such as `https://app.example.com`. Pages of allowed hosts
   * may send requests without being listed, as pages do to the server that they came from. Default: none.
   */
  allowedOrigins?: readonly string[];
  /** Answer browsers that ask whether a page may send and read (CORS): listed origins may, others not. Default true. */
  cors?: boolean;
  /** Largest body in bytes. Default 1 MiB. */
  maxBodyBytes?: number;
  /** Bytes that may wait for a slow reader of a stream before it is cut off. Default 1 MiB. */
  maxBufferedBytes?: number;
  /** Milliseconds between the comments that keep a quiet stream open. Default 15,000. */
  keepAliveMs?: number;
  /** Serve the HTTP+SSE transport of 2024-11-05 too, on the same path. Default false. */
  sse?: boolean;
  /**
   * Who calls, when something in front of this handler has authenticated them. Nobody (`undefined` or `null`) is an
   * anonymous caller: one that must bring a token where `oauth` is set, else one that is answered with 401 when an operation
   * needs scopes.
   */
  principal?: (req: IncomingMessage) => MaybePromise<Principal | null | undefined>;
  /** Authenticates the caller, or answers with a challenge. Runs before the body is read. */
  authenticate?: Authenticate;
  /** Callers bring OAuth access tokens; made by `oauthResourceServer`. */
  oauth?: OAuthResourceServer;
  /**
   * The address of the caller, which limits and records go by. Default: the other end of the connection. Behind a proxy,
   * read what your own proxy writes, such as `X-Real-IP`; a caller can write that header, too, where no proxy replaces it.
   */
  ip?: (req: IncomingMessage) => string | undefined;
}

const { callback, flag, listOf, milliseconds, named, objectWith, positiveCount, text } = optionRules;
const MEBIBYTE = 1_048_576;
const bytes = { ...named('a number of bytes', positiveCount), default: MEBIBYTE };

/** Every option of an endpoint with its rule and its default. For mounts, which check their options with it. */
export const mcpHttpOptions = {
  allowedHosts: listOf('a list of host names', text),
  allowedOrigins: listOf('a list of origins', text),
  cors: { ...flag, default: true },
  maxBodyBytes: bytes,
  maxBufferedBytes: bytes,
  keepAliveMs: { ...milliseconds, default: 15_000 },
  sse: { ...flag, default: false },
  principal: callback,
  authenticate: callback,
  oauth: objectWith('what oauthResourceServer makes', 'authenticate', 'metadata'),
  ip: callback,
} satisfies OptionSchema<McpHttpOptions>;

export interface McpHttpSettings extends Required<
  Omit<McpHttpOptions, 'principal' | 'authenticate' | 'oauth' | 'allowedHosts' | 'ip'>
> {
  ip: McpHttpOptions['ip'];
  /** Named in challenges: where clients learn how to get a token. */
  resourceMetadata: string | undefined;
  allowedHosts: readonly string[] | undefined;
  authenticate: Authenticate | undefined;
}

/** @throws {ConfigurationError} with everything that is wrong with the options */
export function resolveHttpOptions(given: McpHttpOptions): McpHttpSettings {
  const options = parseOptions('mcpHttp', mcpHttpOptions, given);
  const { principal, oauth } = options;
  return {
    allowedHosts: options.allowedHosts,
    allowedOrigins: options.allowedOrigins ?? [],
    cors: options.cors,
    maxBodyBytes: options.maxBodyBytes,
    maxBufferedBytes: options.maxBufferedBytes,
    keepAliveMs: options.keepAliveMs,
    sse: options.sse,
    resourceMetadata: oauth?.metadataUrl,
    authenticate: options.authenticate ?? authenticateBy(principal, oauth),
    ip: options.ip,
  };
}

/** Who was authenticated in front of this handler needs no token; everybody else does, where tokens are taken. */
function authenticateBy(
  principal: McpHttpOptions['principal'],
  oauth: OAuthResourceServer | undefined,
): Authenticate | undefined {
  if (!principal) return oauth?.authenticate;
  return async (req) => {
    const known = (await principal(req)) ?? undefined;
    return known || !oauth ? { principal: known } : oauth.authenticate(req);
  };
}
