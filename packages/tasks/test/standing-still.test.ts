import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { TaskQueue } from '@toolwright/queue';
import { until } from '../../../.ci/test/support/until.js';
import { describePostgres } from '../../postgres/test/support/describe-postgres.js';
import { describeTasks } from './support/describe-tasks.js';
import { TestQueue } from './support/test-queue.js';

/** Longer than `lostAfter` and the pause until somebody looks for lost runs: 10 and 5 seconds. */
const BLOCKED_MS = 20_000;

/** A process that works on tasks. */
class WorkingProcess {
  readonly lines: string[] = [];
  readonly child: ChildProcess;

  constructor(...args: string[]) {
    this.child = spawn(process.execPath, [join(__dirname, 'fixtures/work.cjs'), ...args], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.child.stdout!.on('data', (text: Buffer) => this.lines.push(...String(text).trim().split('\n')));
  }

  async wrote(start: string): Promise<void> {
    await until(() => this.lines.some((line) => line.startsWith(start)));
  }
}

describeTasks('a process that stands still', () => {
  describePostgres('on Postgres', (postgres) => {
    const working: WorkingProcess[] = [];
    let test: TestQueue;
    let queue: TaskQueue;
    const start = async (...args: string[]) => {
      const started = new WorkingProcess(postgres.server.url, test.schema, ...args);
      working.push(started);
      await started.wrote('ready');
      return started;
    };
    beforeEach(async () => {
      test = new TestQueue({ options: { url: postgres.server.url }, sql: postgres.sql });
      queue = await test.open();
      await queue.enqueue(
        { id: 'a', owner: 'ann', ttlMs: 600_000, pollIntervalMs: 100, tool: 'work' },
        'job',
      );
    });
    afterEach(async () => {
      for (const { child } of working.splice(0)) child.kill('SIGKILL');
      await test.close();
    });
    const ending = async () => {
      for (;;) {
        const record = await queue.get('a');
        if (record?.ending) return record.ending;
        await delay(20);
      }
    };

    it.each([
      ['an address', []],
      ['a pool of the application', ['lent']],
    ])('keeps its run while only its event loop is blocked, with %s', async (_, lent) => {
      const first = await start(String(BLOCKED_MS), ...lent);
      await first.wrote('began');
      const second = await start('0');
      expect(await ending()).toMatchObject({ result: { content: [{ text: 'blocked' }] } });
      await first.wrote('over');
      expect([first.lines, second.lines]).toEqual([['ready', 'began', 'over'], ['ready']]);
    });

    it('loses its run when the whole process is stopped, says so, and changes nothing any more', async () => {
      const first = await start('0');
      await first.wrote('began');
      first.child.kill('SIGSTOP');
      const second = await start('0');
      await second.wrote('began');
      second.child.stdin!.write('second\n');
      const stored = await ending();
      first.child.kill('SIGCONT');
      await first.wrote('warn This process could not say for too long that it is at work on a task');
      first.child.stdin!.write('first\n');
      await first.wrote('over');
      expect(stored).toMatchObject({ result: { content: [{ text: 'second' }] } });
      expect(await ending()).toEqual(stored);
    });
  });
});
