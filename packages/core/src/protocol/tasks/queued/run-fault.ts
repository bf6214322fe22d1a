import { isHarmlessTwice } from '../../../base/content.js';
import type { BoundTool } from '../../../call/operation/operation.js';
import type { WorkLease } from '../../../ports/task-queue.js';
import type { TaskJob } from '../../../ports/task-runner.js';

/** Why a run does not begin, and never will. The task fails. */
export interface RunFault {
  /** For programs: it is part of the error's data. */
  readonly reason: 'tool_gone' | 'contract_changed' | 'run_lost' | 'runs_lost';
  readonly message: string;
}

/** After how many lost runs a task is given up that had their processes for themselves: it may be what ends them. */
const MOST_LOSSES_ALONE = 3;
/** The same where the queue does not count who ran alone. */
const MOST_LOSSES = 5;

/** Why the task failed that no process could do. @param tool what this process has under that name */
export function unservedFault(
  tool: BoundTool | undefined,
  { tool: name, shape, scheduledAt }: TaskJob,
  unservedMs: number,
): RunFault {
  const what = scheduledAt === undefined ? 'tool' : 'schedule';
  const waited = durationText(unservedMs);
  const advice = scheduledAt === undefined ? ' Call the tool again.' : '';
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

/** Whether the runs that were lost allow another one. @returns `undefined` when they do */
export function lossFault(tool: BoundTool, lease: LossesOfLease): RunFault | undefined {
  if (!lease.isAfterLoss) return undefined;
  if (!isRepeatable(tool))
    return {
      reason: 'run_lost',
      message:
        'The process that worked on this task has ended. It is not known how far the work got, so it was not begun again. Check before you call the tool again.',
    };
  const { lossesAlone } = lease;
  if (lossesAlone === undefined && lease.attempt > MOST_LOSSES + (tool.task?.retries ?? 0))
    return {
      reason: 'runs_lost',
      message: `${MOST_LOSSES} processes that worked on this task have ended before it was done, so it was given up.`,
    };
  if (lossesAlone !== undefined && lossesAlone >= MOST_LOSSES_ALONE)
    return {
      reason: 'runs_lost',
      message: `${lossesAlone} processes that worked on this task alone have ended before it was done, so it was given up.`,
    };
  return undefined;
}

type LossesOfLease = Pick<WorkLease, 'attempt' | 'isAfterLoss' | 'lossesAlone'>;

/** Whether the effects of the tool allow another run after one that got somewhere. */
export function isRepeatable({ annotations, task }: BoundTool): boolean {
  return isHarmlessTwice(annotations) || task?.rerun === true;
}
