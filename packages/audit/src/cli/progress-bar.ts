import type { CommandConsole } from './audit-command.js';

/** Below this a bar would flash by. */
const WORTH_SHOWING_BYTES = 64 * 1024 * 1024;
const WIDTH = 30;

export interface ProgressBar {
  show(done: number, total: number): void;
  /** Wipes the line. */
  end(): void;
}

/** A bar on the error stream for large files, nothing where nobody watches. */
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
