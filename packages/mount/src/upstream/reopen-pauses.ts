import { setTimeout as sleep } from 'node:timers/promises';
import { getOrMake, growingPause } from '@toolwright/json';
import { BUDGET } from '../budget.js';

/** How often a stream was opened of late. */
interface Openings {
  count: number;
  lastAt: number;
}

/**
 * When a stream of a server behind is opened again. The server may ask for a time with `retry:`, and may not have it shorter
 * than ours: the pauses grow, and begin anew when a stream has lasted. Each request counts for itself, because a server may let
 * many requests be resumed at the same time.
 */
export class ReopenPauses {
  readonly #ofRequests = new WeakMap<object, Openings>();
  readonly #ofSession: Openings = { count: 0, lastAt: 0 };

  /** @param request the request whose answer is resumed; `undefined`: the stream is that of the session, and may be the first one */
  async wait(request: object | undefined, signal: AbortSignal | null | undefined): Promise<void> {
    const openings = this.#openingsOf(request);
    if (performance.now() - openings.lastAt > BUDGET.stableMs) openings.count = 0;
    // The first time costs nothing, and a stream that has broken off once is opened soon.
    const pause = openings.count === 0 ? 0 : growingPause(openings.count - 1, BUDGET.reopen);
    openings.count++;
    if (pause > 0) await sleep(pause, undefined, { ...(signal && { signal }), ref: false });
    openings.lastAt = performance.now();
  }

  #openingsOf(request: object | undefined): Openings {
    if (!request) return this.#ofSession;
    return getOrMake(this.#ofRequests, request, () => ({ count: 1, lastAt: performance.now() }));
  }
}
