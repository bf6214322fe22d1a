import type { AuditEntry } from './audit-api.js';
import type { OwnCall } from './call-api.js';
import type { Overview } from './overview-api.js';
import type { ProjectProblem } from './project-api.js';
import type { RecordedCall, RecordedMessage, Sequenced } from './record-api.js';

/** What the console tells the page without being asked, on `GET /api/events` as server-sent events. */
export type ConsoleEvent =
  /** The servers, or whether the app runs, have changed. */
  | { readonly type: 'overview'; readonly overview: Overview }
  /** What a server lists has changed: ask `surface` again. */
  | { readonly type: 'surface'; readonly server: string }
  /** A call of any client began or ended. */
  | { readonly type: 'call'; readonly call: Sequenced<RecordedCall> }
  | { readonly type: 'message'; readonly message: Sequenced<RecordedMessage> }
  /** Spans of these traces have come: ask `spans` again. */
  | { readonly type: 'spans'; readonly traceIds: readonly string[] }
  /** A call that the console makes has gone on. */
  | { readonly type: 'ownCall'; readonly call: OwnCall }
  /** The page reads too slowly, and has lost events: everything is to be asked anew. */
  | { readonly type: 'lost' }
  /** Records were sealed in the audit log of a server. A page may have had some of them already. */
  | { readonly type: 'audit'; readonly server: string; readonly records: readonly AuditEntry[] }
  /** A compilation has ended. */
  | { readonly type: 'build'; readonly problems: readonly ProjectProblem[]; readonly durationMs: number };
