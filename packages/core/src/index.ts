// Decorators
export { Arg } from './decorators/arg.js';
export { Audit, type AuditOptions } from './decorators/audit.js';
export { Cache, type CacheOptions } from './decorators/cache.js';
export {
  CompletionProvider,
  type CompletionOptions,
  type CompletionSource,
} from './decorators/completion-provider.js';
export { Concurrency, type ConcurrencyOptions } from './decorators/concurrency.js';
export { Confirm, type ConfirmMessage, type ConfirmOptions } from './decorators/confirm.js';
export { definePolicy, type Policy } from './decorators/define-policy.js';
export { UndeclaredOutput } from './decorators/undeclared-output.js';
export type { Undeclared } from './pipeline/output/output-node.js';
export { HiddenText, type HiddenTextMode } from './decorators/hidden-text.js';
export type { InjectOptions } from './container/inject-record.js';
export { Inject } from './decorators/inject.js';
export { Injectable, type InjectableOptions } from './decorators/injectable.js';
export type { integer } from './decorators/integer.js';
export { MaxOutput, type MaxOutputOptions } from './decorators/max-output.js';
export { McpApp, type AppMethodDecorator, type McpAppOptions } from './decorators/mcp-app.js';
export { McpPrompt, type McpPromptOptions } from './decorators/mcp-prompt.js';
export { McpResource, type McpResourceOptions } from './decorators/mcp-resource.js';
export type { ResourceCaching } from './messages/resource-caching.js';
export { McpResourceTemplate, type McpResourceTemplateOptions } from './decorators/mcp-resource-template.js';
export { McpService, type McpServiceOptions } from './decorators/mcp-service.js';
export { McpTool, type McpToolOptions } from './decorators/mcp-tool.js';
export { RateLimit, type RateLimitOptions } from './decorators/rate-limit.js';
export type {
  ClassOnlyDecorator,
  ClassOrMethodDecorator,
  MethodOnlyDecorator,
  ParameterOnlyDecorator,
} from './decorators/recording.js';
export { RequireScopes } from './decorators/require-scopes.js';
export { Schema, type SchemaOptions } from './decorators/schema.js';
export { Sensitive, type PropertyOrParameterDecorator } from './decorators/sensitive.js';
export { Timeout } from './decorators/timeout.js';
export { UseMiddleware } from './decorators/use-middleware.js';

// Server
export { createMcpServer, McpServer } from './server.js';
export type { SessionEndListener } from './boot/session-end-listeners.js';
export type { ToolExplanation } from './boot/explanation.js';
export { MANIFEST_PROVIDER, type ManifestProvider, type ManifestSource } from './boot/manifest-source.js';
export type {
  PromptDefinition,
  ResourceDefinition,
  ResourceTemplateDefinition,
  ToolDefinition,
} from './boot/operation-definitions.js';
export type { SecurityOptions, SecurityPart } from './boot/security-options.js';
export type { KernelOptions, ServerOptions } from './boot/server-options.js';

// Container
export type { ExternalResolver } from './container/external-resolver.js';
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
export { Token, type ClassToken, type InjectionToken } from './container/token.js';

// Errors
export { errorCatalogue, type ErrorCode } from './errors/catalogue.js';
export { ConfigurationError, type ConfigurationProblem } from './errors/configuration-error.js';
export { JsonRpcCode, ProtocolError } from './errors/protocol-error.js';
export { ToolError, type ToolErrorOptions } from './errors/tool-error.js';
export { isToolwrightError, ToolwrightError } from './errors/toolwright-error.js';

// Calls
export type { PolicyEntry, PolicyMap, PolicyOrigin } from './metadata/policy.js';
export type { AppCsp, AppPermission, AppSettings, ToolAudience, ToolUi } from './pipeline/app.js';
export type { Duration } from './pipeline/duration.js';
export { InputRequired } from './pipeline/input-required.js';
export type {
  BoundOperation,
  BoundPrompt,
  BoundResource,
  BoundResourceTemplate,
  BoundTool,
  Call,
  Complete,
  MaybePromise,
  Middleware,
  Next,
  Planned,
  ResultOf,
  Step,
  ToolTask,
} from './pipeline/operation.js';
export type {
  AbandonedWorkOptions,
  AttachedMiddleware,
  OnStoreError,
  OutputOptions,
  PipelineOptions,
  ServerConcurrency,
  ServerRateLimit,
} from './pipeline/pipeline-options.js';
export type { RunningOperation } from './pipeline/running-work.js';
export type { StepDescription, StepOrigin } from './pipeline/step-description.js';
export {
  audio,
  embedded,
  image,
  resourceLink,
  text,
  type ContentOptions,
} from './pipeline/results/content.js';
export { structured, type Structured, type StructuredText } from './pipeline/results/structured.js';
export type { SecurityEvent, SecurityListener } from './pipeline/security-event.js';
export {
  ToolContext,
  type ContextLog,
  type ElicitRequest,
  type ElicitResult,
  type SampleRequest,
  type SampleResult,
  type TypedElicitRequest,
  type TypedSampleResult,
} from './pipeline/tool-context.js';

