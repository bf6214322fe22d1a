// The parts that options are made of, and the rules by which core reads its own, for packages that read theirs.
export {
  withDefaults,
  type AnyOptionSchema,
  type OptionProblem,
  type OptionPlace,
  type OptionRule,
  type OptionSchema,
  type OptionalRule,
  type RequiredRule,
  type CompletedOptions,
  type WithDefaults,
} from '@toolwright/ground/base/options/option-schema';
export { parseOptions, requireServer, wrongOption } from '@toolwright/ground/base/options/option-schema';
export type { Duration, Milliseconds } from '@toolwright/ground/base/options/option-schema';
/** The rules that options are described with, for the schemas of other packages' options. */
export * as optionRules from '@toolwright/ground/base/options/rules';

/** Tokens for what lies behind a server. They are options of two packages that do not know each other. */
export type {
  ExchangeRule,
  GrantsOptions,
  SignInPageOptions,
  TokenForOptions,
} from '@toolwright/ground/base/exchange-options';

// Parts of the options of `createMcpServer`
export type { KernelOptions, SecurityOptions, SecurityPart } from './boot/options/server-options.js';
export type { ImportedManifest, ManifestSource } from './boot/manifest/load-manifests.js';
export type {
  AliasProvider,
  ClassProvider,
  ClassToken,
  FactoryProvider,
  ValueProvider,
} from './container/provider.js';
export type {
  AbandonedWorkOptions,
  AttachedMiddleware,
  AttachOptions,
  OnStoreError,
  OutputOptions,
  PipelineOptions,
  ServerConcurrency,
  ServerRateLimit,
} from '@toolwright/ground/call/call-options';
export type { Around, AroundCall } from '@toolwright/ground/call/call-options';
export type { ErrorRule, ErrorWords } from '@toolwright/ground/call/own-errors';
export type { MayRead, ResourceVariables } from '@toolwright/ground/call/operation/registry';
export type { ProtocolOptions } from './protocol/protocol-options.js';
export type { SessionOptions } from './sessions/session-options.js';
export type { TaskOptions } from './tasks/task-options.js';

// Parts of the options of decorators
export type {
  AppCsp,
  AppPermission,
  AppSettings,
  ToolAudience,
  ToolUi,
} from '@toolwright/ground/base/app-settings';
export type { ContentAnnotations, ResourceCaching } from '@toolwright/ground/base/content';
export type { PolicyChanges, PolicyEntries } from './policies/change-policies.js';
export type { ConfirmContext, ConfirmMessage, ConfirmWhen } from './policies/confirm/confirm.js';
export type { HiddenTextMode } from './policies/output/guard-output.js';
export type { AnySchema, Brand, StandardSchema, Undeclared } from '@toolwright/json';
