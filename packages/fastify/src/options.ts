import type { Principal, ServerOptions } from '@toolwright/core';
import {
  type Duration,
  optionRules,
  parseOptions,
  type OptionSchema,
  type WithDefaults,
} from '@toolwright/core/options';
import type { MaybePromise } from '@toolwright/core/transport';
import { mcpHttpOptions, type Authentication, type HttpServed, type McpHttpOptions } from '@toolwright/http';
import type { FastifyRequest } from 'fastify';

/** The options of `mcpFastify`. They are the options of `McpHttpOptions`, but callbacks get Fastify's request. */
export interface McpFastifyOptions extends Omit<McpHttpOptions, keyof RequestReaders> {
  /**
   * The server, or the options to make one. A server that the plugin makes logs with the app's logger, and is
   * closed with the app.
   */
  server: HttpServed | ServerOptions;
  /** The path of the endpoint, below the prefix of the plugin. Default `/mcp`. */
  path?: string;
  /**
   * How long running calls may take when the app closes. Default 30 seconds. 0: they are stopped at once;
   * `Infinity`: until they end.
   */
  grace?: Duration;
  /**
   * Returns the caller, when a hook of the app has authenticated it. `undefined` or `null` means an anonymous
   * caller. With `oauth`, such a caller must bring a token.
   */
  principal?: (request: FastifyRequest) => MaybePromise<Principal | null | undefined>;
  /** Authenticates the caller, or answers with a challenge. It runs before the body is read. */
  authenticate?: (request: FastifyRequest) => MaybePromise<Authentication>;
  /** Returns the address of the caller. Default: `request.ip`, which follows the option `trustProxy` of the app. */
  ip?: (request: FastifyRequest) => string | undefined;
}

/** The options of the endpoint that read a request. */
export type RequestReaders = Pick<McpHttpOptions, 'principal' | 'authenticate' | 'ip'>;

const { anyDuration, anyObject, named, required, urlPath } = optionRules;

const mcpFastifyOptions = {
  ...mcpHttpOptions,
  server: required(named('a server, or the options to make one', anyObject)),
  path: { ...urlPath, default: '/mcp' },
  grace: anyDuration,
} satisfies OptionSchema<McpFastifyOptions>;

export type McpFastifySettings = WithDefaults<McpFastifyOptions, typeof mcpFastifyOptions>;

/** What `register` itself reads from the options of a plugin. */
interface RegisterOptions {
  prefix?: unknown;
  logLevel?: unknown;
  logSerializers?: unknown;
}

/** @throws {ConfigurationError} with all problems of the options */
export function parseFastifyOptions(given: McpFastifyOptions & RegisterOptions): McpFastifySettings {
  const { prefix: _prefix, logLevel: _logLevel, logSerializers: _logSerializers, ...own } = given;
  return parseOptions('mcpFastify', mcpFastifyOptions, own);
}
