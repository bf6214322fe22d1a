import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMcpServer, type McpServer, type ServerOptions } from '@toolwright/core';
import { connect, type McpClient } from '@toolwright/client';
import { silentLogger } from '@toolwright/core/ports';
import { measureRecords } from './measure-records.js';

/** Calls in a counted run; as many again come before it, uncounted. */
const calls = 20_000;
const rounds = 5;
/** Calls under way at a time: a group commit is shared by those that wait for it. */
const callers = 64;

interface Way {
  name: string;
  audit: ServerOptions['audit'];
  /** A destructive tool is audited strictly: twice, and durable before it runs and before it answers. */
  tool: 'read' | 'destroy';
}

interface Cost {
  /** Microseconds of the clock and of the processor for one call. */
  elapsed: number;
  cpu: number;
}

/**
 * Prints what audit costs a call, protocol and pipeline included (ways take turns, medians count), and then what a
 * record costs alone.
 */
async function main(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'bench-audit-'));
  const ways: Way[] = [
    { name: 'no audit', audit: false, tool: 'read' },
    { name: 'buffered, one record', audit: { file: join(directory, 'buffered.jsonl') }, tool: 'read' },
    { name: 'strict, two records', audit: { file: join(directory, 'strict.jsonl') }, tool: 'destroy' },
  ];
  try {
    const costs = new Map<Way, Cost[]>(ways.map((way) => [way, []]));
    for (let round = 0; round < rounds; round++) {
      for (const way of ways) costs.get(way)!.push(await measure(way));
    }
    const [baseline] = ways.map((way) => median(costs.get(way)!));
    for (const way of ways) print(way.name, median(costs.get(way)!), baseline!);
    await measureRecords(join(directory, 'records.jsonl'));
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function measure({ audit, tool }: Way): Promise<Cost> {
  const server = await createMcpServer({
    name: 'bench-audit',
    version: '1.0.0',
    services: [],
    audit,
    rateLimit: false,
    concurrency: false,
    logger: silentLogger,
  });
  addTools(server);
  const client = await connect(server);
  await callMany(client, tool);
  const cpu = process.cpuUsage();
  const start = performance.now();
  await callMany(client, tool);
  const elapsed = ((performance.now() - start) * 1000) / calls;
  await client.close();
  // Records that were still waiting belong to the calls that made them.
  await server.close();
  const { user, system } = process.cpuUsage(cpu);
  return { elapsed, cpu: (user + system) / calls };
}

function addTools({ tools }: McpServer): void {
  const inputSchema = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };
  const handler = ({ text }: Record<string, unknown>) => text;
  tools.add({
    name: 'read',
    description: 'Reads.',
    annotations: { readOnlyHint: true },
    inputSchema,
    handler,
  });
  tools.add({
    name: 'destroy',
    description: 'Destroys.',
    annotations: { destructiveHint: true },
    inputSchema,
    handler,
  });
}

async function callMany(client: McpClient, tool: string): Promise<void> {
  const caller = async () => {
    for (let count = 0; count < calls / callers; count++) await client.call(tool, { text: 'hello' });
  };
  await Promise.all(Array.from({ length: callers }, caller));
}

function median(costs: readonly Cost[]): Cost {
  const middle = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1]!;
  return { elapsed: middle(costs.map(({ elapsed }) => elapsed)), cpu: middle(costs.map(({ cpu }) => cpu)) };
}

function print(name: string, { elapsed, cpu }: Cost, baseline: Cost): void {
  const more = `+${(cpu - baseline.cpu).toFixed(1)} µs of CPU`;
  console.log(`${name.padEnd(24)} ${elapsed.toFixed(1)} µs a call, ${cpu.toFixed(1)} µs of CPU (${more})`);
}

void main();
