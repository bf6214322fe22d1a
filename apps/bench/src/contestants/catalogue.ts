import type { Dialect } from './settings.js';

/**
 * Results with an output schema, nested DTOs, tools as people write them, tokens that are checked, calls counted in Redis, questions to a person,
 * tasks, notifications for all who listen, calls passed on, a handler without a port.
 */
export type Ability =
  'objects' | 'dto' | 'usual' | 'tokens' | 'redis' | 'elicit' | 'task' | 'fanout' | 'proxy' | 'fetch';

const everything: readonly Ability[] = [
  'objects',
  'dto',
  'usual',
  'tokens',
  'redis',
  'elicit',
  'task',
  'fanout',
  'proxy',
];

/** One of the servers compared. */
export interface Contestant {
  /** Also that of the module in this folder that runs it. */
  name: string;
  title: string;
  /** The dialects it can serve, over HTTP. */
  dialects: Dialect[];
  /** What it is called over stdio; without it, it does not serve that. */
  stdio?: string;
  /** Keeps `subscriptions/listen` streams open. */
  listens: boolean;
  /** What it serves beside `measure`, lists and progress. */
  serves: readonly Ability[];
  /** What it checks by schemas: a server that checks nothing has less to do. */
  checks: 'nothing' | 'arguments' | 'arguments and results';
  /** The only workloads that it takes part in; default: all that it can. */
  joins?: readonly string[];
  /** Packages whose versions the report names. */
  packages: string[];
  /** The oldest Node.js that runs it, if that is not the oldest one that runs us. */
  needsNode?: number;
}

/** The one that the guard and most ratios are relative to. */
export const BASELINE = 'express-json';

export const contestants: Contestant[] = [
  plain('node-http', 'plain node:http', [], everything),
  plain(BASELINE, 'plain Express, express.json()', ['express'], everything),
  plain('express-raw', 'plain Express, own body reading', ['express']),
  {
    ...plain('express-class-validator', 'plain Express, class-validator', ['express', 'class-validator']),
    serves: ['dto'],
    checks: 'arguments',
    joins: ['call-dto'],
  },
  {
    name: 'toolwright-express',
    title: 'Toolwright on Express',
    dialects: ['modern', 'session'],
    listens: true,
    serves: everything,
    checks: 'arguments and results',
    packages: ['@toolwright/core', 'express'],
  },
  {
    name: 'toolwright-http',
    title: 'Toolwright on node:http',
    dialects: ['modern', 'session'],
    stdio: 'Toolwright',
    listens: true,
    serves: everything,
    checks: 'arguments and results',
    packages: ['@toolwright/core'],
  },
  plain('hono-json', 'plain Hono, c.req.json()', ['hono', '@hono/node-server']),
  {
    name: 'toolwright-hono',
    title: 'Toolwright on Hono (mcpFetch)',
    dialects: ['modern', 'session'],
    listens: true,
    serves: ['objects', 'dto'],
    checks: 'arguments and results',
    packages: ['@toolwright/core', 'hono'],
  },
  sdkV2('sdk-v2', ''),
  sdkV2('sdk-v2-kept-schemas', ', schemas made once'),
  {
    name: 'sdk-v1',
    title: 'official SDK v1 on Express',
    dialects: ['stateless', 'session'],
    stdio: 'official SDK v1',
    listens: false,
    serves: [],
    checks: 'arguments',
    packages: ['@modelcontextprotocol/sdk'],
  },
  {
    name: 'fastmcp',
    title: 'fastmcp (TypeScript)',
    dialects: ['stateless', 'session'],
    stdio: 'fastmcp (TypeScript)',
    listens: false,
    serves: [],
    checks: 'arguments',
    packages: ['fastmcp'],
  },
  {
    name: 'mcp-nest',
    title: 'MCP-Nest',
    dialects: ['modern', 'session', 'stateless'],
    stdio: 'MCP-Nest',
    listens: true,
    serves: [],
    checks: 'arguments',
    packages: ['@rekog/mcp-nest', '@nestjs/core'],
  },
  {
    name: 'mcp-framework',
    title: 'mcp-framework',
    dialects: ['session'],
    stdio: 'mcp-framework',
    listens: false,
    serves: [],
    checks: 'arguments',
    packages: ['mcp-framework'],
  },
  apart('xmcp'),
  apart('mcp-use', 22),
  handler('plain-fetch', 'plain handler of requests', 'nothing', []),
  handler('toolwright-fetch', 'Toolwright, mcpFetch', 'arguments and results', ['@toolwright/core']),
  handler('sdk-v2-fetch', 'official SDK v2, createMcpHandler, schemas made once', 'arguments and results', [
    '@modelcontextprotocol/server',
  ]),
];

/** Its packages are installed apart (see `peers/`), so only the comparison of peers has it. */
function apart(name: string, needsNode?: number): Contestant {
  return {
    name,
    title: name,
    dialects: ['modern', 'stateless'],
    listens: false,
    serves: [],
    checks: 'arguments',
    joins: [],
    packages: [],
    ...(needsNode !== undefined && { needsNode }),
  };
}

/** A web-standard handler, which is measured alone. */
function handler(name: string, title: string, checks: Contestant['checks'], packages: string[]): Contestant {
  const serves = ['fetch'] as const;
  const joins = ['fetch-handler'];
  return { name, title, dialects: ['modern'], listens: false, serves, checks, joins, packages };
}

function plain(
  name: string,
  title: string,
  packages: string[],
  serves: readonly Ability[] = ['objects', 'dto'],
): Contestant {
  return {
    name,
    title,
    dialects: ['modern', 'session', 'stateless'],
    stdio: name === 'node-http' ? 'plain node:readline' : undefined,
    listens: true,
    serves,
    checks: 'nothing',
    packages,
  };
}

function sdkV2(name: string, setup: string): Contestant {
  return {
    name,
    title: `official SDK v2 on Express${setup}`,
    dialects: ['modern', 'session', 'stateless'],
    stdio: `official SDK v2${setup}`,
    listens: true,
    serves: ['objects', 'dto', 'tokens', 'elicit', 'fanout'],
    checks: 'arguments and results',
    packages: ['@modelcontextprotocol/server', '@modelcontextprotocol/express'],
  };
}
