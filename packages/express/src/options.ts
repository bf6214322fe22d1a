import type { IncomingMessage } from 'node:http';
import {
  optionRules,
  parseOptions,
  type MaybePromise,
  type OptionSchema,
  type Principal,
} from '@toolwright/core';
import type { OAuthResourceServer } from './auth/oauth-resource-server.js';
import type { Authenticate } from './authentication.js';

/** What `mcpExpress` can be told. */
export interface McpHttpOptions {
  /**
   * Host names (or `name:port`) under which the endpoint may be addressed. Default: loopback names alone, so that no
   * page can reach a local server through a name of its own (DNS rebinding).
   */
  allowedHosts?: readonly string[];
  /** Origins of browsers' requests, such as `https://app.example.com`. Default: origins on allowed hosts. */
  allowedOrigins?: readonly string[];
  /** Let pages of allowed origins read the answers (CORS). Default true. */
  cors?: boolean;
  /** Largest body in bytes. Default 1 MiB. */
  maxBodyBytes?: number;
  /** Bytes that may wait for a slow reader of a stream before it is cut off. Default 1 MiB. */
  maxBufferedBytes?: number;
  /** Milliseconds between the comments that keep a quiet stream open. Default 15,000. */
  keepAliveMs?: number;
  /** Serve the HTTP+SSE transport of 2024-11-05 too, on the same path. Default false. */
  sse?: boolean;
  /** Who calls, when something in front of this handler has authenticated them. */
  principal?: (req: IncomingMessage) => MaybePromise<Principal | undefined>;
  /** Authenticates the caller, or answers with a challenge. Runs before the body is read. */
  authenticate?: Authenticate;
  /** Callers bring OAuth access tokens; made by `oauthResourceServer`. */
  oauth?: OAuthResourceServer;
}

const { callback, flag, listOf, milliseconds, named, objectWith, positiveCount, text } = optionRules;
const MEBIBYTE = 1_048_576;
const bytes = { ...named('a number of bytes', positiveCount), default: MEBIBYTE };

/** Every option of `mcpExpress` with its rule and its default. */
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
} satisfies OptionSchema<McpHttpOptions>;

export interface McpHttpSettings extends Required<
  Omit<McpHttpOptions, 'principal' | 'authenticate' | 'oauth' | 'allowedHosts'>
> {
  /** Named in challenges: where clients learn how to get a token. */
  resourceMetadata: string | undefined;
  allowedHosts: readonly string[] | undefined;
  authenticate: Authenticate | undefined;
}

/** @throws {ConfigurationError} with everything that is wrong with the options */
export function resolveHttpOptions(given: McpHttpOptions): McpHttpSettings {
  const options = parseOptions('mcpExpress', mcpHttpOptions, given);
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
    authenticate:
      options.authenticate ??
      oauth?.authenticate ??
      (principal && (async (req) => ({ principal: await principal(req) }))),
  };
}
