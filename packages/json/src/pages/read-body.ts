import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Reads the body of a request. One that is longer than `most` bytes is read to its end as well, and thrown away: where bytes of a
 * body stay unread, the next request of the connection waits for ever. So nobody leaves `for await (… of req)` early.
 *
 * @returns `undefined` when the body is longer, as soon as that is known
 * @throws when the client goes away before the end
 */
export function readBody(req: IncomingMessage, most: number): Promise<Buffer | undefined> {
  if (req.readableEnded) return Promise.resolve(Buffer.alloc(0));
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let size = 0;
    req.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= most) return void chunks.push(chunk);
      chunks = [];
      resolve(undefined);
    });
    req.once('end', () => resolve(Buffer.concat(chunks)));
    req.once('error', reject);
    req.once('close', () => reject(new Error('The request ended early.')));
  });
}

/** Throws away what nobody has read of a request once it is answered, so that the connection can be used again. */
export function drainAfter(res: ServerResponse): void {
  res.once('finish', () => res.req.resume());
}
