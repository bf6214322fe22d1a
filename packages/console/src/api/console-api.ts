import type { Access } from './access.js';
import type { AuditApi } from './audit-api.js';
import type { CallApi } from './call-api.js';
import type { ExplainApi } from './explain-api.js';
import type { OverviewApi } from './overview-api.js';
import type { ProjectApi } from './project-api.js';
import type { RecordApi } from './record-api.js';
import type { StateApi } from './state-api.js';
import type { SurfaceApi } from './surface-api.js';

/**
 * Everything that the page may ask. Each method is one `POST /api/<name>`, with its parameter and its result as JSON.
 * Each part is answered by a module of its own.
 */
export type ConsoleApi = OverviewApi &
  SurfaceApi &
  CallApi &
  RecordApi &
  ExplainApi &
  StateApi &
  AuditApi &
  ProjectApi;

export type ConsoleMethod = keyof ConsoleApi;
export type ParamsOf<M extends ConsoleMethod> = Parameters<ConsoleApi[M]>[0];
export type ResultOf<M extends ConsoleMethod> = Awaited<ReturnType<ConsoleApi[M]>>;

/** The access that each method needs. */
export const methodAccess = {
  overview: 'read',
  surface: 'read',
  startCall: 'call',
  answerQuestion: 'call',
  cancelCall: 'call',
  complete: 'call',
  ownCalls: 'call',
  calls: 'read',
  messages: 'read',
  spans: 'read',
  clearRecords: 'change',
  explain: 'read',
  state: 'read',
  endSession: 'change',
  cancelRunningCall: 'change',
  cancelTask: 'change',
  retryTask: 'change',
  resetLimits: 'change',
  auditRecords: 'read',
  verifyAudit: 'read',
  contract: 'project',
  origins: 'project',
  openSource: 'project',
} as const satisfies Readonly<Record<ConsoleMethod, Access>>;

/** A request that is wrong, or asks for something that is not there. Its message is shown to the person. */
export class ConsoleFault extends Error {
  override readonly name = 'ConsoleFault';
}
