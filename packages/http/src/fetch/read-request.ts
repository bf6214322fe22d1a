import { endedEarly, notUtf8, readBefore, tooLarge } from '../endpoint/body-failures.js';
import type { BodyCallback } from '../endpoint/exchange.js';

/** A byte order mark stays, and is then no JSON, as in every other adapter. */
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Reads the text of a body, up to `maxBytes`. */
export function readRequest(request: Request, maxBytes: number, done: BodyCallback): void {
  if (request.bodyUsed) return done(readBefore());
  // Not every runtime holds a body to its Content-Length, and a request that a program makes may say any length.
  readParts(request, maxBytes).then(
    (bytes) => take(bytes, maxBytes, done),
    () => done(endedEarly()),
  );
}

/** A refused request costs its connection where its body stays unread. Larger bodies are not worth that. */
const MAX_DISCARDED_BYTES = 64 * 1024;

/** Reads what nobody asked for, so that the runtime can use the connection again (workerd closes it otherwise). */
export function discardBody(request: Request): void {
  const length = Number(request.headers.get('content-length'));
  // Nothing else of a request with a larger body is touched: adapters would begin to read it, and stop on the way.
  if (length === 0 || length > MAX_DISCARDED_BYTES || request.bodyUsed) return;
  // What fails here is the client's own affair: its request is answered already.
  readParts(request, MAX_DISCARDED_BYTES).catch(() => undefined);
}

function take(bytes: Uint8Array | undefined, maxBytes: number, done: BodyCallback): void {
  if (bytes === undefined) return done(tooLarge(maxBytes));
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    return done(notUtf8());
  }
  done(undefined, text);
}

/** `undefined` when there is more than `maxBytes`. */
async function readParts({ body }: Request, maxBytes: number): Promise<Uint8Array | undefined> {
  if (!body) return new Uint8Array();
  const parts: Uint8Array[] = [];
  let length = 0;
  // A reader begins at once. A loop over the body would begin in the next turn, when the answer may have left.
  const reader = body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    length += read.value.byteLength;
    if (length > maxBytes) {
      reader.cancel().catch(() => undefined);
      return undefined;
    }
    parts.push(read.value);
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
