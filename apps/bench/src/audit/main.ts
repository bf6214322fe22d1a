import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openAuditSink } from '@toolwright/audit';
import {
  Audit,
  Cancellation,
  classify,
  createMcpServer,
  type AuditMode,
  type AuditSink,
  type McpServer,
} from '@toolwright/core';
import { sampleEvent } from './sample-event.js';

const rounds = 5;
const calls = 20_000;
const strictCalls = 1_000;
const callers = 64;

/** Prints what a record costs its writer, and what a call costs with and without a log. */
async function main(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'toolwright-audit-'));
  try {
    await measureRecords(join(directory, 'records.jsonl'));
    await measureCalls(join(directory, 'calls.jsonl'));
  } finally {
    await rm(directory, { recursive: true });
  }
}

async function measureRecords(file: string): Promise<void> {
  const sink = await openAuditSink({ file });
  const event = sampleEvent();
  let onPath = Number.POSITIVE_INFINITY;
  let inAll = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round++) {
    const cpu = process.cpuUsage();
    let waited = 0n;
    const start = process.hrtime.bigint();
    for (let count = 0; count < calls; count++) {
      const room = sink.write(event, 'buffered');
      if (!room) continue;
      const before = process.hrtime.bigint();
      await room;
      waited += process.hrtime.bigint() - before;
    }
    onPath = Math.min(onPath, Number(process.hrtime.bigint() - start - waited) / 1e3 / calls);
    await sink.flush();
    const { user, system } = process.cpuUsage(cpu);
    inAll = Math.min(inAll, (user + system) / calls);
  }
  console.log('A record (best of 5 rounds):');
  print('buffered, before its writer goes on', `${onPath.toFixed(2)} µs`);
  print('buffered, CPU of the process until it is stored', `${inAll.toFixed(1)} µs`);
  const strict = await timesOf(strictCalls, 1, async () => void (await sink.write(event, 'strict')));
  print('strict, until it is stored, alone', milliseconds(strict));
  const together = await timesOf(
    strictCalls * 10,
    callers,
    async () => void (await sink.write(event, 'strict')),
  );
  print(`strict, until it is stored, ${callers} at a time`, milliseconds(together));
  await sink.close();
}

async function measureCalls(file: string): Promise<void> {
  const sink = await openAuditSink({ file });
  console.log('A call of a tool in this process, without transport (median of 5 rounds):');
  const plain = await costOfCalls(false);
  const buffered = await costOfCalls(sink, 'buffered');
  print('without a log', `${plain.toFixed(1)} µs CPU`);
  print(
    'buffered',
    `${buffered.toFixed(1)} µs CPU, ${(buffered - plain).toFixed(1)} µs of them for its record`,
  );
  const server = await serverWith(sink, 'strict');
  const call = callOn(server);
  const alone = await timesOf(strictCalls, 1, call);
  print('strict (two records), alone', milliseconds(alone));
  const together = await timesOf(strictCalls * 10, callers, call);
  print(`strict (two records), ${callers} at a time`, milliseconds(together));
  await sink.close();
}

/** Microseconds of CPU a call, with everything that is written because of it. */
async function costOfCalls(audit: AuditSink | false, mode?: AuditMode): Promise<number> {
  const call = callOn(await serverWith(audit, mode));
  const costs: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const cpu = process.cpuUsage();
    for (let count = 0; count < calls; count++) await call();
    if (audit) await audit.flush();
    const { user, system } = process.cpuUsage(cpu);
    // The first round warms up.
    if (round > 0) costs.push((user + system) / calls);
  }
  return costs.sort((a, b) => a - b)[rounds >> 1]!;
}

async function serverWith(audit: AuditSink | false, mode?: AuditMode): Promise<McpServer> {
  const server = await createMcpServer({
    name: 'bench',
    version: '1.0.0',
    services: [],
    audit,
    rateLimit: false,
    logger: { debug() {}, info() {}, warn() {}, error() {} },
  });
  server.tools.add({
    name: 'delete_page',
    description: 'Deletes a page.',
    inputSchema: { type: 'object', properties: { pageId: { type: 'string' } }, required: ['pageId'] },
    policies: mode ? [Audit.entry({ mode })] : [],
    handler: ({ pageId }) => `Deleted ${pageId as string}.`,
  });
  return server;
}

/** One call of the tool, as a transport makes it. */
function callOn(server: McpServer): () => Promise<void> {
  const peer = {
    principal: { subject: 'user-1', scopes: [] },
    ip: '192.0.2.1',
    transport: 'memory',
  } as const;
  const params = {
    name: 'delete_page',
    arguments: { pageId: 'p-1' },
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  };
  return async () => {
    const classified = classify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }, {});
    if (classified.kind !== 'modern') throw new Error(`The call was classified as ${classified.kind}.`);
    const exchange = { peer, cancellation: new Cancellation(), send: () => undefined };
    const reply = await server.protocol.serveModern(classified.message, exchange);
    if (!reply?.text.includes('Deleted p-1.')) throw new Error(`The call was answered with ${reply?.text}`);
  };
}

/** How long each run took, in milliseconds, the shortest first. */
async function timesOf(count: number, atATime: number, run: () => Promise<void>): Promise<number[]> {
  const times: number[] = [];
  const runAll = async () => {
    for (let done = 0; done < count / atATime; done++) {
      const start = performance.now();
      await run();
      times.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: atATime }, runAll));
  return times.sort((a, b) => a - b);
}

function milliseconds(times: readonly number[]): string {
  const at = (part: number) => times[Math.floor(times.length * part)]!.toFixed(2);
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`;
}

function print(name: string, value: string): void {
  console.log(`  ${name.padEnd(52)} ${value}`);
}

void main();
