import type { IncomingMessage } from 'node:http';
import type { RpcMessage } from './wire.js';

/** An event of a stream. */
export interface ReadEvent {
  /** Undefined for an event that cannot be resumed after. */
  id: string | undefined;
  /** Undefined for an event that carries no message. */
  message: RpcMessage | undefined;
}

/** Reads the events of a stream as they come. It ends when the stream ends, or breaks. */
export async function* readEvents(response: IncomingMessage): AsyncGenerator<ReadEvent> {
  let rest = '';
  response.setEncoding('utf8');
  try {
    for await (const chunk of response) {
      const blocks = (rest + chunk).split('\n\n');
      rest = blocks.pop()!;
      for (const block of blocks) {
        const event = parseBlock(block);
        if (event) yield event;
      }
    }
  } catch {
    // The connection broke. What was read before counts, and the reader resumes after it.
  }
}

/** Undefined for a comment, which only keeps the connection open. */
function parseBlock(block: string): ReadEvent | undefined {
  const fields = block.split('\n').filter((line) => !line.startsWith(':'));
  if (fields.length === 0) return undefined;
  const valueOf = (name: string) =>
    fields.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
  const data = valueOf('data');
  return { id: valueOf('id'), message: data ? (JSON.parse(data) as RpcMessage) : undefined };
}
