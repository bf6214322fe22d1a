// Decorators
export { Arg } from './decorators/schema.js';
export { Audit, type AuditOptions } from './policies/audit/audit.js';
export { Cache, type CacheOptions } from './policies/cache.js';
export {
  CompletionProvider,
  type CompletionOptions,
  type CompletionSource,
} from './decorators/completion-provider.js';
export { Concurrency, type ConcurrencyOptions } from './policies/concurrency.js';
export { Confirm, type ConfirmMessage, type ConfirmOptions } from './policies/confirm/confirm.js';
export { definePolicy, type Policy } from './policies/define-policy.js';
export { UndeclaredOutput } from './policies/output/undeclared-output.js';
export type { Undeclared } from '@toolwright/json';
export { HiddenText, type HiddenTextMode } from './policies/output/hidden-text.js';
export type { InjectOptions } from './container/provider.js';
export { Inject } from './decorators/mcp-service.js';
export { Injectable, type InjectableOptions } from './decorators/mcp-service.js';
export type { integer } from './decorators/schema.js';
export { MaxOutput, type MaxOutputOptions } from './policies/output/max-output.js';
export { McpApp, type AppMethodDecorator, type McpAppOptions } from './decorators/mcp-resource.js';
export { McpPrompt, type McpPromptOptions } from './decorators/mcp-prompt.js';
export { McpResource, type McpResourceOptions } from './decorators/mcp-resource.js';
export type { ResourceCaching } from './base/content.js';
export { McpResourceTemplate, type McpResourceTemplateOptions } from './decorators/mcp-resource.js';
export { McpService, type McpServiceOptions } from './decorators/mcp-service.js';
export { McpTool, type McpToolOptions } from './decorators/mcp-tool.js';
export { RateLimit, type RateLimitOptions } from './policies/rate-limit.js';
export type {
  ClassOnlyDecorator,
  ClassOrMethodDecorator,
  MethodOnlyDecorator,
  ParameterOnlyDecorator,
} from './decorators/recording.js';
export { RequireScopes } from './policies/authorize.js';
export type { ScheduleOutcome } from './schedules/scheduler.js';
export { Scheduled, type ScheduledOptions } from './decorators/scheduled.js';
export { Schema, type SchemaOptions } from './decorators/schema.js';
export type { StandardInputDecorator, StandardParameterDecorator } from './decorators/schema.js';
export { Sensitive, type PropertyOrParameterDecorator } from './decorators/schema.js';
export { Timeout } from './policies/timeout.js';
export { UseMiddleware } from './policies/middleware.js';

// Server
export { createMcpServer } from './create-mcp-server.js';
export { McpServer, type ResourceUpdateOptions } from './server.js';
export type { ServerOperator } from './observe/server-operator.js';
export type {
  CallerIdentity,
  CallState,
  LimitState,
  ScheduleState,
  ServerState,
  SessionState,
  SlotState,
  StreamState,
  SubscriptionState,
  TaskState,
} from './observe/server-state.js';
export { serveTasks, type ServeTasksOptions, type TaskService } from './serve-tasks.js';
export type { SessionEndListener } from './server.js';
export type { ToolExplanation } from './boot/registry/explanation.js';
export {
  MANIFEST_PROVIDER,
  type ImportedManifest,
  type ManifestProvider,
  type ManifestSource,
} from './boot/manifest/load-manifests.js';
export type { PromptDefinition } from './boot/kinds/prompt.js';
export type { ResourceTemplateDefinition } from './boot/kinds/resource-template.js';
export type { ResourceDefinition } from './boot/kinds/resource.js';
export type { ToolDefinition } from './boot/kinds/tool.js';
export type { SecurityOptions, SecurityPart } from './boot/options/server-options.js';
export type { KernelOptions, ServerOptions } from './boot/options/server-options.js';

// Container
export type { DecoratedMember, ExternalResolver } from './container/provider.js';
export type { AroundMethod, CallSource } from './call/operation/draft.js';
export { offersOperations } from './boot/classes/service.js';
export type {
  AliasProvider,
  ClassProvider,
  FactoryProvider,
  OnDispose,
  OnInit,
  OptionalToken,
  Provider,
  Scope,
  ValueProvider,
} from './container/provider.js';
export { Token, type ClassToken, type InjectionToken } from './container/provider.js';

// Errors
export { errorCatalogue, type ErrorCode } from './base/errors/catalogue.js';
export { ConfigurationError, type ConfigurationProblem } from './base/errors/configuration-error.js';
export { JsonRpcCode, ProtocolError } from './base/errors/errors.js';
export { ToolError, type ToolErrorOptions } from './base/errors/errors.js';
export { isToolwrightError, ToolwrightError } from './base/errors/errors.js';

