import type { WindowName } from './messages.js';

/** A window of a rate limit. It lasts as long as its rule says. */
export interface Timed {
  /** When it began, in milliseconds since the epoch. */
  readonly since: number;
}

/** The open windows of all rules and keys. */
export class Windows<W extends Timed> {
  /** By rule. All windows of a map last equally long, so those at the front end first. */
  readonly #rules = new Map<string, Map<string, W>>();

  /** The window, if it is open. */
  find([points, perMs, key]: WindowName, now: number): W | undefined {
    const found = this.#rules.get(`${points}/${perMs}`)?.get(key);
    return found && isOpen(found, perMs, now) ? found : undefined;
  }

  *all(): Generator<W> {
    for (const windows of this.#rules.values()) yield* windows.values();
  }

  set([points, perMs, key]: WindowName, window: W, now: number): W {
    const rule = `${points}/${perMs}`;
    const windows = this.#rules.get(rule) ?? new Map<string, W>();
    this.#rules.set(rule, windows);
    forgetEnded(windows, perMs, now);
    windows.delete(key);
    windows.set(key, window);
    return window;
  }
}

/** If the clock was put back, a key must not wait until the clock has caught up. */
function isOpen({ since }: Timed, perMs: number, now: number): boolean {
  return now >= since && now < since + perMs;
}

/** Callers can make up keys, so ended windows must not pile up. */
function forgetEnded<W extends Timed>(windows: Map<string, W>, perMs: number, now: number): void {
  for (const [key, window] of windows) {
    if (isOpen(window, perMs, now)) return;
    windows.delete(key);
  }
}
