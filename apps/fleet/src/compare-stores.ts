// What each port of the stores costs in Redis and in PostgreSQL. The two take turns in one run, so that a busy machine slows
// both: read the ratios. It prints the table of docs/stores.md.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ServerStores, silentLogger, systemClock } from '@toolwright/core/ports';
import { postgresStores } from '@toolwright/postgres';
import { redisStores } from '@toolwright/redis';
import { requirePrograms } from './processes/find-program.js';
import { PostgresProcess } from './processes/postgres-process.js';
import { RedisProcess } from './processes/redis-process.js';

const TURNS = 20;
const CALLS = 150;
/** How many calls run at a time. */
const AT_ONCE = 8;

type Work = (stores: Required<ServerStores>, call: number) => unknown;

const rule = { points: 1_000_000_000, perMs: 3_600_000 };
const value = { content: [{ type: 'text', text: 'x'.repeat(2_000) }] };
const record = { logLevel: 'info', subscriptions: ['test://a', 'test://b'] } as const;

const rows: Record<string, Work> = {
  'points of one caller of many': (stores, call) => stores.rateLimiter.consume(`user ${call % 500}`, 1, rule),
  'points that all callers share': (stores) => stores.rateLimiter.consume('all', 1, rule),
  'slot taken and given back': async (stores, call) =>
    (await stores.leases.acquire([{ key: `tool ${call % 10}`, max: 1_000 }]))?.(),
  'session read': (stores, call) => stores.sessions.get(`session ${call % 100}`),
  'session written': (stores, call) => stores.sessions.set(`session ${call % 100}`, record, 60_000),
  'event of a stream appended': (stores, call) =>
    stores.events.append(`session ${call % 100}`, `s${call % 7}`, {
      id: `${call}_${Math.random()}`,
      text: 'x'.repeat(500),
    }),
  'stream resumed': (stores, call) => stores.events.after(`session ${call % 100}`, 's1', 'unknown'),
  'result read': (stores, call) => stores.cache.get(`result ${call % 300}`),
  'result written': (stores, call) => stores.cache.set(`result ${call % 300}`, value, 60_000),
  'claim made': (stores, call) => stores.claims.claim(`claim ${call} ${Math.random()}`, 60_000),
};

class Measured {
  readonly times: number[] = [];
  readonly perTurn: number[] = [];
  clientCpu = 0;
  serverCpu = 0;

  constructor(
    readonly stores: Required<ServerStores>,
    private readonly pid: number,
  ) {}

  async turn(work: Work, first: number): Promise<void> {
    const [client, server, began] = [process.cpuUsage(), this.#serverCpu(), this.times.length];
    let next = first;
    const lane = async () => {
      while (next < first + CALLS) {
        const call = next++;
        const at = performance.now();
        await work(this.stores, call);
        this.times.push(performance.now() - at);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
    const { user, system } = process.cpuUsage(client);
    this.clientCpu += (user + system) / 1_000;
    this.serverCpu += this.#serverCpu() - server;
    this.perTurn.push(quantile(this.times.slice(began), 0.5));
  }

  /** Milliseconds of the processor that the server and the processes of its connections have used. */
  #serverCpu(): number {
    const pid = String(this.pid);
    const list = execFileSync('ps', ['-o', 'pid=', '--pid', pid, '--ppid', pid], { encoding: 'utf8' });
    const pids = list.trim().split(/\s+/);
    return pids.reduce((sum, pid) => sum + cpuOf(pid), 0);
  }
}

function cpuOf(pid: string): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return 0;
  }
}

function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]!;
}

async function main(): Promise<void> {
  requirePrograms();
  const folders = ['redis', 'postgres'].map((name) => mkdtempSync(join(tmpdir(), `compare-stores-${name}-`)));
  const servers = [await RedisProcess.start(folders[0]!), await PostgresProcess.start(folders[1]!)] as const;
  try {
    await compare(...servers);
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
    for (const folder of folders) rmSync(folder, { recursive: true });
  }
}

async function compare(redisServer: RedisProcess, postgresServer: PostgresProcess): Promise<void> {
  const open = async (stores: ServerStores) => {
    await stores.open?.({ clock: systemClock, logger: silentLogger });
    return stores as Required<ServerStores>;
  };
  const redis = await open(redisStores({ url: redisServer.url, timeout: '10s' }));
  const postgres = await open(postgresStores({ url: postgresServer.url, timeout: '10s' }));
  console.log('| | Redis p50 / p99 | PostgreSQL p50 / p99 | p50 × | processor × (server) | (process) |');
  console.log('| --- | --- | --- | --- | --- | --- |');
  for (const [name, work] of Object.entries(rows)) {
    const [one, other] = [new Measured(redis, redisServer.pid), new Measured(postgres, postgresServer.pid)];
    for (const each of [one, other]) await each.turn(work, 0);
    for (const each of [one, other])
      each.times.length = each.perTurn.length = each.clientCpu = each.serverCpu = 0;
    for (let turn = 1; turn <= TURNS; turn++)
      for (const each of turn % 2 ? [one, other] : [other, one]) await each.turn(work, turn * CALLS);
    const ms = ({ times }: Measured) =>
      [0.5, 0.99].map((part) => quantile(times, part).toFixed(2)).join(' / ');
    const ratio = quantile(
      other.perTurn.map((time, turn) => time / one.perTurn[turn]!),
      0.5,
    );
    const cpu = (part: 'serverCpu' | 'clientCpu') => (other[part] / one[part]).toFixed(1);
    console.log(
      `| ${name} | ${ms(one)} | ${ms(other)} | ${ratio.toFixed(1)} | ${cpu('serverCpu')} | ${cpu('clientCpu')} |`,
    );
  }
  await Promise.all([redis.close(), postgres.close()]);
}

void main();
