import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { generateOnce } from '../generate/generate.js';
import { chooseLoad } from '../load/choose-load.js';
import { cleanUpAtExit } from '../processes/clean-up.js';
import { findNodes, type NodeBinary } from '../processes/node-versions.js';
import { startRedis } from '../processes/redis-server.js';
import { beginRun } from '../processes/run-conditions.js';
import { publishSection, writeTable } from '../report/files.js';
import type { SubjectRow, WorkersResults } from '../report/results.js';
import { type Entry, Subject, type SubjectPlace, TOOLS } from './subject.js';
import { workersTable } from './workers-table.js';

const WARM_UPS = 2;

/** Subjects that take turns, each compared with the first one. */
interface Comparison {
  readonly name: string;
  readonly entries: readonly Entry[];
  /** Each call comes from a caller of its own, so that no worker knows its limit. */
  readonly strangers?: boolean;
  /** All of them count in one Redis. */
  readonly redis?: boolean;
}

const comparisons: readonly Comparison[] = [
  {
    name: 'workers',
    // Two processes that know nothing of each other show what the machine itself can do with two at a time.
    entries: [
      { name: 'one process', servers: 1, workers: 0 },
      { name: 'one worker', servers: 1, workers: 1 },
      { name: 'two workers', servers: 1, workers: 2 },
      { name: 'two processes that share nothing', servers: 2, workers: 0 },
    ],
  },
  {
    name: 'strangers',
    strangers: true,
    entries: [
      { name: 'one process, a new caller each time', servers: 1, workers: 0 },
      { name: 'two workers, a new caller each time', servers: 1, workers: 2 },
    ],
  },
  {
    name: 'fleet',
    redis: true,
    entries: [
      { name: 'one replica with Redis', servers: 1, workers: 0 },
      { name: 'three replicas with Redis', servers: 3, workers: 0 },
    ],
  },
];

/**
 * Prints what a call costs all processes of a server together, alone, with workers and in a fleet (Linux: it reads /proc).
 * With `--publish` it writes docs/benchmarks.json and docs/performance.md.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '8' },
      seconds: { type: 'string', default: '2' },
      nodes: { type: 'string', default: 'current,24' },
      compare: { type: 'string', default: comparisons.map(({ name }) => name).join(',') },
      publish: { type: 'boolean', default: false },
    },
  });
  cleanUpAtExit();
  const rounds = Number(values.rounds);
  const common = { load: chooseLoad(), seconds: Number(values.seconds) };
  const generated = generateOnce()(TOOLS);
  const conditions = beginRun(rounds);
  const rows: SubjectRow[] = [];
  for (const node of findNodes(values.nodes.split(',')))
    for (const comparison of comparisons.filter(({ name }) => values.compare.split(',').includes(name))) {
      console.error(`Node ${node.version}: ${comparison.name}`);
      rows.push(...(await compare(comparison, rounds, { generated, node, ...common })));
    }
  const results: WorkersResults = { ...conditions(), cores: availableParallelism(), rows };
  console.log(workersTable(results));
  if (!values.publish) return;
  console.error(`Written to ${publishSection({ workers: results })}`);
  console.error(`Written to ${writeTable('workers', workersTable)}`);
}

interface Run extends Omit<SubjectPlace, 'node'> {
  readonly generated: string;
  readonly node: NodeBinary;
}

async function compare(
  { entries, strangers = false, redis: usesRedis }: Comparison,
  rounds: number,
  { generated, node, ...place }: Run,
): Promise<SubjectRow[]> {
  const redis = usesRedis ? await startRedis() : undefined;
  const settings = {
    ...({ transport: 'http', dialect: 'modern', tools: TOOLS, progress: false } as const),
    generated,
    strangers,
    ...(redis && { redis: redis.url }),
  };
  const measured: { subject: Subject; row: SubjectRow }[] = [];
  try {
    for (const entry of entries) {
      const subject = await Subject.start(entry, settings, { ...place, node: node.path });
      measured.push({
        subject,
        row: { name: entry.name, base: entries[0]!.name, node: node.version, figures: [] },
      });
    }
    for (let round = -WARM_UPS; round < rounds; round++)
      for (const { subject, row } of inTurn(measured, round + WARM_UPS)) {
        const figures = await subject.run();
        if (round >= 0) row.figures.push(figures);
      }
    return measured.map(({ row }) => row);
  } finally {
    await Promise.all(measured.map(({ subject }) => subject.stop()));
    redis?.stop();
  }
}

/**
 * Each begins a round in its turn, and every other round goes backwards. Nobody is always at an end: who is last in a round
 * and first in the next one works for longer without a pause, and costs less for it.
 */
function inTurn<T>(list: readonly T[], round: number): readonly T[] {
  const first = (round >> 1) % list.length;
  const turned = [...list.slice(first), ...list.slice(0, first)];
  return round % 2 ? turned.toReversed() : turned;
}

void main();
