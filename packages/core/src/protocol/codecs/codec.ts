import type { BoundTool } from '../../call/operation/operation.js';
import type { PromptResult, ResourceResult, ToolResult } from '../../base/content.js';
import type { Features } from '../revisions/features.js';
import type { JsonObject } from '../messages/json-rpc.js';
import type { ServerInfo } from '../protocol-host.js';
import type { Era, Revision } from '../../base/request-context.js';

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
