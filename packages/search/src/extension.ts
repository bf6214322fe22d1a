import { isObject } from '@toolwright/json';
import {
  type BoundOperation,
  type BoundTool,
  JsonRpcCode,
  type RequestContext,
  ToolError,
} from '@toolwright/core';
import { type Extension, type ExtensionHost, type Step, refuseCall } from '@toolwright/core/extend';
import { builtTools } from './built-tools.js';
import { callHints } from './call-hints.js';
import { FindableTools, SEARCH_TOOLS, isForModels } from './findable-tools.js';
import { groupOf, groupTool } from './group-tool.js';
import { ListSize } from './list-size.js';
import { LoadedGroups } from './loaded-groups.js';
import { Meanings } from './meanings.js';
import {
  type ToolSearchOption,
  searchOptionsOf,
  serviceOptions,
  toolOptions,
  toolSearchOption,
} from './search-options.js';
import { searchMetrics } from './metrics.js';
import type { CallingTool, Searching } from './searching.js';
import { type SearchParts, searchTools, unknownTool } from './search-tools.js';
import { successorsFirst } from './successors.js';
import { type Explained, ToolIndex } from './tool-index.js';
import { splitWords } from './words.js';

/** Lets callers search among the tools of a server. A server starts it by the option `toolSearch`. */
export const extension: Extension = {
  name: '@toolwright/search',
  options: toolSearchOption,
  toolOptions,
  serviceOptions,
  start: startSearch,
};

declare module '@toolwright/core/extend' {
  interface ExtraContext {
    /** @internal The request of a call, for the tools of the search. */
    readonly toolSearchRequest?: RequestContext;
  }
}

/** How many tools that words find take part when a model ranks, too. */
const MODEL_PLACES = 50;

const QUERIES = 'toolwright.server.search.queries';

/** After the scopes and before the limits: an unknown name costs what it costs in a call by that name, which is nothing. */
const REFUSED_CALL = 42;

