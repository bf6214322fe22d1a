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
} from './ports/server-stores.js';

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
} from './ports/audit-sink.js';

// Clock, ids and log
export {
  LONGEST_TIMER_MS,
  monotonic,
  randomIds,
  systemClock,
  wallTime,
  type Clock,
  type IdSource,
} from './ports/clock-and-ids.js';
export {
  loggerRule,
  silentLogger,
  stderrLogger,
  textOfFields,
  type LogFunction,
  type Logger,
} from './ports/logger.js';

// What the processes of a fleet share
export {
  MemoryClaimStore,
  type ClaimOwner,
  type ClaimStore,
  MemoryLeaseStore,
  type LeaseLimit,
  type LeaseStore,
  type ReleaseLease,
} from './ports/claim-store.js';
export { isServerEvent, MemoryEventBus, type EventBus, type ServerEvent } from './ports/event-bus.js';
export {
  MemoryEventStore,
  type EventStore,
  type MemoryEventStoreOptions,
  type StoredEvent,
} from './ports/event-store.js';
export {
  MemoryRateLimiter,
  type RateLimitDecision,
  type RateLimiter,
  type RateLimitRule,
  type RateLimitUse,
} from './ports/rate-limiter.js';
export {
  MemoryRecordStore,
  type RecordStore,
  type RecordWrite,
  MemorySessionRecords,
  type SessionRecord,
  type SessionRecords,
} from './ports/record-store.js';
export { MemoryResultCache, type ResultCache } from './ports/result-cache.js';

// The options that stores outside of the process have in common
export { storeBounds, type StoreBounds } from './ports/server-stores.js';

// Tasks
export { MemoryTaskStore, type MemoryTaskStoreOptions } from './ports/memory-task-store.js';
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
} from './ports/task-store.js';
