/**
 * How many milliseconds a call may wait for the primary process. It is always there, and late only while all
 * processors of the machine are busy, when calls wait anyway.
 */
export const PATIENCE_MS = 1_000;
