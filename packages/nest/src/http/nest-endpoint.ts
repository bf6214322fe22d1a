import type { IncomingMessage, ServerResponse } from 'node:http';
import { mcpHttp, type HttpServed, type McpHandler, type McpHttpOptions } from '@toolwright/http';
import type { NestHttpOptions } from '../options.js';
import { exchanges, type Exchange, type PlatformRequest } from './exchanges.js';

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
