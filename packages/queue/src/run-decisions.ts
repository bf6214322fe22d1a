import { createHash } from 'node:crypto';
import type { BoundTool } from '@toolwright/core';
import type { JobOutcome, TaskJob } from '@toolwright/core/extend';
import { optionRules } from '@toolwright/core/options';
import { growingPause } from '@toolwright/json';
import type { WorkLease, WorkOutcome } from './queue-port.js';

const DEFAULT_BACKOFF = '1s';

/** What becomes of a task after a run: whether a failed run is the last one. */
export function outcomeOfRun(outcome: JobOutcome, tool: BoundTool, lease: WorkLease): WorkOutcome {
  if (outcome.is === 'limited')
    return { is: 'postponed', afterMs: outcome.afterMs, statusMessage: 'Waiting for a free slot.' };
  if (outcome.is !== 'failed') return outcome;
  const { taskId, attempt } = lease;
  const { retries = 0, backoff = DEFAULT_BACKOFF } = tool.task ?? {};
  if (attempt > retries) return { is: 'ended', ending: outcome.ending, isDead: true };
  const afterMs = retryPause(taskId, attempt, optionRules.parseDuration(backoff));
  // It names no error: a status message can be read by operators of the database.
  const failed = `Run ${attempt} of ${retries + 1} failed`;
  const reference = outcome.reference === undefined ? '' : ` (ref ${outcome.reference})`;
  const seconds = Math.max(1, Math.round(afterMs / 1_000));
  return {
    is: 'retrying',
    afterMs,
    statusMessage: `${failed}${reference}. The next one begins in ${seconds} s.`,
  };
}

/** Why a run does not begin, and never will. The task fails. */
export interface RunFailure {
  /** For programs: it is part of the error's data. */
  readonly reason: 'tool_gone' | 'contract_changed' | 'run_lost' | 'runs_lost';
  readonly message: string;
}

/** After this many lost runs in which it was alone in its process, a task is given up: it may be what ends the process. */
const MOST_LOSSES_ALONE = 3;
/** The same where the queue does not count who ran alone. */
const MOST_LOSSES = 5;

/** Why the task failed that no process could do. @param tool what this process has under that name */
export function unservedFailure(
  tool: BoundTool | undefined,
  { tool: name, shape }: TaskJob,
  { unservedMs, noun: what }: { readonly unservedMs: number; readonly noun: string },
): RunFailure {
  const waited = durationText(unservedMs);
  const advice = what === 'tool' ? ' Call the tool again.' : '';
  if (!tool)
    return {
      reason: 'tool_gone',
      message: `No process that works on tasks has had the ${what} "${name}" for ${waited}, so this task was not carried out.`,
    };
  if (shape === undefined)
    return {
      reason: 'contract_changed',
      message: `This task was begun by an earlier release, and the ${what} "${name}" has changed since then, so the task was not carried out.${advice}`,
    };
  return {
    reason: 'contract_changed',
    message: `The ${what} "${name}" was changed by a release after this task had begun, and no process that works on tasks has had the former one for ${waited}, so the task was not carried out.${advice}`,
  };
}

function durationText(ms: number): string {
  const [amount, unit] = ms >= 120_000 ? [ms / 60_000, 'minutes'] : [ms / 1_000, 'seconds'];
  return `${Number(amount.toFixed(1))} ${unit}`;
}

/**
 * Whether the runs that were lost allow another one.
 *
 * @param mayRepeat whether the effects of the tool allow one
 * @returns `undefined` when they do
 */
export function lossFailure(
  tool: BoundTool,
  lease: LossesOfLease,
  mayRepeat: boolean,
): RunFailure | undefined {
  if (!lease.isAfterLoss) return undefined;
  if (!mayRepeat)
    return {
      reason: 'run_lost',
      message:
        'The process that worked on this task has ended or stood still for too long. It is not known how far the work got, so it was not begun again. Check before you call the tool again.',
    };
  const { lossesAlone } = lease;
  if (lossesAlone === undefined && lease.attempt > MOST_LOSSES + (tool.task?.retries ?? 0))
    return {
      reason: 'runs_lost',
      message: `${MOST_LOSSES} processes that worked on this task have ended or stood still before it was done, so it was given up.`,
    };
  if (lossesAlone !== undefined && lossesAlone >= MOST_LOSSES_ALONE)
    return {
      reason: 'runs_lost',
      message: `${lossesAlone} processes that worked on this task alone have ended or stood still before it was done, so it was given up.`,
    };
  return undefined;
}

type LossesOfLease = Pick<WorkLease, 'attempt' | 'isAfterLoss' | 'lossesAlone'>;

/**
 * How long a failed task rests before its next run, in milliseconds: twice as long each time, and an hour at
 * most. The pauses of tasks that failed together differ by up to half, so that they do not come back together.
 * The difference comes from the task's id: the same run always has the same pause.
 */
export function retryPause(taskId: string, attempt: number, backoffMs: number): number {
  const share = createHash('sha256').update(`${taskId} ${attempt}`).digest().readUInt32BE(0) / 2 ** 32;
  return growingPause(attempt - 1, { firstMs: backoffMs, longestMs: 3_600_000 }, share);
}
