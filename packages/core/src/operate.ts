// For those who run a server: work on its tasks, change it, look at it, and listen to it while it runs.
export { serveTasks, type ServeTasksOptions, type TaskService } from './serve-tasks.js';
export { systemUser } from '@toolwright/json';

// What is added while it runs, as `server.tools.add` takes it
export type { PromptDefinition } from './boot/kinds/prompt.js';
export type { ResourceDefinition } from './boot/kinds/resource.js';
export type { ResourceTemplateDefinition } from './boot/kinds/resource-template.js';
export type { ToolDefinition } from './boot/kinds/tool.js';
export type { ResourceUpdateOptions } from './server.js';

// What is kept about people
export { subjectSource } from './sessions/shared-sessions.js';
export { principalKeysOf, type PrincipalKeys } from '@toolwright/ground/call/operation/keys';

// How a call is planned
export type { ToolExplanation } from './boot/registry/explanation.js';
export type { StepDescription, StepOrigin } from '@toolwright/ground/call/operation/operation';
export type { PolicyEntry, PolicyMap, PolicyOrigin } from '@toolwright/ground/base/metadata/store';

// What a server is at, as `server.operator` says it
export type { ServerOperator } from './observe/server-operator.js';
export type { UpstreamServer } from './requests/protocol-additions.js';
export type {
  CallerIdentity,
  CallState,
  LimitState,
  ServerState,
  SessionState,
  SlotState,
  StreamState,
  SubscriptionState,
  TaskState,
  ExplainedPrograms,
} from './observe/server-state.js';
export type { RunningOperation } from '@toolwright/ground/call/limits/running-work';

// What `server.on` and the operator report while it happens
export type {
  CallListener,
  CallTrace,
  ProgramTrace,
  ShownText,
  TracedStep,
} from '@toolwright/ground/call/operation/call-trace';
export type { SecurityEvent, SecurityListener } from '@toolwright/ground/call/security/security-monitor';
export type { MessageListener, ObservedMessage } from './observe/message-watch.js';
export type { SessionEndListener } from './server.js';
