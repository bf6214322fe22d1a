import { settled } from '../support/fake-clock.js';
import { accept, asked, form } from '../support/protocol-fixture.js';
import {
  begin,
  begun,
  cancel,
  EXTENSION,
  get,
  subject,
  task,
  update,
  useTasks,
} from '../support/task-fixture.js';
import { StatelessWire } from '../wire/stateless-wire.js';

useTasks();

/** The task, after everything in the background has gone as far as it can. */
const later = async (taskId: string) => (await settled(), get(taskId));

test('questions are part of the task and are answered one by one, and other answers are ignored', async () => {
  task('pair', async (_args, context) => {
    const both = await Promise.all([asked('first')(context), asked('second')(context)]);
    return both.map(({ content }) => content?.name).join(' ');
  });
  const taskId = await begun('pair');
  const { status, inputRequests } = await later(taskId);
  expect([status, Object.keys(inputRequests)]).toEqual(['input_required', ['first', 'second']]);
  expect(inputRequests.first).toEqual({
    method: 'elicitation/create',
    params: { message: 'first?', requestedSchema: form },
  });
  await update(taskId, { first: accept('Ada'), other: accept('Eve') });
  expect(Object.keys((await later(taskId)).inputRequests)).toEqual(['second']);
  await update(taskId, { first: accept('Eve'), second: accept('Bob') });
  const ended = await later(taskId);
  expect(ended.result.content[0].text).toBe('Ada Bob');
  expect(ended).not.toHaveProperty('inputRequests');
});

test('after an invalid answer the question is asked again under a new key, and the method runs once', async () => {
  task('ask_once', async (_args, context) => {
    subject.acts.push('run');
    const first = await asked('who')(context);
    const again = await asked('who')(context);
    return `${first.content?.name} ${again.content?.name}`;
  });
  const taskId = await begun('ask_once');
  await later(taskId);
  await update(taskId, { who: accept(5) });
  expect(Object.keys((await later(taskId)).inputRequests)).toEqual(['who~2']);
  await update(taskId, { who: accept('Eve'), 'who~2': accept('Ada') });
  expect((await later(taskId)).result.content[0].text).toBe('Ada Ada');
  expect(subject.acts).toEqual(['run']);
});

test('questions end with the task, and later ones are refused', async () => {
  const ends: string[] = [];
  task('asks', async (_args, context) => {
    const end = (error: Error) => void ends.push(error.message);
    await asked('who')(context).catch(end);
    await asked('more')(context).catch(end);
  });
  const taskId = await begun('asks');
  await later(taskId);
  await cancel(taskId);
  expect(await later(taskId)).not.toHaveProperty('inputRequests');
  expect(ends).toEqual(['The task was cancelled.', 'The task was cancelled.']);
});

test('if a client cannot be asked, the task says so', async () => {
  task('asks', async (_args, context) => (await asked('who')(context)).action);
  const mute = StatelessWire.of(subject.server, 'ada', { extensions: { [EXTENSION]: {} } });
  const { taskId } = (await mute.call('asks')).result;
  expect(await later(taskId)).toMatchObject({ status: 'failed', error: { code: -32021 } });
});

test('if the method starts its task, earlier questions are rounds and later ones belong to the task', async () => {
  task(
    'later',
    async (_args, context) => {
      const { content } = await asked('who')(context);
      await context.once('act', () => void subject.acts.push('act'));
      await context.startTask();
      await context.startTask();
      const { action } = await asked('sure')(context);
      return `${content?.name}: ${action}`;
    },
    { task: { mode: 'required', start: 'explicit' } },
  );
  const { result: first } = await begin('later');
  expect(first).toMatchObject({ resultType: 'input_required', inputRequests: { who: {} } });
  const round = { requestState: first.requestState, inputResponses: { who: accept('Ada') } };
  const { result: second } = await begin('later', {}, round);
  expect(second).toMatchObject({ resultType: 'task' });
  expect(Object.keys((await later(second.taskId)).inputRequests)).toEqual(['sure']);
  await update(second.taskId, { sure: { action: 'decline' } });
  expect((await later(second.taskId)).result.content[0].text).toBe('Ada: decline');
  // A state is valid for one task.
  expect((await begin('later', {}, round)).error?.code).toBe(-32602);
});

test('a method cannot start its task while a question is open', async () => {
  const started: string[] = [];
  task(
    'hasty',
    async (_args, context) => {
      await asked('who')(context).catch(() => undefined);
      await context.startTask();
      started.push('started');
    },
    { task: { mode: 'required', start: 'explicit' } },
  );
  expect((await begin('hasty')).result).toMatchObject({ resultType: 'input_required' });
  expect(started).toEqual([]);
});

test.each([null, 5, [], undefined])('inputResponses %j are refused', async (inputResponses) => {
  const taskId = await begun('work', { gate: 'a' });
  expect((await update(taskId, inputResponses)).error?.code).toBe(-32602);
});
