import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { contestants } from '../src/contestants/catalogue.js';
import { runFolder } from '../src/folders.js';
import { generateOnce } from '../src/generate/generate.js';
import { autocannonLoad } from '../src/load/autocannon.js';
import { workloads } from '../src/workloads/catalogue.js';
import { coldStart } from '../src/workloads/cold-start.js';
import { httpLoad } from '../src/workloads/http-load.js';
import { measure } from '../src/workloads/measure.js';
import { callExam } from '../src/workloads/questions.js';
import { stdioLoad } from '../src/workloads/stdio-load.js';
import type { Measurement } from '../src/workloads/workload.js';

const run = {
  node: process.versions.node,
  place: { node: process.execPath, cores: { server: undefined } },
  load: autocannonLoad,
  warmUps: 0,
  rounds: 1,
  seconds: 1,
  sessions: 1,
  streams: 1,
  generated: generateOnce(),
  log: () => undefined,
};

const ours = contestants.filter(({ name }) => name === 'toolwright-http' || name === 'toolwright-fetch');
const problemsOf = (measurements: Measurement[]) =>
  measurements.filter(({ problem }) => problem).map(({ contestant, problem }) => `${contestant}: ${problem}`);

afterAll(() => rmSync(runFolder, { recursive: true, force: true }));

test('every contestant starts and answers its first call rightly', async () => {
  const measurements = await measure({ ...coldStart(10), warmUps: 0 }, contestants, run);
  expect(problemsOf(measurements)).toEqual([]);
  expect(measurements).toHaveLength(contestants.filter(({ joins }) => !joins).length);
});

test('load over sessions is answered without a failure, and counted', async () => {
  const workload = httpLoad({
    name: 'moment',
    title: 'A moment of load',
    exam: callExam(10),
    connections: 4,
    dialects: ['session'],
  });
  const [measurement] = await measure(workload, ours, run);
  expect(measurement).not.toHaveProperty('problem');
  expect(measurement!.samples[0]!.rate).toBeGreaterThan(0);
});

async function isAnswered(name: string): Promise<void> {
  const workload = workloads.find((one) => one.name === name)!;
  const [measurement] = await measure(workload, ours, run);
  expect(measurement).not.toHaveProperty('problem');
  expect(measurement!.samples[0]!.rate).toBeGreaterThan(0);
}

test.each([
  'call-object',
  'call-dto',
  'call-usual',
  'call-auth',
  'call-elicit',
  'call-task',
  'proxy',
  'fetch-handler',
  'listen-fanout',
])('the workload %s is answered rightly', isAnswered);

const hasRedis =
  process.env.REQUIRE_ALL === '1' || spawnSync('redis-server', ['--version']).error === undefined;

if (hasRedis) test('the workload call-redis is answered rightly', () => isAnswered('call-redis'));
else
  test('call-redis: not tried, Redis is not installed here (Debian: apt-get install redis-server)', () =>
    expect(hasRedis).toBe(false));

test('load over stdio is answered rightly', async () => {
  const [measurement] = await measure(stdioLoad, ours, run);
  expect(measurement).not.toHaveProperty('problem');
  expect(measurement!.samples[0]!.rate).toBeGreaterThan(0);
});

test('a contestant that answers wrongly is not ranked', async () => {
  const exam = { ...callExam(10), expected: { text: 'something else' } };
  const workload = httpLoad({ name: 'wrong', title: 'Wrong', exam, connections: 1, dialects: ['modern'] });
  const [measurement] = await measure(workload, ours, run);
  expect(measurement).toMatchObject({ samples: [], problem: expect.stringMatching(/wrong answer/) });
});
