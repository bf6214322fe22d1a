import type { BoundTool } from '../../../call/operation/operation.js';
import type { WorkLease } from '../../../ports/task-queue.js';
import type { TaskJob } from '../../../ports/task-runner.js';

/** Why a run does not begin, and never will. The task fails. */
export interface RunFault {
  /** For programs: it is part of the error's data. */
  readonly reason: 'tool_gone' | 'contract_changed' | 'run_lost' | 'runs_lost';
  readonly message: string;
}

/** After how many lost runs a task is given up, because it may be what ends the processes. */
const MOST_LOSSES = 5;

interface Asked {
  readonly job: TaskJob;
  readonly lease: Pick<WorkLease, 'attempt' | 'isAfterLoss'>;
  readonly onContractChange: 'fail' | 'run';
}

/** Whether this process may run a job. @returns `undefined` when it may */
export function findRunFault(
  tool: BoundTool | undefined,
  { job, lease, onContractChange }: Asked,
): RunFault | undefined {
  if (!tool)
    return {
      reason: 'tool_gone',
      message: `The tool "${job.tool}" no longer exists, so this task was not carried out.`,
    };
  if (tool.contract !== job.contract && onContractChange === 'fail')
    return {
      reason: 'contract_changed',
      message: `The tool "${job.tool}" was changed by a release after this task had begun, so the task was not continued. Call the tool again.`,
    };
  if (!lease.isAfterLoss) return undefined;
  if (!isRepeatable(tool))
    return {
      reason: 'run_lost',
      message:
        'The process that worked on this task has ended. It is not known how far the work got, so it was not begun again. Check before you call the tool again.',
    };
  if (lease.attempt > MOST_LOSSES + (tool.task?.retries ?? 0))
    return {
      reason: 'runs_lost',
      message: `${MOST_LOSSES} processes that worked on this task have ended before it was done, so it was given up.`,
    };
  return undefined;
}

function isRepeatable({ annotations: { readOnlyHint, idempotentHint }, task }: BoundTool): boolean {
  return readOnlyHint === true || idempotentHint === true || task?.rerun === true;
}
