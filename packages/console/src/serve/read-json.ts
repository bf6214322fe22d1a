import type { IncomingMessage } from 'node:http';
import { ConsoleFault } from '../api/console-api.js';

/** More than any form holds, and less than harms. */
export const MAX_BODY_BYTES = 16 * 1024 * 1024;

/** The body is larger than anything that the page sends. */
export class BodyTooLarge extends ConsoleFault {}

/**
 * @throws {BodyTooLarge} before more than the limit was read
 * @throws {ConsoleFault} when the body is no JSON object
 */
export async function readJson(
  req: IncomingMessage,
  maxBytes = MAX_BODY_BYTES,
): Promise<Record<string, unknown>> {
  const tooLarge = () => new BodyTooLarge(`The request has more than ${maxBytes} bytes.`);
  if (Number(req.headers['content-length'] ?? 0) > maxBytes) throw tooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of req as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge();
    chunks.push(chunk);
  }
  try {
    const body = JSON.parse(Buffer.concat(chunks).toString() || '{}') as unknown;
    if (typeof body === 'object' && body !== null && !Array.isArray(body))
      return body as Record<string, unknown>;
  } catch {
    // Told below.
  }
  throw new ConsoleFault('The request is no JSON object.');
}
