import type { CallFailure } from '../base/request-context.js';
import type { BoundSchedule } from '../call/operation/schedule.js';
import type { Observed, Telemetry } from '../ports/telemetry.js';
import type { Logger } from '../ports/logger.js';
import type { TickOutcome } from '../ports/task-queue.js';
import type { ProtocolHost } from '../requests/engine.js';
import { ScheduledRequest } from './scheduled-request.js';
import type { ScheduleBackend } from './scheduler.js';

interface Running {
  readonly request: ScheduledRequest;
  readonly over: Promise<void>;
}

/** Runs schedules in this process. Other processes do not know of it. */
export class ProcessSchedules implements ScheduleBackend {
  readonly remembers = false;
  readonly #running = new Map<string, Running>();

  constructor(
    private readonly host: Pick<ProtocolHost, 'info' | 'logger' | 'clock'>,
    private readonly telemetry: Telemetry,
  ) {}

  begin(schedule: BoundSchedule, at: number): TickOutcome {
    const { name } = schedule;
    if (this.#running.has(name)) return 'overlapping';
    const request = new ScheduledRequest(name, at, this.host);
    // The run begins in a turn of its own, so that it is among the running ones before it can end.
    const over = Promise.resolve().then(() => this.#run(schedule, at, request));
    this.#running.set(name, { request, over });
    void over.finally(() => this.#running.delete(name));
    return 'begun';
  }

  async drain(graceMs: number): Promise<boolean> {
    if (this.#running.size === 0) return true;
    let stopClock = (): void => undefined;
    const late = new Promise<false>((resolve) => {
      stopClock = this.host.clock.after(graceMs, () => resolve(false));
    });
    const over = () => Promise.all([...this.#running.values()].map((run) => run.over));
    const isOver = await Promise.race([over().then(() => true as const), late]);
    stopClock();
    if (isOver) return true;
    const reason = new DOMException('The server stops.', 'AbortError');
    for (const { request } of this.#running.values()) request.cancellation.abort(reason);
    // An aborted run is answered at once, whether or not its method ends.
    await over();
    return false;
  }

  /** Never rejects. */
  async #run({ name, operation }: BoundSchedule, at: number, request: ScheduledRequest): Promise<void> {
    const observation = this.telemetry.observe(() => observedRun(name));
    if (observation) request.trace = observation.trace;
    try {
      const run = async () => operation.run(request, {});
      await (observation ? observation.run(run) : run());
    } catch (error) {
      request.failure ??= { outcome: 'error', error };
    }
    const { failure } = request;
    if (failure) tellFailure(this.host.logger, { schedule: name, at, failure });
    observation?.end(failure && (failure.reason ?? failure.outcome ?? 'error'));
  }
}

/** A scheduled run for telemetry. */
export function observedRun(schedule: string): Observed {
  return {
    method: 'schedule',
    target: { attribute: 'toolwright.schedule.name', name: schedule },
    attributes: {},
    trace: {},
  };
}

/** Nobody gets the error of a scheduled run as an answer, so all of it is logged. */
export function tellFailure(
  logger: Logger,
  { schedule, at, failure }: { schedule: string; at: number; failure: CallFailure },
): void {
  const { outcome, reason, reference, error } = failure;
  const due = new Date(at).toISOString();
  logger.error({ schedule, due, outcome, reason, reference, err: error }, 'A scheduled run failed');
}
