export { connect, McpClient, RpcError, type ConnectOptions } from '@toolwright/client';
export { describeAuditSink, type AuditSinkSubject } from './contracts/audit-sink-contract.js';
export { describeClaimStore, type ClaimStoreSubject } from './contracts/claims-and-leases-contract.js';
export { describeClock, type ClockSubject } from './contracts/clock-and-ids-contract.js';
export { describeEventStore, type EventStoreSubject } from './contracts/events-contract.js';
export { describeEventBus, type EventBusSubject } from './contracts/events-contract.js';
export { describeIdSource, type IdSourceSubject } from './contracts/clock-and-ids-contract.js';
export { describeLeaseStore, type LeaseStoreSubject } from './contracts/claims-and-leases-contract.js';
export { describeRateLimiter, type RateLimiterSubject } from './contracts/rate-limiter-contract.js';
export { describeRecordStore, type RecordStoreSubject } from './contracts/record-store-contract.js';
export { describeResultCache, type ResultCacheSubject } from './contracts/kept-values-contract.js';
export { describeSessionRecords, type SessionRecordsSubject } from './contracts/kept-values-contract.js';
export type { TaskQueueSubject } from './contracts/queue-consumer.js';
export { describeTaskQueue } from './contracts/task-queue-contract.js';
export { describeTaskStore, type TaskStoreSubject } from './contracts/task-store-contract.js';
export { describeTransport, type ServeTransport } from './contracts/transport-contract.js';
export type { TransportClient, TransportSubject } from './contracts/recording-client.js';
export { evaluate, type EvaluateOptions, type EvaluationCase } from './evaluate/evaluate.js';
export type { EvaluationMode } from './evaluate/evaluation-mode.js';
export type { ExpectedCall } from './evaluate/judge-answer.js';
export type { EvaluatedModel, ModelAnswer, ModelMessage, ModelRequest } from './evaluate/model.js';
export { junitOf, type TokenPrices } from './evaluate/report.js';
export type {
  AnswerProblem,
  CaseReport,
  EvaluationReport,
  ModelCall,
  ModelUsage,
  ToolReport,
} from '@toolwright/json';
export { UnreliableLink, type UnreliableLinkOptions } from './outages/unreliable-link.js';
export { ManualClock } from './outages/unreliable-link.js';
export { matchers } from './matchers/matchers.js';
export { MemoryTaskQueue } from './queue/memory-task-queue.js';
