import { join } from 'node:path';
import { ts } from 'typescript-json-schema';

/**
 * The types of `@toolwright/core` that decide a schema, for projects where the package is not installed yet.
 * So a signature can be compiled before its dependencies are installed. Decorators need only the name of the
 * import.
 */
const DECLARATIONS = `
export type integer = number;
export interface ElicitResult<T> { action: 'accept' | 'decline' | 'cancel'; content?: T }
export interface SampleResult { role: string; content: unknown; model: string }
export declare abstract class ToolContext {
  protected readonly toolContext: true;
  readonly signal: AbortSignal;
  readonly requestId: string | number;
  readonly sessionId: string | undefined;
  readonly log: Record<string, (data: unknown, logger?: string) => void>;
  progress(done: number, total?: number, message?: string): void;
  elicit<T = Record<string, unknown>>(key: string, request: { message: string; schema?: object; url?: string }): Promise<ElicitResult<T>>;
  sample(key: string, request: object): Promise<SampleResult>;
  sample<T>(key: string, request: object): Promise<SampleResult & { value: T }>;
}
interface Block { annotations?: object; _meta?: Record<string, unknown> }
export interface TextContent extends Block { type: 'text'; text: string }
export interface ImageContent extends Block { type: 'image'; data: string; mimeType: string }
export interface AudioContent extends Block { type: 'audio'; data: string; mimeType: string }
export interface ResourceLink extends Block { type: 'resource_link'; uri: string; name: string }
export interface EmbeddedResource extends Block { type: 'resource'; resource: object }
export type ContentBlock = TextContent | ImageContent | AudioContent | ResourceLink | EmbeddedResource;
export interface ToolResult { content: ContentBlock[]; structuredContent?: unknown; isError?: boolean }
export interface Structured<T> { readonly structuredContent: T; readonly content?: readonly ContentBlock[] }
export declare function structured<T>(value: T, content?: unknown, options?: object): Structured<T>;
export interface PromptMessage { role: 'user' | 'assistant'; content: ContentBlock }
export interface PromptResult { description?: string; messages: PromptMessage[] }
export interface ResourceContents { uri: string; mimeType?: string; text?: string; blob?: string }
export interface ResourceResult { contents: ResourceContents[] }
`;

export const CORE = '@toolwright/core';

/** The path and text of a file that exists only inside the compiler. */
export interface StandIn {
  path: string;
  text: string;
}

/**
 * Gives a project a stand-in for `@toolwright/core` if the package cannot be found, and adds it to
 * `options.paths`.
 *
 * @returns undefined if the real package is installed
 */
export function standInForCore(root: string, options: ts.CompilerOptions): StandIn | undefined {
  const importer = join(root, 'importer.ts');
  const { resolvedModule } = ts.resolveModuleName(CORE, importer, options, ts.sys);
  if (resolvedModule) return undefined;
  const path = join(root, 'node_modules', '@toolwright', 'core', 'stand-in.d.ts');
  options.paths = { ...options.paths, [CORE]: [path] };
  return { path, text: DECLARATIONS };
}
