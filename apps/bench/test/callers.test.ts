import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { sampleOf } from '../../../.ci/test/support/proof.js';
import { callersTable } from '../src/callers/callers-table.js';
import { kinds } from '../src/callers/held.js';
import { measureCallers } from '../src/callers/measure-callers.js';
import { contestants } from '../src/contestants/catalogue.js';
import { runFolder } from '../src/folders.js';
import { generateOnce } from '../src/generate/generate.js';
import { autocannonLoad } from '../src/load/autocannon.js';
import { largeTable } from '../src/many/large-table.js';
import { measureMemory } from '../src/memory/measure-memory.js';
import { memoryTable } from '../src/memory/memory-table.js';
import { peersTable } from '../src/peers/peers-table.js';
import { withTable } from '../src/report/files.js';
import type { Results } from '../src/report/results.js';
import { workersTable } from '../src/workers/workers-table.js';

const COUNT = 10;

const run = {
  server: 'toolwright-http',
  node: process.versions.node,
  place: { node: process.execPath, cores: { server: undefined } },
  load: autocannonLoad,
  warmUps: 0,
  rounds: 1,
  seconds: 1,
  generated: generateOnce(),
};

afterAll(() => rmSync(runFolder, { recursive: true, force: true }));

/** Each is measured by the same code. That of this one has the most parts. */
const measured = sampleOf(kinds, ({ name }) => name === 'subscriptions');

test.each(measured.map((kind) => [kind.name, kind] as const))(
  'a server that holds %s is measured beside one that holds nothing',
  async (name, kind) => {
    const { holding, empty, changes, ...row } = await measureCallers(kind, COUNT, run);
    expect(row).toMatchObject({ kind: name, count: COUNT });
    for (const rounds of [holding, empty, ...(changes ? [changes] : [])]) {
      expect(rounds).toHaveLength(run.rounds);
      for (const { cpu, p99 } of rounds) expect(Math.min(cpu, p99)).toBeGreaterThan(0);
    }
    expect(changes === undefined).toBe(name !== 'subscriptions');
  },
);

test('the memory of a server is read idle, for each call in flight, under load and with little of it', async () => {
  const contestant = contestants.find(({ name }) => name === 'toolwright-http')!;
  const generated = run.generated(10);
  const row = await measureMemory(contestant, run.node, { ...run, minutes: 0, generated });
  expect(row.idle[0]!.heap).toBeGreaterThan(1_000_000);
  expect(row.idle[0]!.rss).toBeGreaterThan(row.idle[0]!.heap);
  expect(row.inFlight![0]).toBeGreaterThan(1_000);
  expect(row.load).toHaveLength(1);
  expect(row.calls).toBeGreaterThan(0);
});

/** What has not been published yet has no figures that could be wrong. */
test('docs/performance.md has the tables of all figures of these runs that are published', () => {
  const read = (file: string) => readFileSync(join(__dirname, '../../../docs', file), 'utf8');
  const { callers, workers, peers, large, memory } = JSON.parse(read('benchmarks.json')) as Results;
  const page = read('performance.md');
  expect(withTable(page, 'callers', callersTable(callers!))).toBe(page);
  if (workers) expect(withTable(page, 'workers', workersTable(workers))).toBe(page);
  if (peers) expect(withTable(page, 'peers', peersTable(peers))).toBe(page);
  if (large) expect(withTable(page, 'large', largeTable(large))).toBe(page);
  if (memory) expect(withTable(page, 'memory', memoryTable(memory))).toBe(page);
});

test('a table replaces the one before it, and nothing else', () => {
  const page = 'before\n<!-- some -->\n\nold\n\n<!-- /some -->\nafter\n';
  expect(withTable(page, 'some', 'new')).toBe('before\n<!-- some -->\n\nnew\n\n<!-- /some -->\nafter\n');
  expect(() => withTable(page, 'other', 'new')).toThrow('the document has no place for the table of other');
});
