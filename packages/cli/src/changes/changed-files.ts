import { statSync } from 'node:fs';

/**
 * Editors save in several steps, and formatters once more. Everything within this time belongs to one change.
 */
const SETTLE_MS = 15;

/** Many editors make a file empty before they write it. On a busy machine, the text may come this much later. */
const EMPTY_MS = 250;

/** Collects the files of one change, until no more of them come. */
export class ChangedFiles {
  private readonly paths = new Set<string>();
  private timer: NodeJS.Timeout | undefined;
  /** Hands the files over. Undefined while nobody waits. */
  private take: (() => void) | undefined;

  add(path: string): void {
    this.paths.add(path);
    this.settle();
  }

  /**
   * Resolves to the files that were added since the last call, once none was added for 15 ms; 250 ms while one of them is
   * empty.
   */
  next(): Promise<string[]> {
    return new Promise((resolve) => {
      this.take = () => {
        this.take = undefined;
        resolve([...this.paths]);
        this.paths.clear();
      };
      if (this.paths.size > 0) this.settle();
    });
  }

  close(): void {
    clearTimeout(this.timer);
  }

  private settle(): void {
    clearTimeout(this.timer);
    const wait = [...this.paths].some(isEmpty) ? EMPTY_MS : SETTLE_MS;
    this.timer = setTimeout(() => this.take?.(), wait);
  }
}

function isEmpty(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats !== undefined && stats.isFile() && stats.size === 0;
}
