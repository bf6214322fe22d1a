import { randomUUID } from 'node:crypto';
import { forwarder } from './forward.js';
import { plainQuestion, plainTasks } from './plain-rounds.js';
import type { Settings } from './settings.js';
import {
  BOOK_QUESTION,
  BOOK_TOOL,
  bookResult,
  COUNT_TOOL,
  countResult,
  FIND_TOOL,
  findPages,
  FORWARD_TOOL,
  GUARDED_SEARCH_TOOL,
  measure,
  MEASURE_DESCRIPTION,
  MEASURE_SCHEMA,
  REPORT_RESULT,
  REPORT_TOOL,
  SAVE_TOOL,
  saveResult,
  SEARCH_TOOL,
  searchResult,
  SERVER_INFO,
  toolName,
  TOUCH_TOOL,
  type PagesToFind,
  type PageToSave,
} from './work.js';

/** A JSON-RPC request as the harness sends it: the plain contestants trust it. */
export interface Message {
  id?: number;
  method: string;
  params: {
    name: string;
    arguments: { text: string; size: number; steps: number; count: number } & PageToSave & PagesToFind;
    _meta?: { progressToken?: number };
    inputResponses?: Record<string, { content: { count: number } }>;
    taskId?: string;
  };
}

type Run = (message: Message) => object;

const asynchronous = new Set([SEARCH_TOOL, GUARDED_SEARCH_TOOL, SAVE_TOOL]);
const laterOf = async (run: Run, message: Message) => run(message);

/**
 * What a server written by hand for this bench alone would do: look up the tool, run it, build the same result. No
 * validation, no limits, no audit, no protocol rules: the floor that the frameworks are measured against.
 */
export function plainAnswers({ tools, dialect, upstream }: Settings) {
  const meta = dialect === 'modern' && {
    resultType: 'complete',
    _meta: { 'io.modelcontextprotocol/serverInfo': SERVER_INFO },
  };
  const measured: Run = ({ params: { arguments: args } }) => ({
    ...meta,
    content: [{ type: 'text', text: measure(args.text, args.size) }],
  });
  const listed = Array.from({ length: tools }, (_, index) => ({
    name: toolName(index),
    description: MEASURE_DESCRIPTION,
    inputSchema: MEASURE_SCHEMA,
  }));
  const byName = new Map(listed.map(({ name }) => [name, measured]));
  byName.set(COUNT_TOOL, ({ params: { arguments: args } }) => ({
    ...meta,
    content: [{ type: 'text', text: countResult(args.steps) }],
  }));
  const structured = (structuredContent: object) => ({
    ...meta,
    content: [{ type: 'text', text: JSON.stringify(structuredContent) }],
    structuredContent,
  });
  const searched: Run = ({ params: { arguments: args } }) => structured(searchResult(args.count));
  const saved: Run = ({ params: { arguments: args } }) => ({
    ...meta,
    content: [{ type: 'text', text: saveResult(args) }],
  });
  byName.set(SEARCH_TOOL, searched).set(GUARDED_SEARCH_TOOL, searched).set(SAVE_TOOL, saved);
  byName.set(BOOK_TOOL, ({ params: { inputResponses } }) =>
    inputResponses
      ? {
          ...meta,
          content: [{ type: 'text', text: bookResult(inputResponses[BOOK_QUESTION.key]!.content.count) }],
        }
      : { ...meta, ...plainQuestion },
  );
  const tasks = plainTasks({ ...meta, content: [{ type: 'text', text: REPORT_RESULT }] });
  byName.set(REPORT_TOOL, () => ({ ...meta, ...tasks.begin() }));
  byName.set(TOUCH_TOOL, () => ({ ...meta, content: [{ type: 'text', text: 'touched' }] }));
  const forward = upstream === undefined ? undefined : forwarder(upstream);
  /** The results of asynchronous tools, which are all but the cheapest one; undefined for the others. */
  const later = (message: Message): Promise<object> | undefined => {
    const { name, arguments: args } = message.params;
    if (name === FIND_TOOL) return findPages(args).then(structured);
    if (name === FORWARD_TOOL) return forward?.(args).then((result) => ({ ...meta, ...result }));
    return asynchronous.has(name) ? laterOf(byName.get(name)!, message) : undefined;
  };
  const methods: Record<string, Run> = {
    'tools/call': (message) => byName.get(message.params.name)!(message),
    'tasks/get': ({ params: { taskId } }) => ({ ...meta, ...tasks.get(taskId!) }),
    'tools/list': () => ({ ...meta, tools: listed }),
    initialize: () => ({
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: SERVER_INFO,
    }),
  };

  return {
    answer: (message: Message) => ({
      jsonrpc: '2.0',
      id: message.id,
      result: methods[message.method]!(message),
    }),
    /** The answer of a tool that waits for something; undefined for the others. */
    later: (message: Message): Promise<object> | undefined =>
      later(message)?.then((result) => ({ jsonrpc: '2.0', id: message.id, result })),
    /** The notifications that come before the answer, for a call that asks for progress. */
    progress: (message: Message) => {
      const progressToken = message.params._meta?.progressToken;
      const total = progressToken === undefined ? 0 : message.params.arguments.steps;
      return Array.from({ length: total }, (_, step) => ({
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken, progress: step + 1, total },
      }));
    },
    sessionHeaders: (message: Message): Record<string, string> =>
      message.method === 'initialize' ? { 'mcp-session-id': randomUUID() } : {},
  };
}
