import { All, Controller, Inject, Req, Res, type Type, UseGuards, VERSION_NEUTRAL } from '@nestjs/common';
import { type HttpServed, type McpHandler, type McpHttpOptions, mcpHttp } from '@toolwright/http';
import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { McpRouteOptions, NestHttpOptions } from '../options.js';

/** A request and its response, as the platform gives them to a route. */
interface Exchange {
  readonly request: PlatformRequest;
  readonly response: PlatformResponse;
}

/** Express adds to the request of Node. Fastify wraps it. */
interface PlatformRequest {
  readonly raw?: IncomingMessage;
  readonly body?: unknown;
  readonly ip?: string;
}

interface PlatformResponse {
  readonly raw?: ServerResponse;
  /** Present in Fastify, which keeps headers until it writes an answer. */
  getHeaders?(): Readonly<Record<string, number | string | readonly string[] | undefined>>;
}

/** The HTTP exchange that the running code belongs to. Calls over other transports have none. */
export const exchanges = new AsyncLocalStorage<Exchange>();

/** Answers the requests of a route, on either platform. */
export class NestEndpoint {
  readonly #handler: McpHandler;
  readonly #requests = new WeakMap<IncomingMessage, PlatformRequest>();

  /** @throws {ConfigurationError} with all problems of the options */
  constructor(server: HttpServed, options: NestHttpOptions) {
    this.#handler = mcpHttp(server, this.#translate(options));
  }

  /**
   * Resolves when the answer is over, so that interceptors of the route see how long it took.
   *
   * @throws the errors that are not answers of the protocol, such as those of `principal`
   */
  serve(exchange: Exchange): Promise<void> {
    const { request, response } = exchange;
    const raw = request.raw ?? (request as unknown as IncomingMessage);
    const answer = response.raw ?? (response as unknown as ServerResponse);
    this.#requests.set(raw, request);
    if (request.raw) adoptFromFastify(exchange, raw, answer);
    return new Promise((resolve, reject) => {
      answer.once('close', resolve);
      exchanges.run(exchange, () => this.#handler(raw, answer, reject));
    });
  }

  /** Callbacks get the request of the platform in place of the one from Node. */
  #translate({ principal, authenticate, ip = ipOf, ...options }: NestHttpOptions): McpHttpOptions {
    const requestOf = (raw: IncomingMessage) => this.#requests.get(raw)!;
    return {
      ...options,
      ip: (raw) => ip(requestOf(raw)),
      ...(principal && { principal: (raw: IncomingMessage) => principal(requestOf(raw)) }),
      ...(authenticate && { authenticate: (raw: IncomingMessage) => authenticate(requestOf(raw)) }),
    };
  }
}

/** The address as the platform finds it under its proxy settings. */
function ipOf({ ip }: PlatformRequest): string | undefined {
  return ip;
}

/** Puts what Fastify keeps beside the request and response of Node where the endpoint looks for it. */
function adoptFromFastify(
  { request, response }: Exchange,
  raw: IncomingMessage,
  answer: ServerResponse,
): void {
  if (request.body !== undefined) Object.assign(raw, { body: request.body });
  for (const [name, value] of Object.entries(response.getHeaders?.() ?? {})) {
    if (value !== undefined) answer.setHeader(name, value);
  }
}

/** Holds the endpoint for its controller, which Nest makes before the server. */
export class EndpointHost {
  /** Set when the server is there. Nest routes no request before that. */
  endpoint: NestEndpoint | undefined;
}

/**
 * Makes the controller of an endpoint. Each module has its own, because the path and the guards of a controller
 * are part of its class.
 */
export function endpointController(path: string, guards: NonNullable<McpRouteOptions['guards']>): Type {
  @Controller({ path, version: VERSION_NEUTRAL })
  @UseGuards(...guards)
  class McpEndpointController {
    constructor(@Inject(EndpointHost) private readonly host: EndpointHost) {}

    @All()
    handle(@Req() request: PlatformRequest, @Res() response: PlatformResponse): Promise<void> {
      return this.host.endpoint!.serve({ request, response });
    }
  }
  return McpEndpointController;
}
