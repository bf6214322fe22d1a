import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface Answer {
  status: number;
  head: string;
  body: string;
}

const HEAD_END = Buffer.from('\r\n\r\n');

/**
 * Sends requests without waiting for the answers to earlier ones: many times as many as an HTTP client makes in the
 * same time. Reads answers that tell their length.
 */
export class PipelinedConnection {
  readonly #waiting: { resolve(answer: Answer): void; reject(error: Error): void }[] = [];
  #rest: Buffer = Buffer.alloc(0);

  private constructor(private readonly socket: Socket) {
    socket.setNoDelay(true);
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => this.#read(chunk));
    socket.on('close', () => {
      for (const { reject } of this.#waiting.splice(0)) reject(new Error('The connection was closed.'));
    });
  }

  static async open(port: number): Promise<PipelinedConnection> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return new PipelinedConnection(socket);
  }

  get open(): boolean {
    return this.socket.writable && !this.socket.destroyed;
  }

  send(bytes: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (!this.open) return reject(new Error('The connection was closed.'));
      this.#waiting.push({ resolve, reject });
      this.socket.write(bytes);
    });
  }

  close(): void {
    this.socket.destroy();
  }

  #read(chunk: Buffer): void {
    let rest = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk;
    for (let end = rest.indexOf(HEAD_END); end >= 0; end = rest.indexOf(HEAD_END)) {
      const head = rest.toString('latin1', 0, end);
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
      const bodyAt = end + HEAD_END.length;
      if (rest.length < bodyAt + length) break;
      const body = rest.toString('utf8', bodyAt, bodyAt + length);
      rest = rest.subarray(bodyAt + length);
      this.#waiting.shift()?.resolve({ status: Number(head.slice(9, 12)), head, body });
    }
    this.#rest = rest;
  }
}
