import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ListRootsRequestSchema, type CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { type Kind, programOf, type Side } from '../../src/figures/programs.js';

export type { Kind, Side };

export interface Start {
  args?: string[];
  env?: Record<string, string>;
  /** The URIs of the client's folders; asked for anew each time. Without it the client has none to offer. */
  roots?: () => string[];
}

type Program = ConstructorParameters<typeof StdioClientTransport>[0];

/** How a server is reached. A proof puts a mount before ours. */
export const way: { open(side: Side, program: Program): Transport | Promise<Transport> } = {
  open: (_side, program) => new StdioClientTransport(program),
};

const open = new Set<Client>();
afterEach(async () => {
  await Promise.all([...open].map((client) => client.close()));
  open.clear();
});

/** Starts a server over stdio and connects the official client, until the test ends. */
export async function connect(
  kind: Kind,
  side: Side,
  { args = [], env = {}, roots }: Start = {},
): Promise<Client> {
  const client = new Client(
    { name: 'referee', version: '1.0.0' },
    { capabilities: roots ? { roots: { listChanged: true } } : {} },
  );
  if (roots)
    client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: roots().map((uri) => ({ uri })) }));
  await client.connect(
    await way.open(side, {
      command: process.execPath,
      args: [programOf(kind, side), ...args],
      env: { ...getDefaultEnvironment(), ...env },
      stderr: 'ignore',
    }),
  );
  open.add(client);
  return client;
}

/** Calls a tool. A protocol error counts as a refusal, too: which of the two it is makes no difference to a model. */
export async function call(client: Client, name: string, args: object = {}): Promise<CallToolResult> {
  const params = { name, arguments: args as Record<string, unknown> };
  return (await client.callTool(params).catch((error: Error) => ({
    isError: true,
    content: [{ type: 'text', text: error.message }],
  }))) as CallToolResult;
}

/** The text of a result, of whatever kind. */
export function textOf({ content }: CallToolResult): string {
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('');
}
