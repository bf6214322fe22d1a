import { endedEarly, notUtf8, readBefore, tooLarge } from '../endpoint/body-faults.js';
import type { HttpFault } from '../endpoint/http-fault.js';

/** A byte order mark stays, and is then no JSON, as in every other adapter. */
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Reads the text of a body, up to `maxBytes`. */
export async function readRequest(request: Request, maxBytes: number): Promise<string | HttpFault> {
  if (request.bodyUsed) return readBefore();
  let bytes: ArrayBuffer | Uint8Array | undefined;
  try {
    // HTTP holds a body to its Content-Length, which was compared with the limit already.
    bytes = request.headers.has('content-length')
      ? await request.arrayBuffer()
      : await readParts(request, maxBytes);
  } catch {
    return endedEarly();
  }
  if (bytes === undefined || bytes.byteLength > maxBytes) return tooLarge(maxBytes);
  try {
    return decoder.decode(bytes);
  } catch {
    return notUtf8();
  }
}

/** `undefined` when there is more than `maxBytes`. */
async function readParts({ body }: Request, maxBytes: number): Promise<Uint8Array | undefined> {
  if (!body) return new Uint8Array();
  const parts: Uint8Array[] = [];
  let length = 0;
  // The rest of a body is cancelled where the loop is left.
  for await (const part of body as unknown as AsyncIterable<Uint8Array>) {
    length += part.byteLength;
    if (length > maxBytes) return undefined;
    parts.push(part);
  }
  const [only] = parts;
  if (parts.length === 1) return only;
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.byteLength;
  }
  return whole;
}
