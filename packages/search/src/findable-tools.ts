import type { BoundTool, McpServer, RequestContext } from '@toolwright/core';
import type { ListView, ReplaceList } from '@toolwright/core/extend';
import { groupBy } from '@toolwright/json';

/** The names of the tools that this package adds. */
export const SEARCH_TOOLS: readonly string[] = ['search_tools', 'describe_tool', 'call_tool', 'load_group'];

/** The tools of the server, whoever asks. */
interface KnownTools {
  readonly listed: readonly BoundTool[];
  readonly byName: ReadonlyMap<string, readonly BoundTool[]>;
}

/** Which tools a caller may find: the tools that its list would have without this package. */
export class FindableTools {
  /** Requests whose whole list is asked for at this moment. */
  readonly #whole = new WeakSet<RequestContext>();
  #kept: KnownTools | undefined;
  /** Tools that no search finds, and that are not called with `call_tool`: they search and call themselves. */
  readonly own = new Set(SEARCH_TOOLS);

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
    return (await this.#ask(request)).filter(this.isSearched);
  }

  /**
   * The tool with this name, or the version of a tool that answers to it (`find_pages.v1`), which no list shows. `undefined`
   * when it does not exist, or does not exist for this caller.
   */
  async byName(name: string, request: RequestContext): Promise<BoundTool | undefined> {
    const candidates = this.#known().byName.get(name);
    return candidates && (await this.#ask(request, candidates))[0];
  }

  /** False for such tools, and for tools that only pages of apps may call. */
  readonly isSearched = ({ name, ui }: BoundTool): boolean => !this.own.has(name) && isForModels({ ui });

  async #ask(request: RequestContext, among?: readonly BoundTool[]): Promise<readonly BoundTool[]> {
    this.#whole.add(request);
    try {
      return await this.listed.shown('tools', request, among);
    } finally {
      this.#whole.delete(request);
    }
  }

  #known(): KnownTools {
    // The list is another array after each change, also after that of a version.
    const listed = this.server.tools.list();
    if (this.#kept?.listed === listed) return this.#kept;
    const callable = this.server.tools.list({ unlisted: true }).filter(this.isSearched);
    return (this.#kept = { listed, byName: groupBy(callable, ({ name }) => name) });
  }
}

/** Whether a model may call the tool. Pages of apps (MCP Apps) have tools of their own. */
export function isForModels({ ui }: Pick<BoundTool, 'ui'>): boolean {
  return ui?.visibility === undefined || ui.visibility.includes('model');
}
