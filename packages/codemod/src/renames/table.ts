/** An exported name of an earlier release, and what it is now. */
export interface NameRename {
  /** The module that exported it: `@toolwright/core`, or a subpath. */
  readonly from: string;
  readonly name: string;
  /** The module that exports it now. */
  readonly to: string;
  readonly newName: string;
}

/** An exported name that has no successor of the same use, and what to write instead. */
export interface RemovedName {
  readonly from: string;
  readonly name: string;
  readonly advice: string;
}

/** What has another name than before. */
export interface Renames {
  /** Names of modules, oldest first. A name that changed twice has two rows. */
  readonly names: readonly NameRename[];
  readonly removed: readonly RemovedName[];
  /**
   * Options of `createMcpServer`: each path of before, and the path of today, such as `pageSize` and `lists.pageSize`.
   * A row about one value only has it after the path, as in code: `output.undeclared: 'allow'`.
   */
  readonly options: Readonly<Record<string, string>>;
  /**
   * Options that need not be objects, and what becomes of such a value when another option moves into it: `list`, or
   * the name that it gets in an object.
   */
  readonly forms: Readonly<Record<string, string>>;
}

/** The same names, in another module. */
function moved(from: string, to: string, names: string): NameRename[] {
  return names.split(/\s+/).map((name) => ({ from, name, to, newName: name }));
}

/** Names without a successor. */
function gone(from: string, advice: string, names: string): RemovedName[] {
  return names.split(/\s+/).map((name) => ({ from, name, advice }));
}

/** Another name, in the same module. */
function renamed(from: string, name: string, newName: string): NameRename {
  return { from, name, to: from, newName };
}

const names: readonly NameRename[] = [
  ...moved(
    '@toolwright/express',
    '@toolwright/http',
    `Authenticate Authentication AuthenticationFailure Challenge HttpServed HttpService McpHandler McpHttpOptions
    OAuthResourceServer OAuthResourceServerOptions ServeHttpOptions TrustedIssuer`,
  ),
  ...moved(
    '@toolwright/testing',
    '@toolwright/client',
    `openClient capabilitiesOf Change Channel ClientOptions CompletionTarget Elicitation InputHandlers Listed ListedTool
    ListenFilter OpenChannel RequestOptions ServerDescription Subscription WireMessage`,
  ),
  ...moved(
    '@toolwright/core',
    '@toolwright/core/transport',
    `AnswerPause Arrival Cancellation Connection Detach EventSink EventStream Features OpenedSession Peer Protocol
    ProtocolLoad QuotaLimits QuotaOwner QuotaPool Reading Reply ResponseChannel RpcMessage RpcNotification RpcRequest
    RpcResponse Session SessionStreams StatefulRequest StatefulService StatelessRequest errorText principalKey
    quotaOwnerOf readTrace wantsAnswer`,
  ),
  renamed('@toolwright/core/checks', 'findFlaggedFaults', 'findFlaggedProblems'),
  renamed('@toolwright/core/checks', 'findPatternFaults', 'findPatternProblems'),
  renamed('@toolwright/audit', 'Problem', 'AuditProblem'),
  renamed('@toolwright/audit', 'Verdict', 'AuditVerdict'),
  renamed('@toolwright/console', 'ConsoleFault', 'ConsoleRefusal'),
  renamed('@toolwright/core/transport', 'Arrival', 'InboundContext'),
  renamed('@toolwright/core/transport', 'Reading', 'ClassifiedBody'),
  renamed('@toolwright/core/options', 'OptionFault', 'OptionProblem'),
  renamed('@toolwright/core', 'TaskDesk', 'TaskAdmin'),
  renamed('@toolwright/core', 'ScheduleTick', 'QueueTick'),
  ...moved(
    '@toolwright/core',
    '@toolwright/schedules',
    'Scheduled ScheduledOptions ScheduleOutcome ScheduleState',
  ),
  ...moved(
    '@toolwright/core',
    '@toolwright/core/ports',
    `AuditEvent AuditEventType AuditFileOptions AuditHealth AuditMode AuditPrincipal AuditRecordSink AuditRetention
    AuditRotation AuditSink ClaimOwner ClaimStore Clock EventBus EventStore IdSource isServerEvent LeaseLimit
    LeaseStore LogFunction Logger MemoryClaimStore MemoryEventBus MemoryEventStore MemoryEventStoreOptions
    MemoryLeaseStore MemoryRateLimiter MemoryResultCache MemorySessionRecords MemoryTaskQueue MemoryTaskStore
    MemoryTaskStoreOptions NewTask OwnerClass ProcessTaskRunner QueueDepth QueuedTask QueueLoad QueueWorker
    randomIds RateLimitDecision RateLimiter RateLimitRule RateLimitUse ReleaseLease ResultCache QueueTick
    ServedWork ServerEvent ServerStores SessionRecord SessionRecords stderrLogger StoredEvent StoreHealth
    StorePorts systemClock TaskAdmin TaskEnding TaskJob TaskPage TaskQuestion TaskQueue TaskRecord TaskRunner
    TaskStatus TaskStore TaskSummary TaskWorker TickOutcome WorkLease WorkOutcome`,
  ),
  ...moved(
    '@toolwright/core',
    '@toolwright/core/operate',
    `CallerIdentity CallListener CallState CallTrace LimitState MessageListener ObservedMessage PolicyEntry
    PolicyMap PolicyOrigin PromptDefinition ResourceDefinition ResourceTemplateDefinition ResourceUpdateOptions
    RunningOperation SecurityEvent SecurityListener ServerOperator ServerState serveTasks ServeTasksOptions
    SessionEndListener SessionState SlotState StepDescription StepOrigin StreamState SubscriptionState TaskService
    TaskState ToolDefinition ToolExplanation TracedStep`,
  ),
  ...moved(
    '@toolwright/core',
    '@toolwright/core/options',
    `AbandonedWorkOptions AliasProvider AnySchema AppCsp AppPermission AppSettings AttachedMiddleware AttachOptions
    ClassProvider ClassToken ConfirmMessage ContentAnnotations Duration FactoryProvider HiddenTextMode
    ImportedManifest KernelOptions ManifestSource MayRead OnStoreError OutputOptions PipelineOptions
    ProtocolOptions ResourceCaching ResourceVariables SecurityOptions SecurityPart ServerConcurrency
    ServerRateLimit SessionOptions StandardSchema TaskOptions ToolAudience ToolUi Undeclared ValueProvider`,
  ),
  ...moved(
    '@toolwright/core',
    '@toolwright/core/extend',
    `AppMethodDecorator AroundMethod CallSource ClassOnlyDecorator ClassOrMethodDecorator Complete DecoratedMember
    MANIFEST_PROVIDER ManifestProvider MethodOnlyDecorator offersOperations ParameterOnlyDecorator Planned
    PropertyOrParameterDecorator StandardConverter StandardInputDecorator StandardIssue StandardParameterDecorator
    StandardResult Step ToolTask`,
  ),
  ...moved(
    '@toolwright/core',
    '@toolwright/core/transport',
    `Era LogLevel MaybePromise RequestId Revision revisions ServerInfo TraceContext`,
  ),
  ...moved(
    '@toolwright/schema-compiler',
    '@toolwright/codemod',
    'MigratedFile Migration MigrationCount MigrationNote ProjectLayout',
  ),
];

