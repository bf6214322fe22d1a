import type { Readable } from 'node:stream';

/** Collects the output of a stream, up to a limit. */
export class CappedOutput {
  private readonly chunks: Buffer[] = [];
  private size = 0;

  constructor(stream: Readable, maxBytes: number, onTooLarge: () => void) {
    stream.on('data', (chunk: Buffer) => {
      this.size += chunk.length;
      if (this.size <= maxBytes) this.chunks.push(chunk);
      else onTooLarge();
    });
  }

  /** As UTF-8. */
  text(): string {
    return Buffer.concat(this.chunks).toString('utf8');
  }
}
