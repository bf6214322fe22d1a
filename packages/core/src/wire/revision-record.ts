import type { PromptResult, ResourceResult, ToolResult } from '../base/content.js';
import type { Era, Revision } from '../base/request-context.js';
import type { BoundTool } from '../call/operation/operation.js';
import type { ServerInfo } from '../requests/engine.js';
import type { PublishSchemas } from './definitions.js';
import type { JsonObject } from './json-rpc.js';

/** What a codec needs from its server. */
export interface CodecSetup {
  readonly info: ServerInfo;
  readonly publish: PublishSchemas;
}

/**
 * Everything that the framework knows about one revision of the protocol. To add a revision, add a file like
 * the others, a line in `wire/revisions.ts`, and its name in `base/revision.ts`.
 */
export interface RevisionRecord {
  readonly version: Revision;
  readonly era: Era;
  readonly features: Features;
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
  /** Tools only: older revisions publish their schemas in another form. */
  tool(tool: BoundTool): JsonObject;
  toolResult(result: ToolResult, tool: BoundTool): string;
  promptResult(result: PromptResult): string;
  resourceResult(result: ResourceResult, hints: CacheHints): string;
  /** Any other complete result. `hints` are for results that may be cached. */
  result(body: JsonObject, hints?: CacheHints): string;
  serverInfo(info: ServerInfo): JsonObject;
  /** The parameters of a notification, without those that the revision does not know. */
  notification(method: string, params: JsonObject): JsonObject;
}
