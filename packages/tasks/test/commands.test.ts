import { inspect } from 'node:util';
import { describePostgres } from '../../postgres/test/support/describe-postgres.js';
import { taskCommands } from '../src/index.js';
import { describeTasks, refusal } from './support/describe-tasks.js';
import { TestQueue } from './support/test-queue.js';

async function run(name: string, id: string, values: Record<string, string | boolean>) {
  const said = { out: '', err: '' };
  const console = {
    out: (text: string) => void (said.out += text),
    err: (text: string) => void (said.err += text),
  };
  const code = await taskCommands.find(({ words }) => words[0] === name)!.run(id, values, console);
  return { code, ...said };
}

it('the commands say what they need, and never the password', async () => {
  const { code, err } = await run('list', '', { url: 'postgres://tester:sesame@127.0.0.1:1/tasks' });
  expect(code).toBe(1);
  expect(err).toContain(refusal() === undefined ? 'Postgres' : 'needs Node.js 22.12');
  expect(inspect(err)).not.toContain('sesame');
});

describeTasks('the commands', () => {
  describePostgres('of operators', (postgres) => {
    it('list, show, cancel and begin again', async () => {
      const url = postgres.server.url;
      const test = new TestQueue({ options: { url }, sql: postgres.sql });
      const where = { url, schema: test.schema, by: 'olga' };
      try {
        const queue = await test.open();
        expect(await run('list', '', where)).toMatchObject({ code: 0, out: 'There are no such tasks.\n' });
        for (const id of ['a', 'b'])
          await queue.enqueue(
            { id, owner: 'ann', ttlMs: 60_000, pollIntervalMs: 1, tool: `tool ${id}` },
            'job',
          );
        expect((await run('list', '', where)).out).toMatch(
          /^b {2}working {2}tool b {2}run 0 .* ann\na {2}working/,
        );
        expect((await run('list', '', { ...where, tool: 'tool a' })).out).toMatch(/^a .*\n$/);
        expect(await run('cancel', 'a', where)).toMatchObject({ code: 0, out: 'The task a is cancelled.\n' });
        const again = await run('cancel', 'a', where);
        expect(again).toEqual({ code: 1, out: '', err: 'There is no task a, or it has ended.\n' });
        expect(JSON.parse((await run('show', 'a', where)).out)).toMatchObject({
          status: 'cancelled',
          tool: 'tool a',
        });
        expect(await run('show', 'c', where)).toMatchObject({ code: 1, err: 'There is no task c.\n' });
        expect(await run('retry', 'b', where)).toMatchObject({ code: 1 });
        const { out } = await run('retry', 'a', where);
        const [, next] = /^The work goes on as the task (\S+)\.\n$/.exec(out)!;
        expect(await queue.get(next!)).toMatchObject({ status: 'working', owner: 'ann' });
        expect((await queue.load()).waiting).toBe(2);
        const actions = JSON.parse((await run('actions', '', { ...where, json: true, limit: '2' })).out);
        expect(actions).toMatchObject([
          { by: 'olga', action: 'retry', taskId: 'a', newTaskId: next },
          { by: 'olga', action: 'cancel', taskId: 'a', owner: 'ann' },
        ]);
      } finally {
        await test.close();
      }
    });
  });
});
