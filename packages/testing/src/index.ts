export { connect, McpClient, RpcError, type ConnectOptions } from '@toolwright/client';
export { capabilitiesOf, openClient } from './deprecated.js';
// These exports stay for one minor version. They were part of this package before the client had its own.
export {
  /** @deprecated Use `Change` of `@toolwright/client`. It goes with 0.3. */
  type Change,
  /** @deprecated Use `Channel` of `@toolwright/client`. It goes with 0.3. */
  type Channel,
  /** @deprecated Use `ClientOptions` of `@toolwright/client`. It goes with 0.3. */
  type ClientOptions,
  /** @deprecated Use `CompletionTarget` of `@toolwright/client`. It goes with 0.3. */
  type CompletionTarget,
  /** @deprecated Use `Elicitation` of `@toolwright/client`. It goes with 0.3. */
  type Elicitation,
  /** @deprecated Use `InputHandlers` of `@toolwright/client`. It goes with 0.3. */
  type InputHandlers,
  /** @deprecated Use `Listed` of `@toolwright/client`. It goes with 0.3. */
  type Listed,
  /** @deprecated Use `ListedTool` of `@toolwright/client`. It goes with 0.3. */
  type ListedTool,
  /** @deprecated Use `ListenFilter` of `@toolwright/client`. It goes with 0.3. */
  type ListenFilter,
  /** @deprecated Use `OpenChannel` of `@toolwright/client`. It goes with 0.3. */
  type OpenChannel,
  /** @deprecated Use `RequestOptions` of `@toolwright/client`. It goes with 0.3. */
  type RequestOptions,
  /** @deprecated Use `ServerDescription` of `@toolwright/client`. It goes with 0.3. */
  type ServerDescription,
  /** @deprecated Use `Subscription` of `@toolwright/client`. It goes with 0.3. */
  type Subscription,
  /** @deprecated Use `WireMessage` of `@toolwright/client`. It goes with 0.3. */
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
