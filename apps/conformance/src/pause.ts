import { setTimeout } from 'node:timers/promises';

/** The pause that the suite's fixtures make between two notifications. */
export const pause = (signal: AbortSignal) => setTimeout(50, undefined, { signal });
