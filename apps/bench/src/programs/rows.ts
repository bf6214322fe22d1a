import { connect, type McpClient } from '@toolwright/client';
import { createMcpServer, type McpServer, type ServerOptions } from '@toolwright/core';
import { SERVER_INFO } from '../contestants/work.js';
import { summarize } from '../report/statistics.js';

/** What a program costs. */
export interface ProgramRow {
  readonly name: string;
  readonly title: string;
  readonly unit: 'ms' | 'MB of resident memory';
  /** What it may be at most. */
  readonly target?: number;
  /** Does the work once, in a process of its own. */
  measure(): Promise<number>;
}

/** Starts of a warm program that are measured; the figure is their median. */
const STARTS = 100;
/** Calls of one program, and of a client beside it: as many as a program may make by default. */
const CALLS = 50;
/** Rounds that are compared, after those in which the code is compiled. */
const ROUNDS = 20;
const WARM_UP = 60;
/** A thread that is given back makes its next interpreter in this time. Nobody waits for that in a call. */
const MAKES_READY = 30;

export const programRows: readonly ProgramRow[] = [
  {
    name: 'first',
    title: 'the first program after the boot',
    unit: 'ms',
    target: 60,
    measure: () => onServer({ codeMode: true }, async (client) => timeOf(() => run(client, 'return 1'))),
  },
  {
    name: 'warm',
    title: 'a program on a warm thread, with its call',
    unit: 'ms',
    target: 2,
    measure: () =>
      onServer({ codeMode: true }, async (client) => {
        const times: number[] = [];
        for (let start = 0; start < STARTS; start++) {
          await pause(MAKES_READY);
          times.push(await timeOf(() => run(client, 'return 1')));
        }
        return summarize(times).median;
      }),
  },
  {
    name: 'inner',
    title: 'a call in a program, above a direct one',
    unit: 'ms',
    target: 0.15,
    measure: () =>
      onServer({ codeMode: true }, async (client) => {
        const program = async (calls: number) => {
          await pause(MAKES_READY);
          return timeOf(() =>
            run(client, `for (let i = 0; i < ${calls}; i++) await tools.find_order({ id: i });`),
          );
        };
        const direct = () =>
          timeOf(async () => {
            for (let id = 0; id < CALLS; id++) await client.call('find_order', { id });
          });
        const above: number[] = [];
        for (let round = 0; round < WARM_UP + ROUNDS; round++)
          above.push(((await program(CALLS)) - (await program(0)) - (await direct())) / CALLS);
        return summarize(above.slice(WARM_UP)).median;
      }),
  },
  {
    name: 'memory',
    title: 'code mode with its warm threads',
    unit: 'MB of resident memory',
    measure: async () => {
      const before = await onServer({}, async () => resident());
      return onServer({ codeMode: true }, async (client) => {
        await run(client, 'return 1');
        await pause(500);
        return resident() - before;
      });
    },
  },
  {
    name: 'waiting',
    title: 'each further program that waits, of 20',
    unit: 'MB of resident memory',
    measure: () =>
      onServer({ codeMode: true }, async (client) => {
        await pause(500);
        const before = resident();
        const waiting = Array.from({ length: 20 }, () => run(client, 'await sleep(1500)'));
        await pause(1_000);
        const held = resident() - before;
        await Promise.all(waiting);
        return held / 20;
      }),
  },
];

async function onServer<T>(
  options: Pick<ServerOptions, 'codeMode'>,
  work: (client: McpClient) => Promise<T>,
): Promise<T> {
  const server = await createMcpServer({
    ...SERVER_INFO,
    services: [],
    rateLimit: false,
    concurrency: false,
    ...options,
  });
  addTools(server);
  const client = await connect(server);
  try {
    return await work(client);
  } finally {
    await client.close();
    await server.close();
  }
}

function addTools(server: McpServer): void {
  server.tools.add({
    name: 'find_order',
    description: 'Find an order.',
    annotations: { readOnlyHint: true },
    inputSchema: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
    outputSchema: { type: 'object', properties: { id: { type: 'integer' }, total: { type: 'number' } } },
    handler: ({ id }) => ({ id, total: 12.5 }),
  });
}

async function run(client: McpClient, code: string): Promise<void> {
  const { isError, content } = await client.call('run_code', { code });
  if (isError) throw new Error(`The program failed: ${JSON.stringify(content)}`);
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

function resident(): number {
  globalThis.gc?.();
  return process.memoryUsage().rss / 1_048_576;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