const removed: readonly RemovedName[] = [
  ...gone(
    '@toolwright/manifest',
    'It served the packages of Toolwright alone. Write a function of your own.',
    `annotationsOf canonicalJson concealSensitive Constrained constrainSchema Constraint constraintRule
    DefinitionPool definitionsOf didYouMean digestRules editDistance Fit followReferences INLINE_LIMIT
    inlineReferences isSchema isSensitive isUnicodePattern mapConditions mapInputAndOutput mapRevivals mapSchema
    markSensitive nearestNames partsOf Passes PropertyConstraints PropertyRule publishedPattern reachedFrom
    ReferenceGroup referenceName referencesIn schemaOf SchemaTraits sharedDefinitions sortByReferences traitsOf
    withDefinitions`,
  ),
  {
    from: '@toolwright/schema-compiler',
    name: 'loadSourceEdits',
    advice: 'Import migrateProject, mountInExpress and the other functions from @toolwright/codemod.',
  },
  {
    from: '@toolwright/schema-compiler',
    name: 'SourceEdits',
    advice: "Write typeof import('@toolwright/codemod').",
  },
];

/** Core refuses the same options when a server starts. A test compares this table with core's. */
const options = {
  legacy: 'stateful',
  "output.undeclared: 'allow'": "output.undeclared: 'keep'",
  title: 'about.title',
  description: 'about.description',
  icons: 'about.icons',
  websiteUrl: 'about.websiteUrl',
  manifestHash: 'manifest.hash',
  clock: 'ports.clock',
  ids: 'ports.ids',
  instanceId: 'ports.instanceId',
  pageSize: 'lists.pageSize',
  listTtlMs: 'lists.ttl',
  clientSafe: 'lists.clientSafe',
  maxSubscriptions: 'subscriptions.max',
  maxSubscriptionsPerPrincipal: 'subscriptions.maxPerPrincipal',
  maxAnonymousSubscriptions: 'subscriptions.maxAnonymous',
  validation: 'input.validation',
  coerce: 'input.coerce',
  abandonedWork: 'concurrency.abandonedWork',
  bus: 'stores.bus',
  'rateLimit.limiter': 'stores.rateLimiter',
  'requestState.claims': 'stores.claims',
  'requestState.secrets': 'secrets',
  'sessions.secrets': 'secrets',
  'tasks.secrets': 'secrets',
  'sessions.events: false': 'sessions.resumable: false',
  'sessions.events': 'stores.events',
  'sessions.records': 'stores.sessions',
  'tasks.store': 'stores.tasks',
  'tasks.queue': 'stores.tasks',
  'requestState.ttlMs': 'requestState.lifetime',
  'sessions.answerMs': 'sessions.answerTimeout',
  'tasks.unservedMs': 'tasks.unservedTimeout',
};

const forms = { manifest: 'file', stores: 'list' };

/**
 * What changed since 0.1. Whoever renames or moves a public name adds a row here, and a line to docs/upgrading.md: a
 * test holds the two together.
 */
export const renames: Renames = { names, removed, options, forms };
