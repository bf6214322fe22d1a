import type { FastifyInstance } from 'fastify';

/** The error that Fastify answers with its status. */
class BodyTooLarge extends Error {
  readonly statusCode = 413;
}

/**
 * Leaves bodies to the endpoint, which reads them from the connection with its own limits. This holds in the
 * scope of `app` only.
 */
export function leaveBodiesRaw(app: FastifyInstance, maxBytes: number): void {
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
