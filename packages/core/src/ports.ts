// For adapters: the ports of a server, each with the implementation that one process uses without an adapter.
// docs/stores.md shows how a server takes them.
export type {
  ServerStores,
  StoreHealth,
  StorePorts,
  DataOwner,
  DataSubject,
  OpenSubjectSource,
  SubjectFinding,
  SubjectPlace,
  SubjectRecords,
  SubjectSource,
} from '@toolwright/ground/ports/server-stores';

// The audit log
export type {
  AuditEvent,
  AuditEventType,
  AuditFileOptions,
  AuditHealth,
  AuditMode,
  AuditPrincipal,
  AuditRecordSink,
  AuditRetention,
  AuditRotation,
  AuditSink,
} from '@toolwright/ground/ports/audit-sink';

// Clock, ids and log
export {
  LONGEST_TIMER_MS,
  monotonic,
  randomIds,
  systemClock,
  wallTime,
  type Clock,
  type IdSource,
} from '@toolwright/ground/ports/clock-and-ids';
export {
  loggerRule,
  silentLogger,
  stderrLogger,
  textOfFields,
  type LogFunction,
  type Logger,
} from '@toolwright/ground/ports/logger';

// What the processes of a fleet share
export {
  MemoryClaimStore,
  type ClaimOwner,
  type ClaimStore,
  MemoryLeaseStore,
  type LeaseLimit,
  type LeaseStore,
  type ReleaseLease,
} from '@toolwright/ground/ports/claim-store';
export {
  isServerEvent,
  MemoryEventBus,
  type EventBus,
  type ServerEvent,
} from '@toolwright/ground/ports/event-bus';
export {
  MemoryEventStore,
  type EventStore,
  type MemoryEventStoreOptions,
  type StoredEvent,
} from '@toolwright/ground/ports/event-store';
export {
  MemoryRateLimiter,
  type RateLimitDecision,
  type RateLimiter,
  type RateLimitRule,
  type RateLimitUse,
} from '@toolwright/ground/ports/rate-limiter';
export {
  MemoryRecordStore,
  type RecordStore,
  type RecordWrite,
  MemorySessionRecords,
  type SessionRecord,
  type SessionRecords,
} from '@toolwright/ground/ports/record-store';
export { MemoryResultCache, type ResultCache } from '@toolwright/ground/ports/result-cache';

// The options that stores outside of the process have in common
export { storeBounds, type StoreBounds } from '@toolwright/ground/ports/server-stores';

// Tasks
export { MemoryTaskStore, type MemoryTaskStoreOptions } from '@toolwright/ground/ports/memory-task-store';
export type {
  OwnerClass,
  QueueDepth,
  QueueLoad,
  NewTask,
  TaskAdmin,
  TaskEnding,
  TaskPage,
  TaskQuestion,
  TaskRecord,
  TaskStatus,
  TaskStore,
  TaskSummary,
} from '@toolwright/ground/ports/task-store';
