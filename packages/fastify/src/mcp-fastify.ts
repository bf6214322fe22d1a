import type { IncomingMessage } from 'node:http';
import { createMcpServer, type McpServer } from '@toolwright/core';
import { mcpHttp, mcpHttpOptions, type HttpServed, type McpHttpOptions } from '@toolwright/http';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import {
  parseFastifyOptions,
  type McpFastifyOptions,
  type McpFastifySettings,
  type RequestReaders,
} from './options.js';

/**
 * Serves MCP in a Fastify app, with both eras on one endpoint. Hooks of the app run around it, up to
 * `preHandler` and from `onResponse` on; `onSend` does not run, because the endpoint writes its answers itself.
 * The headers that earlier hooks have set are sent. The address of a caller is `request.ip`. An error of
 * `authenticate` or `principal` goes to the error handler of the app. When the app closes, running calls
 * finish first.
 *
 * @throws {ConfigurationError} with all problems of the options; `app.ready()` and `app.listen()` pass it on
 * @example
 * app.register(mcpFastify, { server: { name: 'pages', version: '1.0.0', services: [PageTools] } });
 */
export const mcpFastify: FastifyPluginAsync<McpFastifyOptions> = Object.assign(
  async (app: FastifyInstance, given: McpFastifyOptions) => {
    const settings = parseFastifyOptions(given);
    const { path, grace, maxBodyBytes } = settings;
    const server = await openServer(app, settings.server);
    // Streams end here. Before that, Fastify would wait for their connections.
    app.addHook('preClose', async () => void (await server.protocol.drain(grace)));
    leaveBodiesRaw(app, maxBodyBytes);
    const requests = new WeakMap<IncomingMessage, FastifyRequest>();
    const endpoint = mcpHttp(server, endpointOptions(settings, requests));
    app.all(path, (request, reply) => {
      const { raw } = request;
      requests.set(raw, request);
      if (request.body !== undefined) Object.assign(raw, { body: request.body });
      keepHeaders(reply);
      endpoint(raw, reply.raw, (error) => void reply.send(errorFrom(error)));
    });
  },
  { [Symbol.for('plugin-meta')]: { name: '@toolwright/fastify', fastify: '^4.29.0 || ^5.0.0' } },
);

/** The given server, or one that is made now, uses the logger of the app and is closed with it. */
async function openServer(
  app: FastifyInstance,
  server: McpFastifySettings['server'],
): Promise<HttpServed | McpServer> {
  if ('protocol' in server) return server;
  const own = await createMcpServer({ logger: app.log, ...server });
  app.addHook('onClose', () => own.close());
  return own;
}

/** The options of the endpoint. Its callbacks get the request that Fastify made of the one from Node. */
function endpointOptions(
  { principal, authenticate, ip = ipInFastify, ...settings }: McpFastifySettings,
  requests: WeakMap<IncomingMessage, FastifyRequest>,
): McpHttpOptions {
  const known = Object.entries(settings).filter(([name]) => Object.hasOwn(mcpHttpOptions, name));
  const requestOf = (raw: IncomingMessage) => requests.get(raw)!;
  const readers: RequestReaders = {
    ip: (raw) => ip(requestOf(raw)),
    ...(principal && { principal: (raw) => principal(requestOf(raw)) }),
    ...(authenticate && { authenticate: (raw) => authenticate(requestOf(raw)) }),
  };
  return { ...(Object.fromEntries(known) as McpHttpOptions), ...readers };
}

/** The address as Fastify finds it under its option `trustProxy`. */
function ipInFastify({ ip }: FastifyRequest): string | undefined {
  return ip;
}

/** Fastify keeps the headers of hooks until it writes an answer, which the endpoint does in its place. */
function keepHeaders(reply: FastifyReply): void {
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value);
  }
}

/** Fastify would send anything else than an error as a successful answer. */
function errorFrom(error: unknown): Error {
  return error instanceof Error ? error : new Error('The caller could not be determined.', { cause: error });
}

/** The error that Fastify answers with its status. */
class BodyTooLarge extends Error {
  readonly statusCode = 413;
}

/**
 * Leaves bodies to the endpoint, which reads them from the connection with its own limits. This holds in the
 * scope of `app` only.
 */
function leaveBodiesRaw(app: FastifyInstance, maxBytes: number): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (request, payload, done) => {
    // A `preParsing` hook may have put another stream in the place of the connection.
    if (payload === request.raw) return done(null);
    collect(payload, maxBytes).then((body) => done(null, body), done);
  });
}

async function collect(payload: AsyncIterable<Buffer | string>, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of payload) {
    const read = Buffer.from(chunk as string);
    bytes += read.length;
    if (bytes > maxBytes) throw new BodyTooLarge(`The body is larger than ${maxBytes} bytes.`);
    chunks.push(read);
  }
  return Buffer.concat(chunks, bytes);
}
