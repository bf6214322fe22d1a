import type { IncomingMessage } from 'node:http';
import type { MaybePromise, Principal } from '@toolwright/core';
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

export interface McpHttpSettings extends Required<
  Omit<McpHttpOptions, 'principal' | 'authenticate' | 'oauth' | 'allowedHosts'>
> {
  /** Named in challenges: where clients learn how to get a token. */
  resourceMetadata: string | undefined;
  allowedHosts: readonly string[] | undefined;
  authenticate: Authenticate | undefined;
}

const MEBIBYTE = 1_048_576;

export function resolveHttpOptions(options: McpHttpOptions): McpHttpSettings {
  const { principal, oauth } = options;
  return {
    allowedHosts: options.allowedHosts,
    allowedOrigins: options.allowedOrigins ?? [],
    cors: options.cors ?? true,
    maxBodyBytes: options.maxBodyBytes ?? MEBIBYTE,
    maxBufferedBytes: options.maxBufferedBytes ?? MEBIBYTE,
    keepAliveMs: options.keepAliveMs ?? 15_000,
    sse: options.sse ?? false,
    resourceMetadata: oauth?.metadataUrl,
    authenticate:
      options.authenticate ??
      oauth?.authenticate ??
      (principal && (async (req) => ({ principal: await principal(req) }))),
  };
}
