import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMcpServer, type McpServer } from '@toolwright/core';
import { silentLogger } from '@toolwright/core/ports';
import { whereInstalled } from '../../../.ci/test/support/installed.js';
import { count, sampleOf } from '../../../.ci/test/support/proof.js';
import { connect, type McpClient } from '../../../packages/client/src/index.js';
import { loadCounter } from '../../../packages/cli/src/contract/tokens/count-tokens.js';
import { contractOf } from '../../../packages/openapi/src/model/tool-contract.js';
import { planOperations } from '../../../packages/openapi/src/model/plan-operations.js';
import { readSpecification } from '../../../packages/openapi/src/read/read-specification.js';
import { Conversation, type JobCost } from './code-mode/conversation.js';
import { type Job, jobsOfApis, jobsOfDesk } from './code-mode/jobs.js';
import { answering } from './code-mode/rows.js';
import { specifications } from './specifications.js';
import { importTools, specificationOfSearch } from './tool-search/imported-tools.js';

type Definition = Parameters<McpServer['tools']['add']>[0];
type Definitions = Extract<Definition, readonly unknown[]>;

const installed = whereInstalled(specificationOfSearch, 'The specification');

/** How models get at the tools: the whole list, a search and `call_tool`, a search and programs. */
const ways = { list: {}, search: { toolSearch: true }, code: { codeMode: true } } as const;
type WayName = keyof typeof ways;

interface Way {
  readonly server: McpServer;
  readonly client: McpClient;
  readonly listTokens: number;
}

let countTokens: (text: string) => number;
beforeAll(async () => {
  const counter = await loadCounter();
  countTokens = (text) => counter(text);
});

async function open(tools: Definitions, options: object): Promise<Way> {
  const server = await createMcpServer({
    name: 'apis',
    version: '1.0.0',
    services: [],
    audit: false,
    rateLimit: false,
    concurrency: false,
    logger: silentLogger,
    ...options,
  });
  server.tools.add(tools);
  const client = await connect(server);
  const listTokens = countTokens(JSON.stringify(await client.tools()));
  return { server, client, listTokens };
}

async function openAll(tools: Definitions): Promise<Record<WayName, Way>> {
  const opened = await Promise.all(
    Object.entries(ways).map(async ([name, options]) => [name, await open(tools, options)] as const),
  );
  return Object.fromEntries(opened) as Record<WayName, Way>;
}

async function closeAll(opened: Record<WayName, Way>): Promise<void> {
  for (const { client, server } of Object.values(opened)) {
    await client.close();
    await server.close(0);
  }
}

/** How many tools a model asks for with each query. */
const FOUND = 3;

async function inEachWay(
  job: Job,
  { list, search, code }: Record<WayName, Way>,
): Promise<Record<WayName, JobCost & { readonly answer: unknown }>> {
  const find = async (talk: Conversation) => {
    if (job.finds.length > 0)
      await talk.turn(...job.finds.map((query) => ['search_tools', { query, limit: FOUND }] as const));
  };
  const direct = new Conversation(list.client, list.listTokens, countTokens);
  const byList = await job.direct(direct.turn.bind(direct));
  const through = new Conversation(search.client, search.listTokens, countTokens, 'call_tool');
  await find(through);
  const bySearch = await job.direct(through.turn.bind(through));
  const program = new Conversation(code.client, code.listTokens, countTokens);
  await find(program);
  const [ran] = await program.turn(['run_code', { code: job.code }]);
  return {
    list: { ...direct.end(), answer: byList },
    search: { ...through.end(), answer: bySearch },
    code: { ...program.end(), answer: ran!['result'] },
  };
}

/** One thread of the first program may still start. */
async function warm({ client }: Way): Promise<void> {
  await client.call('run_code', { code: 'return 1' });
}

function report(where: string, job: Job, costs: Record<WayName, JobCost>): void {
  for (const [way, { tokens, read, rounds, ms }] of Object.entries(costs)) {
    count(`${where}, ${job.name}, ${way}: tokens`, tokens);
    count(`${where}, ${job.name}, ${way}: tokens read in all rounds`, read);
    count(`${where}, ${job.name}, ${way}: rounds`, rounds);
    count(`${where}, ${job.name}, ${way}: ms`, Math.round(ms));
  }
}

