import type { IncomingMessage } from 'node:http';
import { ConsoleFault } from '../api/console-api.js';

/** More than any form holds, and less than harms. */
const MAX_BYTES = 16 * 1024 * 1024;

/** @throws {ConsoleFault} when the body is no JSON object or too large */
export async function readJson(req: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of req as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new ConsoleFault(`The request has more than ${MAX_BYTES} bytes.`);
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
