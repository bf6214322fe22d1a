import { ToolError } from '@toolwright/core';

const PAUSE_MS = 1_000;

/** A program that cannot run now, and perhaps later. */
export const busy = (what: string, more = '') =>
  new ToolError(`${what}; retry in ${PAUSE_MS / 1_000} s${more}`, {
    code: 'TW_CONCURRENCY',
    meta: { retryAfterMs: PAUSE_MS },
  });
