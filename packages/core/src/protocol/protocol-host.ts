import type { MeasuredAudit, MeasuredPool } from './requests/metric-sources.js';
import type { AuditSink } from '../ports/audit-sink.js';
import type { ClaimStore } from '../ports/claim-store.js';
import type { Clock } from '../ports/clock.js';
import type { EventBus } from '../ports/event-bus.js';
import type { IdSource } from '../ports/id-source.js';
import type { Logger } from '../ports/logger.js';
import type { StoreHealth } from '../ports/server-stores.js';
import type { RunningWork } from '../call/limits/running-work.js';
import type { SecurityListener } from '../call/security/security-monitor.js';
import type { Registry } from '../call/operation/registry.js';
import type { MessageListeners } from './observation/message-listeners.js';
import type { ScheduleTable } from './schedules/schedule-table.js';
import type { Icon } from '../base/content.js';

/** How the server introduces itself. */
export interface ServerInfo {
  name: string;
  version: string;
  title?: string;
  description?: string;
  icons?: Icon[];
  websiteUrl?: string;
}

/** What the protocol needs from the rest of the server. */
export interface ProtocolHost {
  readonly info: ServerInfo;
  readonly instructions: string | undefined;
  readonly registry: Registry;
  /** The methods that run by a schedule. */
  readonly schedules: ScheduleTable;
  /** The calls whose work has not ended, whether they were answered or not. */
  readonly work: RunningWork;
  readonly bus: EventBus;
  /** True when the bus reaches other processes. */
  readonly isBusShared?: boolean;
  readonly clock: Clock;
  /** Remembers which states were already used. */
  readonly claims: ClaimStore;
  /** Remembers which sessions with sealed ids their clients have ended. Default: `claims`. */
  readonly endedSessions?: ClaimStore;
  readonly logger: Logger;
  /** Records calls. */
  readonly audit?: AuditSink | undefined;
  readonly ids?: IdSource | undefined;
  /** Who wants to know of messages. */
  readonly messageListeners: MessageListeners;
  /** Is called when something may be an attack. */
  readonly onSecurity?: SecurityListener | undefined;
  /** True when anonymous callers are refused. */
  readonly requiresPrincipal: boolean;
  /** True when endpoints must not introduce the server to people in a browser. Default: false. */
  readonly refusesLanding?: boolean;
  /** True when the next request of a client may reach another process. Default: false. */
  readonly anyProcess?: boolean;
  /** What the pools of slots have in this process. */
  slots?(): readonly MeasuredPool[];
  /** What is measured of the audit log. */
  readonly auditMeter?: MeasuredAudit | undefined;
  /** Whether the shared stores answer. */
  storeHealth?(): readonly StoreHealth[];
  /** Is called when a session of the older era has ended. */
  sessionEnded?(sessionId: string): void;
}
