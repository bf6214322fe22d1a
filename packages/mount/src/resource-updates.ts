import { BUDGET } from './budget.js';
import type { Clock } from '@toolwright/core/ports';

const PAUSE_MS = BUDGET.updatePauseMs;
const MOST = BUDGET.updates;

/**
 * Passes on that resources of a server behind have changed: at once, and then once in a while. A server that announces
 * without end must not fill the buffers of our clients.
 */
export class ResourceUpdates {
  /** What was announced of late, and whether it has changed since. */
  readonly #recent = new Map<string, boolean>();
  #stop: (() => void) | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly announce: (uri: string) => void,
  ) {}

  hear(uri: string): void {
    if (this.#recent.has(uri)) this.#recent.set(uri, true);
    else if (this.#recent.size < MOST) this.#pass(uri);
  }

  close(): void {
    this.#stop?.();
    this.#recent.clear();
  }

  #pass(uri: string): void {
    this.#recent.set(uri, false);
    this.#stop ??= this.clock.after(PAUSE_MS, () => {
      this.#stop = undefined;
      const changed = [...this.#recent].filter(([, isAgain]) => isAgain);
      this.#recent.clear();
      for (const [each] of changed) this.#pass(each);
    });
    this.announce(uri);
  }
}
