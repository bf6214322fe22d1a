import type { CommandConsole } from './audit-command.js';

/** A smaller file is read before a bar could be seen. */
const WORTH_SHOWING_BYTES = 64 * 1024 * 1024;
const WIDTH = 30;

export interface ProgressBar {
  show(done: number, total: number): void;
  /** Clears the line. */
  end(): void;
}

/** Shows a bar on the error stream for large files, if the stream is a terminal. */
export function progressBar(console: CommandConsole): ProgressBar {
  let shown = false;
  return {
    show(done, total) {
      if (!console.status || total < WORTH_SHOWING_BYTES) return;
      shown = true;
      const part = done / total;
      const bar = '█'.repeat(Math.round(part * WIDTH)).padEnd(WIDTH, '░');
      console.status(`${bar} ${Math.floor(part * 100)} % of ${Math.round(total / 1024 / 1024)} MiB`);
    },
    end() {
      if (shown) console.status?.('');
    },
  };
}