// Calls
export type { MaybePromise } from './base/maybe-promise.js';
export type { PolicyEntry, PolicyMap, PolicyOrigin } from './base/metadata/store.js';
export type { AppCsp, AppPermission, AppSettings, ToolAudience, ToolUi } from './base/app-settings.js';
export type { Duration } from './base/options/option-schema.js';
export { InputRequired } from './call/context/rounds.js';
export type {
  BoundOperation,
  BoundPrompt,
  BoundResource,
  BoundResourceTemplate,
  BoundTool,
  Call,
  Complete,
  Middleware,
  Next,
  Planned,
  ResultOf,
  Step,
  ToolTask,
} from './call/operation/operation.js';
export type {
  AbandonedWorkOptions,
  AttachedMiddleware,
  AttachOptions,
  OnStoreError,
  OutputOptions,
  PipelineOptions,
  ServerConcurrency,
  ServerRateLimit,
} from './call/call-options.js';
export type { MayRead, ResourceVariables } from './call/operation/registry.js';
export type { RunningOperation } from './call/limits/running-work.js';
export type { StepDescription, StepOrigin } from './call/operation/operation.js';
export { audio, embedded, image, resourceLink, text, type ContentOptions } from './call/results/content.js';
export { structured, type Structured, type StructuredText } from './call/results/content.js';
export type { SecurityEvent, SecurityListener } from './call/security/security-monitor.js';
export type { CallListener, CallTrace, TracedStep } from './call/operation/call-trace.js';
export {
  ToolContext,
  type ContextLog,
  type ElicitRequest,
  type ElicitResult,
  type SampleRequest,
  type SampleResult,
  type TypedElicitRequest,
  type TypedSampleResult,
} from './call/context/tool-context.js';

// Ports
export type { AuditFileOptions, AuditRecordSink, AuditRetention, AuditRotation } from './ports/audit-sink.js';
export type {
  AuditEvent,
  AuditEventType,
  AuditHealth,
  AuditMode,
  AuditPrincipal,
  AuditSink,
} from './ports/audit-sink.js';
export { MemoryClaimStore, type ClaimOwner, type ClaimStore } from './ports/claim-store.js';
export { systemClock, type Clock } from './ports/clock-and-ids.js';
export { isServerEvent, type EventBus, type ServerEvent } from './ports/event-bus.js';
export {
  MemoryEventStore,
  type EventStore,
  type MemoryEventStoreOptions,
  type StoredEvent,
} from './ports/event-store.js';
export { randomIds, type IdSource } from './ports/clock-and-ids.js';
export type { LogFunction, Logger } from './ports/logger.js';
export type { LeaseLimit, LeaseStore, ReleaseLease } from './ports/lease-store.js';
export { MemoryEventBus } from './ports/event-bus.js';
export { MemoryLeaseStore } from './ports/lease-store.js';
export { MemoryRateLimiter } from './ports/rate-limiter.js';
export { MemoryResultCache } from './ports/result-cache.js';
export { MemorySessionRecords } from './ports/session-records.js';
export { MemoryTaskQueue } from './ports/memory-task-queue.js';
export { MemoryTaskStore, type MemoryTaskStoreOptions } from './ports/memory-task-store.js';
export type { RateLimitDecision, RateLimiter, RateLimitRule, RateLimitUse } from './ports/rate-limiter.js';
export type { ResultCache } from './ports/result-cache.js';
export type { TaskStatus } from './ports/task-store.js';
export type { TaskAdmin, TaskSummary } from './ports/task-store.js';
export type { ServerStores, StoreHealth, StorePorts } from './ports/server-stores.js';
export type { SessionRecord, SessionRecords } from './ports/session-records.js';
export { stderrLogger } from './ports/logger.js';
export type {
  QueuedTask,
  OwnerClass,
  QueueDepth,
  QueueLoad,
  QueueWorker,
  ScheduleTick,
  ServedWork,
  TaskQueue,
  TickOutcome,
  WorkLease,
  WorkOutcome,
} from './ports/task-queue.js';
export { ProcessTaskRunner, type TaskJob, type TaskRunner, type TaskWorker } from './ports/task-runner.js';
export type {
  NewTask,
  TaskEnding,
  TaskPage,
  TaskQuestion,
  TaskRecord,
  TaskStore,
} from './ports/task-store.js';

// Content
export type { AnySchema } from '@toolwright/json';
export type { StandardConverter, StandardIssue, StandardResult, StandardSchema } from '@toolwright/json';
export type {
  AudioContent,
  ContentAnnotations,
  ContentBlock,
  EmbeddedResource,
  Icon,
  ImageContent,
  PromptMessage,
  PromptResult,
  ResourceContents,
  ResourceLink,
  ResourceResult,
  TextContent,
  ToolAnnotations,
  ToolResult,
} from './base/content.js';

// Protocol
export type { MessageListener, ObservedMessage } from './observe/message-watch.js';
export type { ProtocolOptions } from './protocol/protocol-options.js';
export type { SessionOptions } from './sessions/session-options.js';
export type { TaskOptions } from './tasks/task-options.js';
export type { ServerInfo } from './wire/revision-record.js';
export type { Era, Revision } from './base/request-context.js';
export { revisions } from './wire/revisions.js';
export type {
  ClientDescription,
  LogLevel,
  Principal,
  RequestId,
  StepAttempt,
  StepOptions,
  TraceContext,
} from './base/request-context.js';
