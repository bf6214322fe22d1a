import type { ImportProgress } from './markdown-folder.js';

/**
 * Shows progress on a terminal as one line that is rewritten, and elsewhere (log files, pipes) as a line for every
 * tenth of the work. On stderr: stdout belongs to the ready line, and to the protocol over stdio.
 */
export class TerminalProgress implements ImportProgress {
  private tenth = 0;

  constructor(private readonly stream: NodeJS.WriteStream) {}

  imported(done: number, total: number, source: string): void {
    const text = `importing pages ${done}/${total}`;
    if (this.stream.isTTY) {
      this.stream.write(`\r\u001b[K${text} ${source}${done === total ? '\n' : ''}`);
      return;
    }
    const tenth = Math.floor((done / total) * 10);
    if (tenth === this.tenth) return;
    this.tenth = tenth;
    this.stream.write(`${text}\n`);
  }

  note(text: string): void {
    this.stream.write(`${text}\n`);
  }

  skipped(source: string, reason: string): void {
    this.stream.write(`${this.stream.isTTY ? '\r\u001b[K' : ''}skipped ${source}: ${reason}\n`);
  }
}
