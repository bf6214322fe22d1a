import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { createMcpServer } from '@toolwright/core';
import { serveHttp, type HttpService } from '@toolwright/http';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { silentLogger } from '@toolwright/core/ports';
import { ConstructTools } from '../src/construct-tools.js';
import { constructs, type Construct } from './constructs.js';
import { aiSdkGoogle, aiSdkOpenAi } from './converters/ai-sdk.js';
import { asPublished } from './converters/as-published.js';
import type { Converter, Served } from './converters/converter.js';
import { genkit } from './converters/genkit.js';
import { googleGenAi } from './converters/google-gen-ai.js';
import { langChain } from './converters/lang-chain.js';
import { mastraGoogle, mastraOpenAi } from './converters/mastra.js';
import { openAiAgentsStrict } from './converters/open-ai-agents.js';
import { judge, type Judgement } from './judge.js';
import { renderTable } from './render-table.js';

const converters = [
  asPublished,
  langChain,
  aiSdkOpenAi,
  aiSdkGoogle,
  openAiAgentsStrict,
  googleGenAi,
  genkit,
  mastraOpenAi,
  mastraGoogle,
];

type Converted = Awaited<ReturnType<Converter['convert']>>;

const page = join(__dirname, '../../../docs/schemas.md');
const region = /(<!-- providers -->\n\n)[^]*(\n\n<!-- \/providers -->)/;

let service: HttpService;
let served: Served;
let converted: Converted[];

beforeAll(async () => {
  // Mastra's validator tells of the formats that it does not check.
  jest.spyOn(console, 'warn').mockImplementation();
  const server = await createMcpServer({
    name: 'constructs',
    version: '1.0.0',
    services: [ConstructTools],
    // Refused calls are counted in the log.
    logger: silentLogger,
  });
  service = await serveHttp(server, { port: 0, signals: false });
  const client = new Client({ name: 'providers', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL(service.url)));
  served = { client, url: service.url, tools: (await client.listTools()).tools };
  converted = await Promise.all(converters.map((converter) => converter.convert(served)));
});

afterAll(async () => {
  await served?.client.close();
  await service?.close();
});

test('every construct has a tool, and every tool is in the table', () => {
  expect(served.tools.map(({ name }) => name).sort()).toEqual(constructs.map(({ tool }) => tool).sort());
});

test.each(constructs)('$tool takes its valid samples and refuses the others', async (construct) => {
  const { tool, valid, invalid = [] } = construct;
  for (const args of valid) expect(await refuses(tool, args)).toBe(false);
  for (const args of invalid) expect(await refuses(tool, args)).toBe(true);
});

test.each([
  ['draft-07, as Ajv and Genkit read it', new Ajv()],
  ['2020-12', new Ajv2020()],
])('strict readers of %s load every published schema and take its valid samples', (_draft, ajv) => {
  addFormats(ajv);
  for (const { tool, valid } of constructs) {
    const { inputSchema, outputSchema } = served.tools.find(({ name }) => name === tool)!;
    const fits = ajv.compile(inputSchema);
    for (const args of valid) expect([tool, fits(args)]).toEqual([tool, true]);
    if (outputSchema) ajv.compile(outputSchema);
  }
});

test('the table in the guide is what the converters do', async () => {
  const columns = await Promise.all(converted.map(judgeAll));
  const head = ['Type', ...converters.map(({ label }) => label)];
  const rows = constructs.map(({ label }, row) => [label, ...columns.map((column) => column[row]!.verdict)]);
  const table = renderTable([head, ...rows]);
  const text = readFileSync(page, 'utf8');
  if (process.env.UPDATE_PROVIDERS) {
    writeFileSync(
      page,
      text.replace(region, (_, start: string, end: string) => start + table + end),
    );
    reportReasons(columns);
  } else {
    expect(region.exec(text)?.[0]).toBe(`<!-- providers -->\n\n${table}\n\n<!-- /providers -->`);
  }
});

async function refuses(name: string, args: Record<string, unknown>): Promise<boolean> {
  const { isError = false } = await served.client.callTool({ name, arguments: args });
  return isError as boolean;
}

function judgeAll(convert: Converted): Promise<Judgement[]> {
  return Promise.all(constructs.map((construct) => judgeOne(construct, convert)));
}

/** A tool that a converter refuses is not there for its model. */
async function judgeOne(construct: Construct, convert: Converted): Promise<Judgement> {
  const tool = served.tools.find(({ name }) => name === construct.tool)!;
  try {
    return await judge(construct, await convert(structuredClone(tool)));
  } catch (error) {
    return { verdict: 'lost', reasons: [String(error)] };
  }
}

function reportReasons(columns: Judgement[][]): void {
  const lines = converters.flatMap(({ label }, column) =>
    constructs.map(({ tool }, row) => `${label}, ${tool}: ${columns[column]![row]!.reasons.join('; ')}`),
  );
  process.stdout.write(`${lines.filter((line) => !line.endsWith(': ')).join('\n')}\n`);
}
