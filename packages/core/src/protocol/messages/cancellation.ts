import type { Cancellable, CancellationObserver } from '../../base/request-context.js';

/**
 * Tells whether a request was cancelled. It makes an `AbortSignal` only when somebody asks for one: most
 * calls end before that, and an AbortController costs more than all other bookkeeping of a small call.
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
