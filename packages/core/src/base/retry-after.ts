/** How many milliseconds a client waits before it tries again, where nothing knows better. */
export const RETRY_AFTER_MS = {
  /** All places are taken. Calls are short, so one is free soon. */
  busy: 1_000,
  /** Something is away: a store, an issuer, or this process until the next one takes its place. */
  away: 5_000,
  /** All sessions are taken. They last. */
  full: 10_000,
} as const;
