/**
 * Keeps results of calls for a while (`@Cache`). A cache may forget a value at any time: the call then runs
 * again. Values are JSON.
 */
export interface ResultCache {
  /** The value; `undefined` when it is unknown or its time has passed. */
  get(key: string): unknown;
  set(key: string, value: unknown, ttlMs: number): void | Promise<void>;
}
