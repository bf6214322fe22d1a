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
export { Confirm, type ConfirmOptions } from './policies/confirm/confirm.js';
export { definePolicy, type Policy } from './policies/define-policy.js';
export { UndeclaredOutput } from './policies/output/undeclared-output.js';
export { HiddenText } from './policies/output/guard-output.js';
export type { InjectOptions } from './container/provider.js';
export { Inject } from './decorators/mcp-service.js';
export { Injectable, type InjectableOptions } from './decorators/mcp-service.js';
export type { integer } from './decorators/schema.js';
export { MaxOutput, type MaxOutputOptions } from './policies/output/max-output.js';
export { McpApp, type McpAppOptions } from './decorators/mcp-resource.js';
export { McpPrompt, type McpPromptOptions } from './decorators/mcp-prompt.js';
export { McpResource, type McpResourceOptions } from './decorators/mcp-resource.js';
export { McpResourceTemplate, type McpResourceTemplateOptions } from './decorators/mcp-resource.js';
export { McpService, type McpServiceOptions } from './decorators/mcp-service.js';
export { McpTool, type McpToolOptions } from './decorators/mcp-tool.js';
export { RateLimit, type RateLimitOptions } from './policies/rate-limit.js';
export { RequireScopes, type RequiredScopes, type RequireScopesOptions } from './policies/authorize.js';
export { Schema, type SchemaOptions } from './decorators/schema.js';
export { Sensitive } from './decorators/schema.js';
export { Timeout } from './policies/timeout.js';
export { UseMiddleware } from './policies/middleware.js';

// Server
export { createMcpServer } from './create-mcp-server.js';
export { McpServer } from './server.js';
export type { ServerOptions } from './boot/options/server-options.js';

// Exports nothing. Packages add members to interfaces of this entry, and compilers ignore what is added to a module that
// nothing imports: a server without extensions of its own would not have `ctx.tokenFor`.
export type {} from './extend.js';

// Container
export type { ExternalResolver } from './container/provider.js';
export type { OnDispose, OnInit, OptionalToken, Provider, Scope } from './container/provider.js';
export { Token, type InjectionToken } from './container/provider.js';

// Errors
export { errorCatalogue, type ErrorCode } from '@toolwright/ground/base/errors/catalogue';
export {
  ConfigurationError,
  type ConfigurationProblem,
  failStart,
} from '@toolwright/ground/base/errors/configuration-error';
export { JsonRpcCode, ProtocolError } from '@toolwright/ground/base/errors/errors';
export { ToolError, type ToolErrorOptions } from '@toolwright/ground/base/errors/errors';
export { isToolwrightError, ToolwrightError } from '@toolwright/ground/base/errors/errors';

// Calls
export { InputRequired } from '@toolwright/ground/call/context/rounds';
export type {
  BoundOperation,
  BoundPrompt,
  BoundResource,
  BoundResourceTemplate,
  BoundTool,
  Call,
  Middleware,
  Next,
  OperationResult,
} from '@toolwright/ground/call/operation/operation';
export {
  audio,
  embedded,
  image,
  resourceLink,
  text,
  type ContentOptions,
} from '@toolwright/ground/call/results/content';
export { structured, type Structured, type StructuredText } from '@toolwright/ground/call/results/content';
export {
  ToolContext,
  type ContextLog,
  type ElicitRequest,
  type ElicitResult,
  type SampleRequest,
  type SampleResult,
  type TypedElicitRequest,
  type TypedSampleResult,
} from '@toolwright/ground/call/context/tool-context';

// Content
export type {
  AudioContent,
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
} from '@toolwright/ground/base/content';

// Callers
export type {
  ClientDescription,
  Principal,
  RequestContext,
  StepAttempt,
  StepOptions,
} from '@toolwright/ground/base/request-context';