const less = (part: number, whole: number) => Math.round(100 * (1 - part / whole));

installed.describe(`Programs over tools of real APIs${installed.note}`, () => {
  let opened: Record<WayName, Way>;
  beforeAll(async () => {
    const tools = await importTools('some');
    opened = await openAll(tools.map((tool) => ({ ...tool, ...answering(tool.name) })) as Definitions);
    await warm(opened.code);
    for (const [way, { listTokens }] of Object.entries(opened))
      count(`${tools.length} tools of APIs, ${way}: tokens of the list`, listTokens);
  });
  afterAll(() => closeAll(opened));

  it.each(jobsOfApis.map((job) => [job.name, job] as const))(
    'say the same as calls one by one: %s',
    async (_, job) => {
      const costs = await inEachWay(job, opened);
      report('APIs', job, costs);
      expect(costs.search.answer).toEqual(costs.list.answer);
      expect(costs.code.answer).toEqual(costs.list.answer);
      expect(costs.code.rounds).toBe(3);
    },
  );

  it('need a tenth of the tokens for a join of three lists of 100 rows', async () => {
    const { list, code } = await inEachWay(jobsOfApis[0]!, opened);
    count(
      'join of three lists of 100 rows: percent of tokens less than with the list',
      less(code.tokens, list.tokens),
    );
    expect(less(code.tokens, list.tokens)).toBeGreaterThanOrEqual(90);
  });
});

describe('Programs over the support desk', () => {
  let opened: Record<WayName, Way>;
  beforeAll(async () => {
    const lock = JSON.parse(readFileSync(join(__dirname, '../../desk/mcp.lock.json'), 'utf8')) as {
      tools: Record<string, Record<string, unknown>>;
    };
    const tools = Object.entries(lock.tools).map(
      ([name, { description, annotations, inputSchema, outputSchema }]) => ({
        name,
        description,
        annotations,
        inputSchema,
        ...(outputSchema !== undefined && { outputSchema }),
        handler: answering(name)?.handler ?? (() => 'ok'),
      }),
    );
    opened = await openAll(tools as Definitions);
    await warm(opened.code);
    for (const [way, { listTokens }] of Object.entries(opened))
      count(`${tools.length} tools of the desk, ${way}: tokens of the list`, listTokens);
  });
  afterAll(() => closeAll(opened));

  it.each(jobsOfDesk.map((job) => [job.name, job] as const))(
    'say the same as calls one by one: %s',
    async (_, job) => {
      const costs = await inEachWay(job, opened);
      report('desk', job, costs);
      expect(costs.code.answer).toEqual(costs.list.answer);
    },
  );
});

const github = specifications.find(({ name }) => name === 'GitHub')!;
const ofGitHub = whereInstalled(github.file, 'The specification');

ofGitHub.describe.each(sampleOf([github], () => true))(
  `Programs over the API of $name${ofGitHub.note}`,
  ({ file }) => {
    it('take a short list in place of all operations', async () => {
      const plan = planOperations(await readSpecification(file, {}), {});
      const tools = plan.operations.map((operation) => ({
        ...contractOf(operation, plan),
        category: operation.group,
        exactSchema: true,
        handler: () => ({}),
      }));
      const known = tools.map(({ scopes: _scopes, deprecated: _deprecated, ...tool }) => tool);
      for (const [way, options] of Object.entries(ways)) {
        const { server, client, listTokens } = await open(known as unknown as Definitions, options);
        count(`${known.length} tools of GitHub, ${way}: tokens of the list`, listTokens);
        if (way === 'code') {
          expect(listTokens).toBeLessThan(5_000);
          const began = performance.now();
          const { structuredContent } = await client.call('search_tools', {
            query: 'list issues of a repository',
            limit: FOUND,
          });
          count('GitHub, code: ms of the first search', Math.round(performance.now() - began));
          count(
            'GitHub, code: tokens of three tools that a search finds',
            countTokens(JSON.stringify(structuredContent)),
          );
        }
        await client.close();
        await server.close(0);
      }
    });
  },
);
