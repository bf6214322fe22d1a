import type { CanActivate, Type } from '@nestjs/common';
import type { Principal, ServerOptions } from '@toolwright/core';
import { type Duration, optionRules, parseOptions, type OptionSchema } from '@toolwright/core/options';
import type { MaybePromise } from '@toolwright/core/transport';
import { mcpHttpOptions, type Authentication, type McpHttpOptions } from '@toolwright/http';

/**
 * The request of the platform: that of Express or that of Fastify. Give the type that your guards and
 * middleware know.
 */
export type McpHttpRequest = any; // eslint-disable-line @typescript-eslint/no-explicit-any -- as in Nest's own `getRequest()`

/** The options of the endpoint. Callbacks get the request of the platform. */
export interface NestHttpOptions extends Omit<McpHttpOptions, 'principal' | 'authenticate' | 'ip'> {
  /**
   * Returns the caller, when a guard or middleware of the app has authenticated it. `undefined` or `null` means
   * an anonymous caller. With `oauth`, such a caller must bring a token.
   */
  principal?: (request: McpHttpRequest) => MaybePromise<Principal | null | undefined>;
  /** Authenticates the caller, or answers with a challenge. */
  authenticate?: (request: McpHttpRequest) => MaybePromise<Authentication>;
  /** Returns the address of the caller. Default: `request.ip`, which follows the proxy settings of the app. */
  ip?: (request: McpHttpRequest) => string | undefined;
}

/** The options of `McpModule.forRoot`: the options of a server, and a few for Nest. */
export interface McpModuleOptions extends Omit<
  ServerOptions,
  'services' | 'instances' | 'discover' | 'providers' | 'resolver'
> {
  /** The options of the endpoint over HTTP. */
  http?: NestHttpOptions;
  /** The modules whose providers and controllers are served. Default: all modules of the app. */
  include?: readonly Type[];
  /**
   * Also runs the guards, interceptors and exception filters that the app has globally around each call.
   * Enhancers that are written on a served class or on its methods always run, and the global ones with them.
   * Default false.
   */
  useNestEnhancers?: boolean;
  /**
   * How long running calls may take when the app closes. Default 30 seconds. 0: they are stopped at once;
   * `Infinity`: until they end.
   */
  grace?: Duration;
}

/** What must be known before Nest builds anything. `forRootAsync` takes it beside its factory. */
export interface McpRouteOptions {
  /** The path of the endpoint, below the global prefix; `false` for none. Default `/mcp`. */
  path?: string | false;
  /** Guards of the endpoint. They run once for each HTTP request, also for requests that call nothing. */
  guards?: readonly (Type<CanActivate> | CanActivate)[];
}

const { anyDuration, callback, flag, group, listOf } = optionRules;

/** The options that are not the server's. */
const nestOptions = {
  http: group(mcpHttpOptions),
  include: listOf('a list of modules', { ...callback, expected: 'a module' }),
  useNestEnhancers: flag,
  grace: anyDuration,
} satisfies OptionSchema<Omit<McpModuleOptions, keyof ServerOptions>>;

export interface McpModuleSettings {
  readonly server: ServerOptions;
  readonly http: NestHttpOptions;
  readonly include: readonly Type[] | undefined;
  readonly useNestEnhancers: boolean;
  /** False when the app has not decided about its global enhancers. */
  readonly hasDecided: boolean;
  readonly grace: Duration | undefined;
}

/** @throws {ConfigurationError} with all problems of the options that are not the server's */
export function resolveModuleOptions(given: McpModuleOptions): McpModuleSettings {
  const { http, include, useNestEnhancers, grace, ...server } = given;
  const own = parseOptions('McpModule', nestOptions, { http, include, useNestEnhancers, grace });
  return {
    server,
    http: own.http ?? {},
    include: own.include,
    useNestEnhancers: own.useNestEnhancers ?? false,
    hasDecided: useNestEnhancers !== undefined,
    grace: own.grace,
  };
}

/** Where Nest finds the options. */
export const OPTIONS = Symbol('McpModuleOptions');

/** Whether the module opens a route. */
export const HAS_ROUTE = Symbol('McpModuleHasRoute');
