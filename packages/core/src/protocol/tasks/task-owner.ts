import type { TaskJob } from '../../ports/task-runner.js';
import { principalKey } from '../sessions/principal-key.js';

/** The owner of the runs of schedules. No principal has this key, so no client ever sees them. */
export const SCHEDULES = 'schedules';

/** Whose task a job belongs to. The job is sealed, so nobody who can write to the database can change it. */
export function ownerOf({ scheduledAt, principal }: Pick<TaskJob, 'scheduledAt' | 'principal'>): string {
  return scheduledAt === undefined ? principalKey(principal) : SCHEDULES;
}
