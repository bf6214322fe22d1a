import { randomUUID } from 'node:crypto';
import type { Settings } from './settings.js';
import {
  COUNT_TOOL,
  countResult,
  GUARDED_SEARCH_TOOL,
  measure,
  MEASURE_DESCRIPTION,
  MEASURE_SCHEMA,
  SAVE_TOOL,
  saveResult,
  SEARCH_TOOL,
  searchResult,
  SERVER_INFO,
  toolName,
  type PageToSave,
} from './work.js';

/** A JSON-RPC request as the harness sends it: the plain contestants trust it. */
export interface Message {
  id?: number;
  method: string;
  params: {
    name: string;
    arguments: { text: string; size: number; steps: number; count: number } & PageToSave;
    _meta?: { progressToken?: number };
  };
}

type Run = (message: Message) => object;

/**
 * What a server written by hand for this bench alone would do: look up the tool, run it, build the same result. No
 * validation, no limits, no audit, no protocol rules: the floor that the frameworks are measured against.
 */
export function plainAnswers({ tools, dialect }: Settings) {
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
  const searched: Run = ({ params: { arguments: args } }) => {
    const structuredContent = searchResult(args.count);
    return {
      ...meta,
      content: [{ type: 'text', text: JSON.stringify(structuredContent) }],
      structuredContent,
    };
  };
  byName.set(SEARCH_TOOL, searched).set(GUARDED_SEARCH_TOOL, searched);
  byName.set(SAVE_TOOL, ({ params: { arguments: args } }) => ({
    ...meta,
    content: [{ type: 'text', text: saveResult(args) }],
  }));
  const methods: Record<string, Run> = {
    'tools/call': (message) => byName.get(message.params.name)!(message),
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
