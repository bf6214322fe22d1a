import type {
  ContentBlock,
  PromptResult,
  ResourceResult,
  ToolAnnotations,
  ToolResult,
} from '@toolwright/core';
import type { JsonSchema } from '@toolwright/manifest';
import { AnswerError } from './exchange.js';
import type {
  ListenFilter,
  Params,
  RequestOptions,
  Result,
  ServerDescription,
  ClientSession,
} from './session.js';
import { Subscription } from './subscription.js';

/** A tool as `tools/list` describes it. */
export interface ListedTool {
  name: string;
  title?: string;
  description?: string;
  inputSchema: JsonSchema;
  outputSchema?: JsonSchema;
  annotations?: ToolAnnotations;
  [member: string]: unknown;
}

/** A prompt, resource or resource template as its list describes it. */
export interface Listed {
  name: string;
  title?: string;
  description?: string;
  [member: string]: unknown;
}

/**
 * What the completed argument belongs to: a prompt, by its name, or a resource template, by its URI template.
 */
export type CompletionTarget = { prompt: string } | { template: string };

/**
 * A client of one server. Every method sends real protocol messages and returns what came back. A JSON-RPC
 * error is thrown as an `RpcError`. When a tool fails, the result has `isError: true`, as models see it.
 */
export class McpClient {
  constructor(
    private readonly session: ClientSession,
    private readonly maxPages: number,
  ) {}

  /** The name, capabilities and instructions of the server. */
  get server(): ServerDescription {
    return this.session.server;
  }

  /** The tools, from all pages of `tools/list`. */
  tools(): Promise<ListedTool[]> {
    return this.all('tools/list', 'tools');
  }

  /** The prompts, from all pages of `prompts/list`. */
  prompts(): Promise<Listed[]> {
    return this.all('prompts/list', 'prompts');
  }

  /** The resources, from all pages of `resources/list`. */
  resources(): Promise<(Listed & { uri: string })[]> {
    return this.all('resources/list', 'resources');
  }

  /** The resource templates, from all pages of `resources/templates/list`. */
  resourceTemplates(): Promise<(Listed & { uriTemplate: string })[]> {
    return this.all('resources/templates/list', 'resourceTemplates');
  }

  /**
   * Calls a tool.
   *
   * @throws {RpcError} -32602 for an unknown tool
   */
  async call(name: string, args: Params = {}, options?: RequestOptions): Promise<ToolResult> {
    const result = await this.request('tools/call', { name, arguments: args }, options);
    return rememberCall(result as unknown as ToolResult, { client: this, tool: name });
  }

  /**
   * Calls a tool and returns the text blocks of its result, joined with newlines. Use it to check what a
   * model reads.
   */
  async callText(name: string, args?: Params, options?: RequestOptions): Promise<string> {
    const { content } = await this.call(name, args, options);
    return content.flatMap((block: ContentBlock) => (block.type === 'text' ? [block.text] : [])).join('\n');
  }

  /** Reads a resource. */
  async read(uri: string, options?: RequestOptions): Promise<ResourceResult> {
    return (await this.request('resources/read', { uri }, options)) as unknown as ResourceResult;
  }

  /** Gets a prompt. The arguments of prompts are strings. */
  async get(
    name: string,
    args: Record<string, string> = {},
    options?: RequestOptions,
  ): Promise<PromptResult> {
    return (await this.request('prompts/get', { name, arguments: args }, options)) as unknown as PromptResult;
  }

  /**
   * Completes one argument.
   *
   * @param argument the argument's name and the text that was typed so far
   * @param known the values of other arguments
   */
  async complete(
    target: CompletionTarget,
    argument: { name: string; value: string },
    known?: Record<string, string>,
  ): Promise<{ values: string[]; total?: number; hasMore?: boolean }> {
    const ref =
      'prompt' in target
        ? { type: 'ref/prompt', name: target.prompt }
        : { type: 'ref/resource', uri: target.template };
    const context = known && { context: { arguments: known } };
    const { completion } = await this.request('completion/complete', { ref, argument, ...context });
    return completion as { values: string[] };
  }

  /** Subscribes to changes. Resolves when the server has accepted the subscription. */
  async listen(filter: ListenFilter): Promise<Subscription> {
    let end: () => Promise<void> = () => Promise.resolve();
    const subscription = new Subscription(() => end());
    end = await this.session.listen(filter, (change) => subscription.hear(change));
    return subscription;
  }

  /**
   * Sends any request of the revision. The client adds the envelope. If a revision calls a method or a parameter otherwise,
   * the client writes its name.
   */
  request(method: string, params: Params = {}, options?: RequestOptions): Promise<Result> {
    return this.session.request(method, params, options);
  }

  /** Ends the connection. The server keeps running; to end it, call its own `close`. */
  close(): Promise<void> {
    return this.session.close();
  }

  /**
   * All items of a list, from all of its pages.
   *
   * @param method such as `skills/list`, for lists that extensions add
   * @param member the member of an answer with the items
   * @throws {AnswerError} for pages that never end
   */
  async all<T>(method: string, member: string): Promise<T[]> {
    const items: T[] = [];
    const cursors = new Set<string>();
    for (let cursor: string | undefined; ;) {
      const page: Result = await this.request(method, cursor === undefined ? {} : { cursor });
      const { [member]: list, nextCursor } = page;
      if (!Array.isArray(list)) throw new AnswerError(`The answer to ${method} has no list "${member}".`);
      for (const item of list as T[]) items.push(item);
      if (nextCursor === undefined || nextCursor === null) return items;
      if (typeof nextCursor !== 'string' || cursors.has(nextCursor))
        throw new AnswerError(`The pages of ${method} never end: a page leads to one that came before.`);
      cursors.add((cursor = nextCursor));
      if (cursors.size >= this.maxPages)
        throw new AnswerError(`The list of ${method} has more than ${this.maxPages} pages.`);
    }
  }
}

/** A call that was made: its client and its tool. */
export interface CallOrigin {
  client: { tools(): Promise<{ name: string; outputSchema?: JsonSchema }[]> };
  tool: string;
}

/**
 * The call that each result came from, so that a matcher can find the tool's schema. It is kept beside the
 * result, not in it.
 */
const origins = new WeakMap<ToolResult, CallOrigin>();

function rememberCall(result: ToolResult, origin: CallOrigin): ToolResult {
  origins.set(result, origin);
  return result;
}

/**
 * The call that a result came from. `undefined` for a value that no client of this process returned. Matchers
 * use it.
 */
export function originOf(result: unknown): CallOrigin | undefined {
  return typeof result === 'object' && result !== null ? origins.get(result as ToolResult) : undefined;
}
