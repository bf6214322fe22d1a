import type { Hub } from '@toolwright/console';
import type { McpServer } from '@toolwright/core';
import { silentLogger } from '@toolwright/core/ports';
import { loadCore, readVersion } from '../../load-core.js';
import { AgentTools } from './agent-tools.js';

type AddedTool = Parameters<McpServer['tools']['add']>[0];

const instructions =
  'These tools show a server that "toolwright dev" runs while you edit it. After an edit, ask read_problems first. ' +
  'Then call the tool that you changed, and look at its trace.';

const text = { type: 'string' } as const;
const server = {
  ...text,
  description: 'Id of the server, from app_status. Needed only if there are several.',
};
const as = {
  type: 'object',
  description: 'The caller to play. Default: an anonymous one.',
  properties: { subject: text, scopes: { type: 'array', items: text } },
  required: ['subject', 'scopes'],
  additionalProperties: false,
} as const;
const tool = { ...text, description: 'Name of the tool.' };
const page = {
  after: {
    type: 'integer',
    minimum: 0,
    description: 'Only records after this number. Default: the newest ones.',
  },
  limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
} as const;

const input = (properties: Record<string, object>, required: string[] = []) =>
  ({ type: 'object', properties, required, additionalProperties: false }) as never;
const readOnly = { readOnlyHint: true, openWorldHint: false };

/**
 * A server for one agent: what the console of `dev` can do, as tools.
 *
 * @param mayAct whether the agent may call as any caller, and answer questions in place of the person
 */
export async function createAgentServer(hub: Hub, mayAct: boolean): Promise<McpServer> {
  const created = await loadCore().createMcpServer({
    name: 'toolwright-dev',
    version: readVersion(),
    instructions,
    services: [],
    logger: silentLogger,
    audit: false,
  });
  const tools = new AgentTools(hub);
  const added: AddedTool[] = [
    {
      name: 'app_status',
      description: 'Show whether the app runs, and its servers. Returns the overview.',
      inputSchema: input({}),
      annotations: readOnly,
      handler: () => tools.status(),
    },
    {
      name: 'list_tools',
      description:
        'List what a caller sees of the app: tools, prompts and resources, and what is hidden, and why. Returns each with its schema.',
      inputSchema: input({ server, as }),
      annotations: readOnly,
      handler: (given) => tools.list(given),
    },
    {
      name: 'call_tool',
      description:
        'Call a tool of the app. Returns the result, the log, and the trace: what each guard did, and how long it took. If the tool asks a question, it returns the question. ' +
        (mayAct
          ? 'Answer it with answer_question.'
          : 'The call is anonymous, and the person answers its questions in the console of dev: follow_call waits for it.'),
      inputSchema: input(
        { tool, arguments: { type: 'object', default: {} }, server, ...(mayAct && { as }) },
        ['tool'],
      ),
      annotations: { destructiveHint: true },
      handler: (given) => tools.call(given),
    },
    {
      name: 'follow_call',
      description:
        'Wait until a call that was started with call_tool has ended, for at most a minute. Returns the call.',
      inputSchema: input({ call: text }, ['call']),
      annotations: readOnly,
      handler: (given) => tools.follow(given),
    },
    {
      name: 'read_calls',
      description:
        'Read the last calls of all clients, with what each guard did. Returns them, oldest first.',
      inputSchema: input(page),
      annotations: readOnly,
      handler: (given) => tools.calls(given),
    },
    {
      name: 'read_traffic',
      description: 'Read the last JSON-RPC messages between clients and the app. Returns them, oldest first.',
      inputSchema: input(page),
      annotations: readOnly,
      handler: (given) => tools.traffic(given),
    },
    {
      name: 'read_problems',
      description:
        'Read what is wrong with the project: compiler errors, those of the linter, tokens, and changes against mcp.lock.json. Returns all of it.',
      inputSchema: input({ server }),
      annotations: readOnly,
      handler: (given) => tools.problems(given),
    },
    {
      name: 'explain_tool',
      description:
        'Explain a tool: its schemas, where each keyword comes from in the source, and the steps of a call. Returns the explanation.',
      inputSchema: input({ tool, server }, ['tool']),
      annotations: readOnly,
      handler: (given) => tools.explain(given),
    },
  ];
  if (mayAct)
    added.push({
      name: 'answer_question',
      description:
        'Answer a question that a running call has asked, in place of the person. Returns the call as it goes on.',
      inputSchema: input({ call: text, question: text, answer: { type: 'object' } }, [
        'call',
        'question',
        'answer',
      ]),
      annotations: { destructiveHint: true },
      handler: (given) => tools.answer(given),
    });
  created.tools.add(added);
  return created;
}