// Ports
export type {
  AuditFileOptions,
  AuditRecordSink,
  AuditRetention,
  AuditRotation,
} from './ports/audit-file-options.js';
export type { AuditEvent, AuditEventType, AuditMode, AuditSink } from './ports/audit-sink.js';
export { MemoryClaimStore, type ClaimStore } from './ports/claim-store.js';
export { systemClock, type Clock } from './ports/clock.js';
export type { EventBus, ServerEvent } from './ports/event-bus.js';
export {
  MemoryEventStore,
  type EventStore,
  type MemoryEventStoreOptions,
  type StoredEvent,
} from './ports/event-store.js';
export { randomIds, type IdSource } from './ports/id-source.js';
export type { LogFunction, Logger } from './ports/logger.js';
export { MemoryEventBus } from './ports/memory-event-bus.js';
export { MemoryRateLimiter } from './ports/memory-rate-limiter.js';
export { MemoryTaskStore, type MemoryTaskStoreOptions } from './ports/memory-task-store.js';
export type { RateLimitDecision, RateLimiter, RateLimitRule } from './ports/rate-limiter.js';
export { stderrLogger } from './ports/stderr-logger.js';
export { ProcessTaskRunner, type TaskJob, type TaskRunner } from './ports/task-runner.js';
export type {
  NewTask,
  TaskEnding,
  TaskQuestion,
  TaskRecord,
  TaskStatus,
  TaskStore,
} from './ports/task-store.js';

// Content
export type { AnySchema } from './messages/any-schema.js';
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
} from './messages/content.js';

// For packages that read options of their own
export {
  withDefaults,
  type AnyOptionSchema,
  type OptionFault,
  type OptionPlace,
  type OptionRule,
  type OptionSchema,
  type OptionalRule,
  type RequiredRule,
  type WithDefaults,
} from './options/option-schema.js';
export { parseOptions } from './options/parse-options.js';
export { optionRules } from './options/option-rules.js';

// For tools that look at schemas before a server starts
export {
  findFlaggedFaults,
  findPatternFaults,
  PATTERN_FIX,
  type FlaggedPattern,
} from './schema/find-pattern-faults.js';
export { findHiddenText, type HiddenCharacter } from './boot/find-hidden-text.js';
export type { DeclaredOperation } from './boot/draft-declared.js';
export { findDeclaredProblems, type DeclaredProblem } from './boot/find-declared-problems.js';

// For transports
export { errorReply, stoppingReply } from './protocol/answer.js';
export { Cancellation } from './protocol/cancellation.js';
export { findPrincipalFault } from './protocol/find-principal-fault.js';
export { readTrace } from './protocol/envelope.js';
export { classify, type Classified, type ModernRequest } from './protocol/classify.js';
export { Connection } from './protocol/connection.js';
export { createProtocol, type Protocol } from './protocol/create-protocol.js';
export { EventStream, type EventSink } from './protocol/event-stream.js';
export type { Exchange, Peer } from './protocol/exchange.js';
export { featuresOf, isLegacyRevision, isModernRevision } from './protocol/features.js';
export {
  wantsAnswer,
  type RpcMessage,
  type RpcNotification,
  type RpcRequest,
  type RpcResponse,
} from './protocol/json-rpc.js';
export { initializeResult, readHandshake } from './protocol/methods/initialize.js';
export { checkMirroredHeaders } from './protocol/mirrored-headers.js';
export { AnswerPause } from './protocol/answer-pause.js';
export { holderOf, type PlaceHolder } from './protocol/place-holder.js';
export { noteRefusedMessage, noteRefusedRequest } from './protocol/note-refusal.js';
export { Places, type PlaceLimits } from './protocol/places.js';
export { principalKey } from './protocol/principal-key.js';
export { unsupportedVersion } from './protocol/protocol-errors.js';
export type { ProtocolOptions, SessionOptions, TaskOptions } from './protocol/protocol-options.js';
export type { ProtocolHost, ServerInfo } from './protocol/protocol.js';
export { errorText, resultText, type Reply } from './protocol/reply.js';
export {
  revisions,
  type ClientDescription,
  type Era,
  type LogLevel,
  type Principal,
  type RequestId,
  type Revision,
  type TraceContext,
} from './messages/request-context.js';
export { hearNotification } from './protocol/serve-legacy.js';
export type { Session } from './protocol/session.js';
