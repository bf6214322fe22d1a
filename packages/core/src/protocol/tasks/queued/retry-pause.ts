import { createHash } from 'node:crypto';

const LONGEST_MS = 3_600_000;

/**
 * How long a failed task rests before its next run, in milliseconds: twice as long each time, and an hour at
 * most. The pauses of tasks that failed together differ by up to half, so that they do not come back together.
 * The difference comes from the task's id: the same run always has the same pause.
 */
export function retryPause(taskId: string, attempt: number, backoffMs: number): number {
  const longest = Math.min(LONGEST_MS, backoffMs * 2 ** Math.min(attempt - 1, 40));
  const share = createHash('sha256').update(`${taskId} ${attempt}`).digest().readUInt32BE(0) / 2 ** 32;
  return Math.round(longest * (0.5 + share / 2));
}
