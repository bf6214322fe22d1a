import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMcpServer, type McpServer, type Principal, type ToolContext } from '@toolwright/core';
import type { AuditEvent } from '@toolwright/core/ports';
import { type ExchangeRule, mcpHttp, oauthResourceServer } from '@toolwright/http';
import { ENDPOINT, UPSTREAM, type ExchangingIssuer } from './exchanging-issuer.js';

type ServerOptions = Parameters<typeof createMcpServer>[0];

/** What a tool of the server has got. */
export interface Heard {
  readonly text: string;
  readonly isError: boolean;
}

export interface BehalfServer {
  readonly server: McpServer;
  /** What the tool has seen of its caller. */
  readonly seen: (Principal | undefined)[];
  /** What was logged, and what was audited, as text. */
  readonly written: { logs: string[]; audit: AuditEvent[] };
  /** Calls the tool `ask`, which answers with the claims of the token that it gets. */
  ask(token: string | undefined, args?: { resource?: string; scopes?: string[] }): Promise<Heard>;
  /** The same in a task. */
  askInTask(token: string | undefined): Promise<Heard>;
  close(): Promise<void>;
}

/** A server over HTTP, with a tool that gets a token for what lies behind it. */
export async function startBehalfServer(
  { issuer }: ExchangingIssuer,
  rule: Partial<ExchangeRule> | false = {},
  options: Partial<ServerOptions> = {},
): Promise<BehalfServer> {
  const logs: string[] = [];
  const audit: AuditEvent[] = [];
  const seen: (Principal | undefined)[] = [];
  const log = (...words: unknown[]) => void logs.push(JSON.stringify(words, errorsToo));
  const server = await createMcpServer({
    name: 'behalf',
    version: '1.0.0',
    services: [],
    rateLimit: false,
    concurrency: false,
    logger: { debug: log, info: log, warn: log, error: log },
    audit: { write: (event) => void audit.push(event), flush: async () => {}, close: async () => {} },
    ...options,
  } as ServerOptions);
  const tool = {
    description: 'Asks for a token.',
    inputSchema: {
      type: 'object',
      properties: { resource: { type: 'string' }, scopes: { type: 'array', items: { type: 'string' } } },
    },
    async handler(
      { resource = UPSTREAM, scopes }: { resource?: string; scopes?: string[] },
      ctx: ToolContext,
    ) {
      seen.push(ctx.principal);
      const token = await ctx.tokenFor(resource, scopes && { scopes });
      return Buffer.from(token.split('.')[1]!, 'base64url').toString();
    },
  };
  server.tools.add({ ...tool, name: 'ask' } as never);
  server.tools.add({ ...tool, name: 'ask_later', task: 'required' } as never);
  const oauth = oauthResourceServer({
    resource: ENDPOINT,
    issuers: [issuer],
    anonymous: true,
    ...(rule && {
      exchange: {
        [UPSTREAM]: {
          by: 'token-exchange',
          issuer,
          clientId: 'mcp',
          clientSecret: 'secret of mcp',
          ...rule,
        } as ExchangeRule,
      },
    }),
  });
  const http = createServer(mcpHttp(server, { oauth })).listen(0, '127.0.0.1');
  await once(http, 'listening');
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
  return {
    server,
    seen,
    written: { logs, audit },
    ask: (token, args = {}) => callTool({ url, token, name: 'ask' }, args),
    askInTask: (token) => callInTask({ url, token, name: 'ask_later' }),
    async close() {
      http.close();
      http.closeAllConnections();
      await server.close(0);
    },
  };
}

interface Target {
  readonly url: string;
  readonly token: string | undefined;
  readonly name: string;
}

interface ToolAnswer {
  content: { text: string }[];
  isError?: boolean;
}

async function callTool(target: Target, args: object): Promise<Heard> {
  return heard((await send(target, 'tools/call', { name: target.name, arguments: args })) as ToolAnswer);
}

async function callInTask(target: Target): Promise<Heard> {
  const begun = (await send(target, 'tools/call', { name: target.name, arguments: {} })) as {
    taskId: string;
  };
  for (;;) {
    const { status, result } = (await send({ ...target, name: begun.taskId }, 'tasks/get', begun)) as {
      status: string;
      result?: ToolAnswer;
    };
    if (result) return heard(result);
    if (status !== 'working') throw new Error(`The task is ${status}.`);
  }
}

function heard({ content, isError }: ToolAnswer): Heard {
  return { text: content[0]!.text, isError: isError === true };
}

async function send({ url, token, name }: Target, method: string, given: object): Promise<unknown> {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': { extensions: { 'io.modelcontextprotocol/tasks': {} } },
  };
  const { taskId } = given as { taskId?: string };
  const params = { ...(taskId === undefined ? given : { taskId }), _meta };
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      'mcp-name': name,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const text = await response.text();
  const { result, error } = JSON.parse(text.replace(/^[\s\S]*?data: /, '')) as {
    result?: unknown;
    error?: { message: string };
  };
  if (!result) throw new Error(error?.message ?? text);
  return result;
}

const errorsToo = (_key: string, value: unknown): unknown =>
  value instanceof Error ? { ...value, name: value.name, message: value.message, stack: value.stack } : value;