function startSearch(host: ExtensionHost) {
  const { server, options, listed, logger, counter, manifestFields } = host;
  const {
    above = 0,
    pinned = [],
    wholeListFor = [],
    embed,
  } = searchOptionsOf(options['toolSearch'] as ToolSearchOption | undefined);
  const findable = new FindableTools(server, listed);
  const { isSearched, own } = findable;
  const index = new ToolIndex<BoundTool>();
  const meanings = embed && new Meanings<BoundTool>(embed, logger);
  const groups = new LoadedGroups(host);
  const size = new ListSize();
  const [, unit, description] = searchMetrics[QUERIES];
  const countSearch = counter(QUERIES, { unit, description });
  let known: readonly BoundTool[] | undefined;
  const keepUp = () => {
    const tools = server.tools.list();
    if (tools !== known) index.keep(tools.filter(isSearched));
    known = tools;
  };
  const isPinned = new Set(pinned);
  let calling: CallingTool | undefined;
  const parts: SearchParts = {
    findable,
    get calling() {
      return calling;
    },
    listed,
    nearest(name, among) {
      keepUp();
      return index.nearest(name, among);
    },
    async search(query, among, limit) {
      keepUp();
      const found = index.find(query, among, meanings ? MODEL_PLACES : limit);
      const ranked = meanings ? await meanings.improve(query, found, among) : found;
      return successorsFirst(ranked, among).slice(0, limit);
    },
    count: (outcome) => countSearch({ 'toolwright.search.outcome': outcome }),
  };
  const wantsAll = ({ client }: RequestContext) => wholeListFor.includes(client.info?.name ?? '');

  return {
    searching: {
      pinned,
      isSearched,
      unknown: (name, request) => unknownTool(name, parts, request),
      callWith(tool) {
        calling = tool;
        own.add(tool.name);
      },
    } satisfies Searching,
    context: { toolSearchRequest: (call: { readonly request: RequestContext }) => call.request },
    lists: {
      tools: findable.around((visible, request) => {
        const others = visible.filter(({ name }) => !own.has(name));
        const isWhole = wantsAll(request);
        if (!calling && (isWhole || !size.exceeds(others.filter(isSearched), above))) return others;
        const loaded = groups.of(request);
        const hasGroups = others.some((tool) => isSearched(tool) && groupOf(tool) !== undefined);
        const shown = calling ? [calling.name, 'search_tools', 'describe_tool'] : SEARCH_TOOLS;
        const tools = shown.flatMap((name) =>
          visible.filter((tool) => tool.name === name && (hasGroups || name !== 'load_group')),
        );
        if (calling && (isWhole || calling.keepsList)) return [...tools, ...others];
        const stays = (tool: BoundTool) =>
          isPinned.has(tool.name) || !isForModels(tool) || loaded.has(groupOf(tool) ?? '');
        return [...tools, ...others.filter(stays)];
      }),
    },
    beforeLists: (_operations: readonly BoundOperation[], request: RequestContext) => groups.fetch(request),
    // The hints say what the caller may do, and nothing of tools that are hidden from it.
    describe: {
      call_tool: (visible: readonly BoundTool[]) => ({ annotations: callHints(visible.filter(isSearched)) }),
    },
    forward: { tool: 'call_tool', name: 'name', arguments: 'arguments', mayMean: isSearched },
    guards: [
      {
        name: 'unknown tool',
        position: REFUSED_CALL,
        summary: 'Refuses `call_tool` where no tool has the name that it was given.',
        plan: ({ name, kind }: { name: string; kind: string }) =>
          kind === 'tool' && name === 'call_tool'
            ? { detail: 'calls of tools that exist go to these tools', step: refuseTarget(parts) }
            : undefined,
      },
    ],
    operator: { 'search.explain': { run: (params: JsonObject) => explain(params) } },
    ready() {
      const built = builtTools(manifestFields());
      size.counted = built.tokens;
      for (const table of built.synonyms) index.synonyms.addTable(table);
      const all = [...searchTools(parts), groupTool({ findable, groups, changed })];
      server.tools.add(all.map((tool) => ({ ...tool, origin: '@toolwright/search' })));
      keepUp();
      const known = new Set(server.tools.list().map(({ name }) => name));
      const missing = pinned.filter((name) => !known.has(name));
      if (missing.length > 0)
        logger.warn(
          { pinned: missing },
          `toolSearch.pinned names tools that do not exist so far: ${missing.join(', ')}. They stay in lists once they exist.`,
        );
    },
  };

  /** Why a query finds some tools, and which of its words find none of them: for operators, who may see all tools. */
  function explain({ query, tools }: JsonObject): {
    readonly tools: readonly (Explained & { readonly name: string })[];
    readonly unmatched: readonly string[];
  } {
    if (typeof query !== 'string' || !Array.isArray(tools))
      throw new ToolError('Give a query, and names of tools.');
    keepUp();
    const wanted = new Set(tools);
    const named = server.tools.list().filter((tool) => isSearched(tool) && wanted.has(tool.name));
    const explained = index.explain(query, named).map((each, at) => ({ name: named[at]!.name, ...each }));
    const said = new Set(explained.flatMap(({ matches }) => matches.map((match) => match.said)));
    const unmatched = new Set(splitWords(query).filter((word) => !said.has(word)));
    return { tools: explained, unmatched: [...unmatched] };
  }

  /** A session hears of it alone. Without sessions, the streams of the caller may be anywhere. */
  function changed(request: RequestContext): void {
    if (request.session) request.notify('notifications/tools/list_changed', {});
    else server.tools.announceChange();
  }
}

type JsonObject = Readonly<Record<string, unknown>>;

interface Targeted extends JsonObject {
  readonly name: string;
}

/** Whether the arguments of `call_tool` have the form that its schema wants. */
function isTargeted(args: JsonObject): args is Targeted {
  const { name, arguments: inner, ...others } = args;
  return (
    typeof name === 'string' && (inner === undefined || isObject(inner)) && Object.keys(others).length === 0
  );
}

/** Ends a call of `call_tool` that could not be forwarded. */
function refuseTarget(parts: SearchParts): Step {
  return async (call, next) => {
    const args = call.arguments;
    // What is wrong with their form is said where arguments are checked.
    if (!isTargeted(args)) return next();
    const { name } = args;
    const isOwn = parts.findable.own.has(name);
    const text = isOwn
      ? `Call ${name} by its own name, and not with call_tool.`
      : await unknownTool(name, parts, call.request);
    const reason = isOwn ? 'TW_TOOL_ERROR' : 'TW_HIDDEN';
    return refuseCall(call, { outcome: 'denied', reason, text, rpcCode: JsonRpcCode.invalidParams });
  };
}
