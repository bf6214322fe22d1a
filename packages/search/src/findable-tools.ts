import type { BoundTool, McpServer, RequestContext } from '@toolwright/core';
import type { ListView, ReplaceList } from '@toolwright/core/extend';

/** The names of the tools that this package adds. */
export const SEARCH_TOOLS: readonly string[] = ['search_tools', 'describe_tool', 'call_tool', 'load_group'];

/** Which tools a caller may find: the tools that its list would have without this package. */
export class FindableTools {
  /** Requests whose whole list is asked for at this moment. */
  readonly #whole = new WeakSet<RequestContext>();
  #named: { readonly tools: readonly BoundTool[]; readonly names: Map<string, BoundTool[]> } | undefined;

  constructor(
    private readonly server: McpServer,
    private readonly listed: ListView,
  ) {}

  /** Leaves lists that this object asks for as they are. */
  around(replace: ReplaceList<BoundTool>): ReplaceList<BoundTool> {
    return (visible, request) => (this.#whole.has(request) ? visible : replace(visible, request));
  }

  /** All that the caller may find, in the order of the server. */
  async all(request: RequestContext): Promise<readonly BoundTool[]> {
    return (await this.#ask(request)).filter(isSearched);
  }

  /** The tool with this name; `undefined` when it does not exist, or does not exist for this caller. */
  async byName(name: string, request: RequestContext): Promise<BoundTool | undefined> {
    const candidates = this.#byName().get(name);
    if (!candidates) return undefined;
    return (await this.#ask(request, candidates)).find(isSearched);
  }

  async #ask(request: RequestContext, among?: readonly BoundTool[]): Promise<readonly BoundTool[]> {
    this.#whole.add(request);
    try {
      return await this.listed.shown('tools', request, among);
    } finally {
      this.#whole.delete(request);
    }
  }

  #byName(): ReadonlyMap<string, BoundTool[]> {
    const tools = this.server.tools.list();
    if (this.#named?.tools !== tools) {
      const names = new Map<string, BoundTool[]>();
      for (const tool of tools) names.set(tool.name, [...(names.get(tool.name) ?? []), tool]);
      this.#named = { tools, names };
    }
    return this.#named.names;
  }
}

/** False for the tools of this package, and for tools that only pages of apps may call. */
export function isSearched({ name, ui }: BoundTool): boolean {
  return !SEARCH_TOOLS.includes(name) && isForModels({ ui });
}

/** Whether a model may call the tool. Pages of apps (MCP Apps) have tools of their own. */
export function isForModels({ ui }: Pick<BoundTool, 'ui'>): boolean {
  return ui?.visibility === undefined || ui.visibility.includes('model');
}
