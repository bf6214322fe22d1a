import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport as TransportV1 } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ElicitRequestSchema, ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';

/** Where a server can be reached. */
export type Address = { url: URL } | { command: string; args: string[]; env: Record<string, string> };

export interface ListedTool {
  name: string;
  description?: string;
  inputSchema: Record<string, unknown> & { properties?: Record<string, Record<string, unknown>> };
  outputSchema?: Record<string, unknown>;
  annotations?: Record<string, unknown>;
  _meta?: Record<string, unknown>;
}

export interface ReadContents {
  uri: string;
  mimeType?: string;
  text?: string;
  /** Base64. */
  blob?: string;
  _meta?: Record<string, unknown>;
}

export interface CalledTool {
  content: ({ type: string; text?: string } & Record<string, unknown>)[];
  structuredContent?: unknown;
  isError?: boolean;
}

export interface CallOptions {
  /** Aborting it cancels the call at the server. */
  signal?: AbortSignal;
  /** Asks for progress and receives it. */
  onprogress?: (progress: { progress: number; total?: number; message?: string }) => void;
}

/** What the tests do with a client, the same for every official client. */
export interface RefereeClient {
  listTools(): Promise<{ tools: ListedTool[] }>;
  callTool(name: string, args: Record<string, unknown>, options?: CallOptions): Promise<CalledTool>;
  readResource(uri: string): Promise<{ contents: ReadContents[] }>;
  listResourceTemplates(): Promise<{ resourceTemplates: { uriTemplate: string }[] }>;
  getPrompt(
    name: string,
    args: Record<string, string>,
  ): Promise<{ messages: { role: string; content: unknown }[] }>;
  close(): Promise<void>;
}

export type Answer = 'accept' | 'decline' | { [field: string]: string | number | boolean };

export interface RefereeOptions {
  /** Answers the questions of the server, by a word or by what is filled in; left out, the client cannot be asked. */
  answer?: (message: string) => Answer;
  /** The client says that it shows MCP Apps. */
  showsApps?: boolean;
  /** Sent with every request; HTTP only. */
  headers?: Record<string, string>;
  /** Told when the server's list of tools has changed. */
  onToolsChanged?: () => void;
}

/** An official client in one of its modes. */
export interface Referee {
  name: string;
  connect(address: Address, options?: RefereeOptions): Promise<RefereeClient>;
}

const info = { name: 'referee', version: '1.0.0' };
const apps = { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } };

/** What a client with these options says it can do. */
function capabilitiesOf({ answer, showsApps }: RefereeOptions) {
  return { ...(answer && { elicitation: { form: {} } }), ...(showsApps && { extensions: apps }) };
}

export const referees: Referee[] = [
  { name: 'client 2.4.0 on 2026-07-28', connect: (...args) => connectV2({ pin: '2026-07-28' }, ...args) },
  { name: 'client 2.4.0 on 2025-11-25', connect: (...args) => connectV2('legacy', ...args) },
  { name: 'sdk 1.32.2', connect: connectV1 },
];

async function connectV2(
  mode: 'legacy' | { pin: string },
  address: Address,
  options: RefereeOptions = {},
): Promise<RefereeClient> {
  const { answer, headers, onToolsChanged } = options;
  const client = new ClientV2(info, {
    versionNegotiation: { mode },
    capabilities: capabilitiesOf(options),
    ...(onToolsChanged && { listChanged: { tools: { autoRefresh: false, onChanged: onToolsChanged } } }),
  });
  if (answer) {
    client.setRequestHandler('elicitation/create', ({ params }) => reply(answer(params.message)));
  }
  await client.connect(
    'url' in address
      ? new HttpV2(address.url, { requestInit: { headers } })
      : new StdioV2({ ...address, stderr: 'ignore' }),
  );
  return adapt(client, (params, callOptions) => client.callTool(params, callOptions));
}

async function connectV1(address: Address, options: RefereeOptions = {}): Promise<RefereeClient> {
  const { answer, headers, onToolsChanged } = options;
  const client = new ClientV1(info, { capabilities: capabilitiesOf(options) });
  if (answer) {
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => reply(answer(params.message)));
  }
  if (onToolsChanged) client.setNotificationHandler(ToolListChangedNotificationSchema, onToolsChanged);
  const transport =
    'url' in address
      ? new HttpV1(address.url, { requestInit: { headers } })
      : new StdioV1({ ...address, stderr: 'ignore' });
  await client.connect(transport as TransportV1);
  return adapt(client, (params, callOptions) => client.callTool(params, undefined, callOptions));
}

function reply(answer: Answer) {
  if (typeof answer === 'object') return { action: 'accept' as const, content: answer };
  const action = answer;
  return action === 'accept' ? { action, content: { confirm: true, confirmed: true } } : { action };
}

type CallTool = (
  params: { name: string; arguments: Record<string, unknown> },
  options?: CallOptions,
) => Promise<unknown>;

function adapt(client: ClientV1 | ClientV2, callTool: CallTool): RefereeClient {
  // Both clients give the same shapes under slightly different types.
  const common = client as unknown as {
    [method in keyof RefereeClient]: (...args: unknown[]) => Promise<never>;
  };
  return {
    listTools: () => common.listTools(),
    callTool: (name, args, options) => callTool({ name, arguments: args }, options) as Promise<CalledTool>,
    readResource: (uri) => common.readResource({ uri }),
    listResourceTemplates: () => common.listResourceTemplates(),
    getPrompt: (name, args) => common.getPrompt({ name, arguments: args }),
    close: () => common.close(),
  };
}
