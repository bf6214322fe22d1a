import { tailAudit } from '@toolwright/audit';
import type { AuditEntry } from '../../api/audit-api.js';

/** How long a log is followed after the last question about it, in milliseconds. */
const FOLLOWED_MS = 30_000;

/** It begins with so many records that the last page may have had: none is lost between the page and the first look. */
const OVERLAP = 20;

/** Follows one log as long as somebody asks about it. */
export class AuditTail {
  #stop: AbortController | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly file: string,
    private readonly tell: (records: readonly AuditEntry[]) => void,
  ) {}

  /** Begins to follow, or goes on for another while. */
  follow(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.stop(), FOLLOWED_MS).unref();
    if (this.#stop) return;
    this.#stop = new AbortController();
    void this.#run(this.#stop.signal);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#stop?.abort();
    this.#stop = undefined;
  }

  async #run(signal: AbortSignal): Promise<void> {
    try {
      for await (const record of tailAudit({ file: this.file, last: OVERLAP, signal }))
        if (!signal.aborted) this.tell([record as object as AuditEntry]);
    } catch {
      // The next question says what is wrong with the file.
      this.stop();
    }
  }
}
