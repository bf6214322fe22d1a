import type { Icon, PromptResult, ResourceResult, ToolResult } from '@toolwright/ground/base/content';
import type { Era, Revision, WrittenText } from '@toolwright/ground/base/request-context';
import type { BoundTool } from '@toolwright/ground/call/operation/operation';
import type { TaskRecord } from '@toolwright/ground/ports/task-store';
import type { Brand, JsonSchema } from '@toolwright/json';
import type { JsonObject } from './json-rpc.js';
import type { MethodName, MethodNames, RenamedMethods } from './methods.js';

export interface ToolSchemas {
  input: JsonSchema;
  output: JsonSchema | undefined;
}

/** Returns the schemas of a tool as clients get them. */
export type PublishSchemas = (tool: BoundTool) => ToolSchemas;

/** How the server introduces itself. */
export interface ServerInfo {
  name: string;
  version: string;
  title?: string;
  description?: string;
  icons?: Icon[];
  websiteUrl?: string;
  /** How its pages for people look. Clients of the protocol are not sent this. */
  brand?: Brand;
}

/** What a codec needs from its server. */
export interface CodecSetup {
  readonly info: ServerInfo;
  readonly publish: PublishSchemas;
}

/**
 * Everything that the framework knows about one revision of the protocol. A revision is a file like those in
 * `wire/revisions/` and a line in `wire/revisions.ts`. Without the two, servers do not know it.
 */
export interface RevisionRecord {
  readonly version: Revision;
  readonly era: Era;
  readonly features: Features;
  /**
   * The methods that clients may call. `initialize` is not among them: it opens the session in which the others run.
   * Extensions whose methods a revision has are named here, too.
   */
  readonly methods: readonly MethodName[];
  /** What it calls by other names than `wire/methods.ts` does. `initialize` cannot be renamed: it chooses the revision. */
  readonly renamed?: RenamedMethods;
  /** Makes the codec that writes results and definitions in the form of this revision. */
  createCodec(revision: RevisionRecord, setup: CodecSetup): Codec;
}

/** What messages of a revision can express (obligations: feature by revision). */
export interface Features {
  /** True when a message may be an array of messages. */
  batches: boolean;
  toolAnnotations: boolean;
  audio: boolean;
  completionsCapability: boolean;
  progressMessage: boolean;
  structuredContent: boolean;
  resourceLinks: boolean;
  /** `title`, `_meta` on definitions, and `annotations.lastModified`. */
  titles: boolean;
  formElicitation: boolean;
  icons: boolean;
  urlElicitation: boolean;
  samplingTools: boolean;
  /** Streams start with an empty event, from which a client can resume. */
  primingEvent: boolean;
  /** The Tasks extension: the server decides which calls become tasks. */
  tasks: boolean;
  /** The tasks of 2025-11-25: the client asks for one, with `task` in the parameters of its call. */
  requestedTasks: boolean;
}

/** No revision has fewer features. */
const NONE: Features = {
  batches: false,
  toolAnnotations: false,
  audio: false,
  completionsCapability: false,
  progressMessage: false,
  structuredContent: false,
  resourceLinks: false,
  titles: false,
  formElicitation: false,
  icons: false,
  urlElicitation: false,
  samplingTools: false,
  primingEvent: false,
  tasks: false,
  requestedTasks: false,
};

/** The features of a revision, made from their names. */
export function withFeatures(...names: readonly (keyof Features)[]): Features {
  return { ...NONE, ...Object.fromEntries(names.map((name) => [name, true])) };
}

/** How long a result may be kept, and by whom (2026-07-28 only). */
export interface CacheHints {
  ttlMs: number;
  cacheScope: 'public' | 'private';
}

/** Turns definitions and results into the form of one revision. Results are returned as JSON text. */
export interface Codec {
  readonly era: Era;
  readonly revision: Revision;
  readonly features: Features;
  /** Only of a revision that renames methods. */
  readonly names: MethodNames | undefined;
  /** Tools only: older revisions publish their schemas in another form. */
  tool(tool: BoundTool): JsonObject;
  /** @param written a long text that may be part of the result, and is not written again then */
  toolResult(result: ToolResult, tool: BoundTool, written?: WrittenText): string;
  promptResult(result: PromptResult): string;
  resourceResult(result: ResourceResult, hints: CacheHints): string;
  /** The state of a task. */
  task(task: TaskRecord): JsonObject;
  /** The answer to a call that has become a task. */
  taskResult(task: TaskRecord): string;
  /** Any other complete result. `hints` are for results that may be cached. */
  result(body: JsonObject, hints?: CacheHints): string;
  serverInfo(info: ServerInfo): JsonObject;
  /** The parameters of a notification, without the ones that the revision does not know. */
  notification(method: string, params: JsonObject): JsonObject;
}
