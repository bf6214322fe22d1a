export { connect, McpClient, RpcError, type ConnectOptions } from '@toolwright/client';
// These exports stay for one minor version. They were part of this package before the client had its own.
export {
  /** @deprecated Import it from `@toolwright/client`. */
  capabilitiesOf,
  /** @deprecated Import it from `@toolwright/client`. */
  openClient,
  /** @deprecated Import it from `@toolwright/client`. */
  type Change,
  /** @deprecated Import it from `@toolwright/client`. */
  type Channel,
  /** @deprecated Import it from `@toolwright/client`. */
  type ClientOptions,
  /** @deprecated Import it from `@toolwright/client`. */
  type CompletionTarget,
  /** @deprecated Import it from `@toolwright/client`. */
  type Elicitation,
  /** @deprecated Import it from `@toolwright/client`. */
  type InputHandlers,
  /** @deprecated Import it from `@toolwright/client`. */
  type Listed,
  /** @deprecated Import it from `@toolwright/client`. */
  type ListedTool,
  /** @deprecated Import it from `@toolwright/client`. */
  type ListenFilter,
  /** @deprecated Import it from `@toolwright/client`. */
  type OpenChannel,
  /** @deprecated Import it from `@toolwright/client`. */
  type RequestOptions,
  /** @deprecated Import it from `@toolwright/client`. */
  type ServerDescription,
  /** @deprecated Import it from `@toolwright/client`. */
  type Subscription,
  /** @deprecated Import it from `@toolwright/client`. */
  type WireMessage,
} from '@toolwright/client';
export { describeAuditSink, type AuditSinkSubject } from './contracts/audit-sink-contract.js';
export { describeClaimStore, type ClaimStoreSubject } from './contracts/claim-store-contract.js';
export { describeClock, type ClockSubject } from './contracts/clock-contract.js';
export { describeEventStore, type EventStoreSubject } from './contracts/event-store-contract.js';
export { describeEventBus, type EventBusSubject } from './contracts/event-bus-contract.js';
export { describeIdSource, type IdSourceSubject } from './contracts/id-source-contract.js';
export { describeLeaseStore, type LeaseStoreSubject } from './contracts/lease-store-contract.js';
export { describeRateLimiter, type RateLimiterSubject } from './contracts/rate-limiter-contract.js';
export { describeResultCache, type ResultCacheSubject } from './contracts/result-cache-contract.js';
export { describeSessionRecords, type SessionRecordsSubject } from './contracts/session-records-contract.js';
export { describeTaskQueue, type TaskQueueSubject } from './contracts/task-queue-contract.js';
export { describeTaskRunner, type TaskRunnerSubject } from './contracts/task-runner-contract.js';
export { describeTaskStore, type TaskStoreSubject } from './contracts/task-store-contract.js';
export { describeTransport, type ServeTransport } from './contracts/transport-contract.js';
export type { TransportClient, TransportSubject } from './contracts/transport-subject.js';
export { FaultyLink, type FaultyLinkOptions } from './faults/faulty-link.js';
export { ManualClock } from './faults/manual-clock.js';
export { matchers } from './matchers/matchers.js';
