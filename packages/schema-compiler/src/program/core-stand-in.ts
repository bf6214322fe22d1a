import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ts } from '../generator/tjs-adapter.js';
import { compilerPath } from './compiler-path.js';

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
  progress(done: number, total?: number, message?: string, part?: unknown): void;
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
  const path = compilerPath(join(root, 'node_modules/@toolwright/core/stand-in.d.ts'));
  options.paths = { ...options.paths, [CORE]: [path] };
  return { path, text: DECLARATIONS };
}

const REEXPORT = /export (type )?\{([^}]*)\} from '([^']+)';/g;

/**
 * The index of `@toolwright/core`, reduced to the exports that a program needs. Each export brings in the
 * files that declare it and everything that these import, and most projects need few exports.
 */
export class CoreView {
  /** The name of each export, with the lines of the index for it. */
  private readonly lines = new Map<string, string>();
  private readonly asked = new Set<string>();

  private constructor(
    readonly path: string,
    private readonly rest: string,
    exports: Iterable<[name: string, line: string]>,
  ) {
    this.lines = new Map(exports);
  }

  /** @returns undefined if core does not resolve to an index of declarations */
  static of(importer: string, options: ts.CompilerOptions): CoreView | undefined {
    const { resolvedModule } = ts.resolveModuleName(CORE, importer, options, ts.sys);
    const path = resolvedModule?.resolvedFileName;
    if (!path?.endsWith('.d.ts')) return undefined;
    const text = readFileSync(path, 'utf8');
    const lines = [...text.matchAll(REEXPORT)].flatMap(([, type = '', list = '', from = '']) =>
      list
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== '')
        .map((item): [string, string] => [
          item.split(/\s+/).at(-1)!,
          `export ${type}{ ${item} } from '${from}';`,
        ]),
    );
    return new CoreView(path, text.replace(REEXPORT, ''), lines);
  }

  /** @returns whether one of the words is an export that was not requested before */
  ask(words: Iterable<string>): boolean {
    const before = this.asked.size;
    for (const word of words) if (this.lines.has(word)) this.asked.add(word);
    return this.asked.size > before;
  }

  standIn(): StandIn {
    const lines = [...this.lines].filter(([name]) => this.asked.has(name)).map(([, line]) => line);
    return { path: this.path, text: [...lines, this.rest, 'export {};'].join('\n') };
  }
}
