import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const modules = join(__dirname, '../node_modules');
const newer = join(__dirname, '../../conformance-suite/node_modules/.bin/node');

/** A call of a tool that needs no network. */
interface LocalCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** What the answer contains. */
  readonly answer: string;
  readonly isError?: true;
}

/** A server that somebody else wrote, as npm has it. */
export interface RealServer {
  readonly name: string;
  readonly package: string;
  readonly args?: (folder: string) => readonly string[];
  readonly env?: (folder: string) => Readonly<Record<string, string>>;
  /** It wants Node.js 22 or newer. */
  readonly isNewer?: true;
  readonly calls?: (folder: string) => readonly LocalCall[];
}

/** Nothing listens there. */
const NOWHERE = 'http://127.0.0.1:9';

/** The first three are the sample of `pnpm check:all`. */
export const realServers: readonly RealServer[] = [
  {
    name: 'everything',
    package: '@modelcontextprotocol/server-everything',
    calls: () => [
      { tool: 'echo', args: { message: 'hello' }, answer: 'hello' },
      { tool: 'get-sum', args: { a: 2, b: 40 }, answer: '42' },
      { tool: 'get-sum', args: { a: 'two', b: 40 }, answer: 'a', isError: true },
    ],
  },
  {
    name: 'filesystem',
    package: '@modelcontextprotocol/server-filesystem',
    args: (folder) => [folder],
    calls: (folder) => [
      { tool: 'write_file', args: { path: join(folder, 'a.txt'), content: 'a note' }, answer: 'a.txt' },
      { tool: 'read_text_file', args: { path: join(folder, 'a.txt') }, answer: 'a note' },
      { tool: 'read_text_file', args: { path: '/etc/hostname' }, answer: 'denied', isError: true },
    ],
  },
  {
    name: 'memory',
    package: '@modelcontextprotocol/server-memory',
    env: (folder) => ({ MEMORY_FILE_PATH: join(folder, 'memory.json') }),
    calls: () => [
      {
        tool: 'create_entities',
        args: { entities: [{ name: 'Ada', entityType: 'person', observations: ['counts'] }] },
        answer: 'Ada',
      },
      { tool: 'read_graph', args: {}, answer: 'counts' },
      { tool: 'delete_entities', args: { entityNames: ['Ada'] }, answer: 'deleted' },
    ],
  },
  {
    name: 'thinking',
    package: '@modelcontextprotocol/server-sequential-thinking',
    calls: () => [
      {
        tool: 'sequentialthinking',
        args: { thought: 'First.', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 },
        answer: 'thoughtNumber',
      },
    ],
  },
  {
    name: 'pdf',
    package: '@modelcontextprotocol/server-pdf',
    args: () => ['--stdio'],
    calls: () => [{ tool: 'list_pdfs', args: {}, answer: '' }],
  },
  {
    name: 'elastic',
    package: '@elastic/mcp-server-elasticsearch',
    env: () => ({ ES_URL: NOWHERE, ES_API_KEY: 'none' }),
  },
  { name: 'notion', package: '@notionhq/notion-mcp-server', env: () => ({ NOTION_TOKEN: 'ntn_none' }) },
  { name: 'playwright', package: '@playwright/mcp', args: () => ['--headless', '--isolated'] },
  { name: 'context7', package: '@upstash/context7-mcp' },
  {
    name: 'firecrawl',
    package: 'firecrawl-mcp',
    env: () => ({ FIRECRAWL_API_KEY: 'fc-none', FIRECRAWL_API_URL: NOWHERE }),
    isNewer: true,
  },
  {
    name: 'mongodb',
    package: 'mongodb-mcp-server',
    env: (folder) => ({ MDB_MCP_TELEMETRY: 'disabled', HOME: folder }),
    isNewer: true,
  },
  { name: 'sentry', package: '@sentry/mcp-server', args: () => ['--access-token=none'], isNewer: true },
  {
    name: 'chrome',
    package: 'chrome-devtools-mcp',
    args: () => ['--headless', '--isolated'],
    isNewer: true,
  },
  { name: 'tavily', package: 'tavily-mcp', env: () => ({ TAVILY_API_KEY: 'tvly-none' }) },
  { name: 'exa', package: 'exa-mcp-server', env: () => ({ EXA_API_KEY: 'none' }) },
  { name: 'brave', package: '@brave/brave-search-mcp-server', env: () => ({ BRAVE_API_KEY: 'none' }) },
  {
    name: 'figma',
    package: 'figma-developer-mcp',
    args: () => ['--figma-api-key=none', '--stdio'],
  },
  {
    name: 'hubspot',
    package: '@hubspot/mcp-server',
    env: () => ({ PRIVATE_APP_ACCESS_TOKEN: 'pat-none' }),
  },
  { name: 'chart', package: '@antv/mcp-server-chart' },
  { name: 'eslint', package: '@eslint/mcp' },
];

/** How it is started. */
export function startOf(server: RealServer, folder: string) {
  const { args, env, isNewer } = server;
  const place = join(modules, server.package);
  const { bin } = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8')) as {
    bin: string | Record<string, string>;
  };
  const script = typeof bin === 'string' ? bin : Object.values(bin)[0]!;
  return {
    command: isNewer ? newer : process.execPath,
    args: [join(place, script), ...(args?.(folder) ?? [])],
    env: env?.(folder) ?? {},
    cwd: folder,
  };
}
