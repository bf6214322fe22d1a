import type { EvaluationReport } from '@toolwright/json';
import type { Awaitable } from './overview-api.js';

export interface EvaluationApi {
  /** The last report of each table, as `evaluate` of `@toolwright/testing` keeps it. The newest first. */
  evaluations(params: Record<string, never>): Awaitable<readonly EvaluationReport[]>;
}
