import type { Readable, Writable } from 'node:stream';
import type { ServerMessage } from '../protocol/answer.js';

/** Speaks JSON-RPC over a process's pipes: one message a line. */
export class StdioClient {
  private readonly waiting = new Map<number, (message: ServerMessage) => void>();
  private rest = '';

  constructor(
    private readonly input: Writable,
    output: Readable,
  ) {
    output.setEncoding('utf8').on('data', (chunk: string) => this.receive(chunk));
  }

  /** Sends a request and resolves with its answer. */
  ask(id: number, message: object): Promise<ServerMessage> {
    return new Promise((resolve) => {
      this.waiting.set(id, resolve);
      this.tell(message);
    });
  }

  tell(message: object): void {
    this.input.write(`${JSON.stringify(message)}\n`);
  }

  private receive(chunk: string): void {
    const lines = (this.rest + chunk).split('\n');
    this.rest = lines.pop()!;
    for (const line of lines) {
      if (!line.startsWith('{')) continue;
      const message = JSON.parse(line) as ServerMessage;
      const resolve = this.waiting.get(message.id!);
      this.waiting.delete(message.id!);
      resolve?.(message);
    }
  }
}
