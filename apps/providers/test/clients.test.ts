import { join } from 'node:path';
import { createMCPClient } from '@ai-sdk/mcp';
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { createMcpServer, type ServerOptions } from '@toolwright/core';
import { serveHttp, type HttpService } from '@toolwright/http';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { type Logger, silentLogger } from '@toolwright/core/ports';
import { ConstructTools } from '../src/construct-tools.js';
import { constructs, type Arguments } from './constructs.js';

/** What a client does with a server: it lists the tools, and calls them as an agent would. */
interface Called {
  names: readonly string[];
  /** The text of the answer, whatever form the client gives it. */
  call(name: string, args: Arguments): Promise<string>;
  close(): Promise<void>;
}

type Open = (url: string) => Promise<Called>;

const textOf = (result: unknown) => JSON.stringify(result);

async function openV1(url: string): Promise<Client> {
  const client = new Client({ name: 'clients', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  return client;
}

const officialV1: Open = async (url) => {
  const client = await openV1(url);
  return {
    names: (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args) => textOf(await client.callTool({ name, arguments: args })),
    close: () => client.close(),
  };
};

const officialV2 =
  (mode: 'legacy' | { pin: '2026-07-28' }): Open =>
  async (url) => {
    const client = new ClientV2({ name: 'clients', version: '1.0.0' }, { versionNegotiation: { mode } });
    await client.connect(new HttpV2(new URL(url)));
    return {
      names: (await client.listTools()).tools.map(({ name }) => name),
      call: async (name, args) => textOf(await client.callTool({ name, arguments: args })),
      close: () => client.close(),
    };
  };

const aiSdk: Open = async (url) => {
  const client = await createMCPClient({ transport: { type: 'http', url } });
  const tools = await client.tools();
  return {
    names: Object.keys(tools),
    call: async (name, args) =>
      textOf(await tools[name]!.execute(args as never, { toolCallId: '1', messages: [] } as never)),
    close: () => client.close(),
  };
};

/** What runs tools and graphs is not installed. The class of tools only keeps its fields here, as the real one does. */
class DynamicStructuredTool {
  declare readonly name: string;
  declare readonly func: (args: Arguments) => Promise<unknown>;

  constructor(fields: object) {
    Object.assign(this, fields);
  }
}

jest.doMock('@langchain/core/tools', () => ({ DynamicStructuredTool }), { virtual: true });
jest.doMock('@langchain/core/messages', () => ({}), { virtual: true });
jest.doMock('@langchain/langgraph', () => ({}), { virtual: true });

const langChain: Open = async (url) => {
  const { loadMcpTools } = jest.requireActual<{
    loadMcpTools(server: string, client: Client): Promise<DynamicStructuredTool[]>;
  }>('@langchain/mcp-adapters');
  const client = await openV1(url);
  const tools = await loadMcpTools('constructs', client);
  return {
    names: tools.map(({ name }) => name),
    // A refusal of the server is an error of the tool.
    call: async (name, args) =>
      textOf(
        await tools
          .find((tool) => tool.name === name)!
          .func(args)
          .catch(String),
      ),
    close: () => client.close(),
  };
};

const googleGenAi: Open = async (url) => {
  const { mcpToTool } = jest.requireActual<{
    mcpToTool(client: Client): {
      tool(): Promise<{ functionDeclarations: { name: string }[] }>;
      callTool(calls: { name: string; args: Arguments }[]): Promise<object[]>;
    };
  }>(join(__dirname, '../node_modules/@google/genai/dist/index.cjs'));
  const client = await openV1(url);
  const tool = mcpToTool(client);
  return {
    names: (await tool.tool()).functionDeclarations.map(({ name }) => name),
    call: async (name, args) => textOf(await tool.callTool([{ name, args }])),
    close: () => client.close(),
  };
};

/** As Genkit's plug-in does it: Ajv by default, with formats, checks what the model wrote before it calls. */
const strictAjv: Open = async (url) => {
  const client = await openV1(url);
  const { tools } = await client.listTools();
  const ajv = new Ajv();
  addFormats(ajv);
  const checks = new Map(tools.map(({ name, inputSchema }) => [name, ajv.compile(inputSchema)]));
  return {
    names: [...checks.keys()],
    call: async (name, args) => {
      if (!checks.get(name)!(args)) return 'refused by the client';
      return textOf(await client.callTool({ name, arguments: args }));
    },
    close: () => client.close(),
  };
};

const clients: [string, Open][] = [
  ['the official client, v1', officialV1],
  ['the official client, v2, with a handshake', officialV2('legacy')],
  ['the official client, v2, on 2026-07-28', officialV2({ pin: '2026-07-28' })],
  ['the AI SDK', aiSdk],
  ['LangChain', langChain],
  ['Google GenAI', googleGenAi],
  ['Ajv by default, as in Genkit', strictAjv],
];

const servers: [string, Partial<ServerOptions>][] = [
  ['sessions', {}],
  ['no sessions', { sessions: false }],
];

/** What a tool says of its arguments: that they all came. */
function saidBy(tool: string, { name, value }: Arguments): string {
  if (tool === 'defaulted' && value === undefined) return JSON.stringify('weekly');
  if (tool === 'date') return JSON.stringify(new Date(value as string));
  const heard = name === undefined ? value : [name, value];
  return JSON.stringify(heard) ?? 'nothing';
}

describe.each(servers)('a server with %s', (_server, options) => {
  let service: HttpService;

  beforeAll(async () => {
    const server = await createMcpServer({
      name: 'constructs',
      version: '1.0.0',
      services: [ConstructTools],
      // Refused calls are counted in the log.
      logger: silentLogger,
      ...options,
    });
    service = await serveHttp(server, { port: 0, signals: false });
  });
  afterAll(() => service?.close());

  test.each(clients)('%s lists every tool and calls it with each valid sample', async (_name, open) => {
    const client = await open(service.url);
    expect([...client.names].sort()).toEqual(constructs.map(({ tool }) => tool).sort());
    for (const { tool, valid } of constructs)
      for (const args of valid) {
        const answer = await client.call(tool, args);
        expect([tool, args, answer]).toEqual([
          tool,
          args,
          expect.stringContaining(JSON.stringify(saidBy(tool, args))),
        ]);
        expect(answer).not.toContain('"isError":true');
      }
    await client.close();
  });

  test.each(clients)('%s learns that arguments are wrong', async (_name, open) => {
    const client = await open(service.url);
    for (const { tool, invalid = [] } of constructs)
      for (const args of invalid)
        expect(await client.call(tool, args)).toMatch(/Invalid arguments|refused by the client/);
    await client.close();
  });
});
