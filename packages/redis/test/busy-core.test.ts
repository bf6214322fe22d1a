import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describeWithRedis } from './support/redis-server.js';

const POINTS = 20;
const ROUNDS = 5;

/** One core, where the system can say so. Elsewhere there are enough busy processes for all of them. */
const hasTaskset = spawnSync('taskset', ['--version']).error === undefined;
const onOneCore = (program: string[]) => (hasTaskset ? ['taskset', '-c', '0', ...program] : program);

function start(args: string[]): ChildProcess {
  const [program, ...rest] = onOneCore([process.execPath, ...args]) as [string, ...string[]];
  return spawn(program, rest, { stdio: ['pipe', 'pipe', 'inherit'] });
}

describeWithRedis('three processes on one busy core, with a healthy Redis', (redis) => {
  const children: ChildProcess[] = [];
  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL');
  });

  it('let exactly as many calls through as the limit says, round after round', async () => {
    const fixture = join(__dirname, 'fixtures/limited-calls.cjs');
    const servers = [1, 2, 3].map(() => start([fixture, redis.url, String(POINTS), String(POINTS)]));
    const busy = [1, 2, 3].map(() => start(['-e', 'for (;;);']));
    children.push(...servers, ...busy);
    const lines = servers.map(({ stdout }) => createInterface(stdout!)[Symbol.asyncIterator]());
    await Promise.all(lines.map((each) => each.next()));
    const passed: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      for (const { stdin } of servers) stdin!.write(`round_${round}\n`);
      const answers = await Promise.all(lines.map((each) => each.next()));
      passed.push(answers.reduce((sum, { value }) => sum + Number(String(value).split(' ')[1]), 0));
    }
    for (const { stdin } of servers) stdin!.end();
    await Promise.all(servers.map((server) => once(server, 'exit')));
    expect(passed).toEqual(Array(ROUNDS).fill(POINTS));
  }, 120_000);
});
