import { randomBytes } from 'node:crypto';
import type { MaybePromise } from '../base/maybe-promise.js';
import type { BoundSchedule } from '../call/operation/schedule.js';
import type { TaskQueue, TickOutcome } from '../ports/task-queue.js';
import type { TaskJob } from '../ports/task-runner.js';
import type { ProtocolHost } from '../requests/engine.js';
import type { ScheduleBackend } from '../schedules/scheduler.js';
import { SCHEDULED_REVISION, serverAsClient } from '../schedules/scheduled-request.js';
import { SCHEDULES, shapeOf, workKey } from './task-job.js';

/**
 * How long the record of a run is kept, in milliseconds: as long as the longest run, and some days for those who look
 * after it. The next run of the schedule removes it earlier.
 */
const KEPT_MS = 7 * 24 * 3_600_000;

/** Puts the runs of schedules on the queue. Every process tries, and the queue takes one of each tick. */
export class QueuedSchedules implements ScheduleBackend {
  readonly remembers = true;
  readonly now: (() => MaybePromise<number>) | undefined;

  constructor(
    private readonly queue: TaskQueue,
    private readonly host: Pick<ProtocolHost, 'info' | 'clock'>,
    private readonly pollIntervalMs: number,
  ) {
    this.now = queue.now && (() => queue.now!());
  }

  begin({ name, operation }: BoundSchedule, at: number, isLate: boolean): MaybePromise<TickOutcome> {
    const { info, clock } = this.host;
    const taskId = randomBytes(24).toString('base64url');
    const job: TaskJob = {
      taskId,
      tool: name,
      scheduledAt: at,
      arguments: {},
      principal: undefined,
      contract: operation.contract,
      shape: shapeOf(operation),
      queuedAt: clock.now(),
      revision: SCHEDULED_REVISION,
      client: serverAsClient(info),
      trace: {},
      transport: 'memory',
      answers: {},
      memories: {},
    };
    // Servers may share a queue, and each has schedules of its own.
    const tick = { schedule: `${info.name}/${name}`, at, isLate };
    const { pollIntervalMs } = this;
    const work = workKey(operation, { server: info.name, isScheduled: true });
    const task = { id: taskId, owner: SCHEDULES, ttlMs: KEPT_MS, pollIntervalMs, tool: name, work };
    return this.queue.enqueueTick(tick, task, JSON.stringify(job));
  }

  /** The runs are tasks, and the queue waits for them. */
  async drain(): Promise<boolean> {
    return true;
  }
}
