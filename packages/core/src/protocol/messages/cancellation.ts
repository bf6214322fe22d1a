import type { Cancellable, CancellationObserver } from '../../base/request-context.js';

/**
 * Whether a request was given up. The signal is made when somebody asks for it: most calls end before anyone does, and
 * an AbortController costs more than the rest of a small call's bookkeeping.
 */
export class Cancellation implements Cancellable {
  #aborted = false;
  #reason: unknown;
  #controller: AbortController | undefined;
  #observers: Set<CancellationObserver> | undefined;

  get aborted(): boolean {
    return this.#aborted;
  }

  get reason(): unknown {
    return this.#reason;
  }

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#aborted) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  abort(reason: unknown): void {
    if (this.#aborted) return;
    this.#aborted = true;
    this.#reason = reason;
    for (const observer of this.#observers ?? []) observer.cancel(reason);
    this.#controller?.abort(reason);
  }

  watch(observer: CancellationObserver): void {
    (this.#observers ??= new Set()).add(observer);
  }

  unwatch(observer: CancellationObserver): void {
    this.#observers?.delete(observer);
  }
}
