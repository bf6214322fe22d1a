import type {
  BoundPrompt,
  BoundResource,
  BoundResourceTemplate,
  BoundTool,
} from '../../call/operation/operation.js';
import type { PromptResult, ResourceResult, ToolResult } from '../../base/content/content.js';
import type { Features } from '../revisions/features.js';
import type { JsonObject } from '../messages/json-rpc.js';
import type { ServerInfo } from '../protocol-host.js';
import type { Era, Revision } from '../../base/revision.js';

/** How long and by whom a result may be kept (2026-07-28 only). */
export interface CacheHints {
  ttlMs: number;
  cacheScope: 'public' | 'private';
}

/** Turns definitions and results into one revision's shapes. Results come out as JSON text. */
export interface Codec {
  readonly era: Era;
  readonly revision: Revision;
  readonly features: Features;
  tool(tool: BoundTool): JsonObject;
  prompt(prompt: BoundPrompt): JsonObject;
  resource(resource: BoundResource): JsonObject;
  resourceTemplate(template: BoundResourceTemplate): JsonObject;
  toolResult(result: ToolResult, tool: BoundTool): string;
  promptResult(result: PromptResult): string;
  resourceResult(result: ResourceResult, hints: CacheHints): string;
  /** Any other complete result; `hints` for those that may be cached. */
  result(body: JsonObject, hints?: CacheHints): string;
  serverInfo(info: ServerInfo): JsonObject;
  /** Parameters of a notification, narrowed to what the revision knows. */
  notification(method: string, params: JsonObject): JsonObject;
}
