import type { CallFailure } from '../../base/request-context.js';
import type { Logger } from '../../ports/logger.js';
import type { Observed } from '../requests/telemetry.js';

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
