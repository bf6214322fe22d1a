// What a package is written against that adds something to servers. docs/extending.md shows one.
import { Extensions } from './boot/extensions/extensions.js';
import type * as extension from './boot/extensions/extension.js';
import type { McpServer } from './server.js';

export type { BuildStep, BuiltProject } from '@toolwright/manifest';
export type {
  BackgroundNouns,
  ExtraContext,
  ExtraErrorCodes,
  ExtraServerOptions,
  ExtraServiceOptions,
  ExtraState,
  ExtraToolOptions,
} from '@toolwright/ground/base/extended';
export type {
  BackgroundProblem,
  BackgroundPart,
  ContextCall,
  DraftedBackground,
  ExtensionParts,
  ManifestField,
  PackageRecord,
} from './boot/extensions/extension.js';

export type {
  DescribeTool,
  ExtensionCapability,
  ExtensionLists,
  ExtensionMethod,
  ListView,
  OperatorMethod,
  CallerParts,
  ProtocolAdditions,
  ReplaceList,
  ToolWords,
  UpstreamServer,
} from './requests/protocol-additions.js';
export type { ForwardingTool } from './requests/forwarded-call.js';
export type { InnerCallOptions, InnerCalls } from './requests/inner-calls.js';
export { describeFailedStart } from '@toolwright/ground/base/errors/configuration-error';
export { Seal, digest } from '@toolwright/json';
export type { RunningProgram } from '@toolwright/ground/base/request-context';
export { refuseCall, type CallRefusal } from '@toolwright/ground/call/refuse';
export type {
  Approval,
  ApprovalAnswer,
  ApprovalRefusal,
  ApproverRule,
  AskForApproval,
} from '@toolwright/ground/call/approval';
export { partyOf } from '@toolwright/ground/call/operation/keys';
export { withoutAround } from './policies/around.js';
export type { Guard, PlannedGuard, VisibilityContext } from './policies/guard.js';
export type { ServerStop } from '@toolwright/ground/call/limits/running-work';
export type { BackgroundMethod } from './tasks/background-methods.js';
export type { BackgroundRun, BackgroundWords } from './tasks/background-request.js';
export type {
  JobLease,
  JobOutcome,
  CarriedTask,
  QueueTick,
  TaskCarrier,
  TaskJob,
  TaskServer,
  TickCarrier,
  TickOutcome,
} from './tasks/task-carrier.js';
export { backgroundMethod, type RecordedBackground } from './decorators/recording.js';

// Decorators and operations of a package's own
export type { AppMethodDecorator } from './decorators/mcp-resource.js';
export type {
  ClassOnlyDecorator,
  ClassOrMethodDecorator,
  MethodOnlyDecorator,
  ParameterOnlyDecorator,
} from './decorators/recording.js';
export type {
  PropertyOrParameterDecorator,
  StandardInputDecorator,
  StandardParameterDecorator,
} from './decorators/schema.js';
export type { Complete, Planned, Step, ToolTask } from '@toolwright/ground/call/operation/operation';
export type { StandardConverter, StandardIssue, StandardResult } from '@toolwright/json';

// Containers and loaders that others bring
export { offersOperations } from './boot/classes/service.js';
export { MANIFEST_PROVIDER } from '@toolwright/manifest';
export type { ManifestProvider } from './boot/manifest/load-manifests.js';
export type { AroundMethod, CallSource } from '@toolwright/ground/call/operation/draft';
export type { DecoratedMember } from './container/provider.js';

/** What a package adds to servers. See docs/extending.md. */
export type Extension<Parts extends extension.ExtensionParts = extension.ExtensionParts> =
  extension.Extension<McpServer, Parts>;

/** The server, as a package sees it. */
export type ExtensionHost = extension.ExtensionHost<McpServer>;

/**
 * Starts an extension in a running server. For packages that are used by a call of a function, such as
 * `mountServer(server, …)`. The first call starts it; each further one gets the same parts.
 *
 * @returns what `start` returned
 * @throws {ConfigurationError} when something that it adds is there already
 */
export function extend<Parts extends extension.ExtensionParts>(
  server: McpServer,
  added: Extension<Parts>,
): Promise<Parts> {
  return Extensions.of(server).start(added as extension.Extension<never, Parts>);
}
