import {
  form,
  accept,
  subject,
  addTask,
  asked,
  begin,
  begun,
  get,
  update,
  cancel,
  until,
  ended,
  waiting,
  acknowledged,
  useTaskService,
} from './support/task-service.js';

useTaskService();

describe('questions', () => {
  test('are part of the task and are answered one by one, and other answers are ignored', async () => {
    addTask('pair', () => async (_args, context) => {
      const both = await Promise.all([asked('first')(context), asked('second')(context)]);
      return both.map(({ content }) => content?.name).join(' ');
    });
    const taskId = await begun('pair');
    const { inputRequests } = await until(
      taskId,
      (task) => Object.keys(task.inputRequests ?? {}).length === 2,
    );
    expect(inputRequests.first).toEqual({
      method: 'elicitation/create',
      params: { message: 'first?', requestedSchema: form },
    });
    expect((await update(taskId, { first: accept('Ada'), other: accept('Eve') })).json).toEqual(acknowledged);
    const partly = await get(taskId);
    expect([partly.status, Object.keys(partly.inputRequests)]).toEqual(['input_required', ['second']]);
    await update(taskId, { first: accept('Eve'), second: accept('Bob') });
    const task = await ended(taskId);
    expect(task.result.content[0].text).toBe('Ada Bob');
    expect(task).not.toHaveProperty('inputRequests');
  });

  test('are asked again under a new key if the answer is invalid, and the method runs once', async () => {
    addTask('ask_once', ({ acts }) => async (_args, context) => {
      acts.push('run');
      const first = await asked('who')(context);
      const again = await asked('who')(context);
      return `${first.content?.name} ${again.content?.name}`;
    });
    const taskId = await begun('ask_once');
    await waiting(taskId);
    await update(taskId, { who: accept(5) });
    const { inputRequests } = await waiting(taskId);
    expect(Object.keys(inputRequests)).toEqual(['who~2']);
    await update(taskId, { who: accept('Eve'), 'who~2': accept('Ada') });
    expect((await ended(taskId)).result.content[0].text).toBe('Ada Ada');
    expect(subject.fixture.acts).toEqual(['run']);
  });

  test('end with the task', async () => {
    addTask('asks', () => async (_args, context) => (await asked('who')(context)).action);
    const taskId = await begun('asks');
    await waiting(taskId);
    await cancel(taskId);
    expect(await get(taskId)).not.toHaveProperty('inputRequests');
  });

  test('come before the task if the method starts it', async () => {
    addTask(
      'later',
      () => async (_args, context) => {
        const { content } = await asked('who')(context);
        await context.startTask();
        const { action } = await asked('sure')(context);
        return `${content?.name}: ${action}`;
      },
      { task: { mode: 'required', start: 'explicit' } },
    );
    const { json: first } = await begin('later');
    expect(first.result).toMatchObject({ resultType: 'input_required', inputRequests: { who: {} } });
    expect(first.result).not.toHaveProperty('taskId');
    const { requestState } = first.result;
    const { json: second } = await begin(
      'later',
      {},
      { requestState, inputResponses: { who: accept('Ada') } },
    );
    expect(second.result).toMatchObject({ resultType: 'task' });
    expect(second.result).not.toHaveProperty('requestState');
    const { taskId } = second.result;
    expect(Object.keys((await waiting(taskId)).inputRequests)).toEqual(['sure']);
    await update(taskId, { sure: { action: 'decline' } });
    expect((await ended(taskId)).result.content[0].text).toBe('Ada: decline');
    // A state is good for one task.
    const { json: replayed } = await begin(
      'later',
      {},
      { requestState, inputResponses: { who: accept('Ada') } },
    );
    expect(replayed.error.code).toBe(-32602);
  });

  test('of an open round are not skipped when the method starts its task', async () => {
    addTask(
      'hasty',
      ({ acts }) =>
        async (_args, context) => {
          await asked('who')(context).catch(() => undefined);
          await context.startTask();
          acts.push('run');
        },
      { task: { mode: 'required', start: 'explicit' } },
    );
    expect((await begin('hasty')).json.result).toMatchObject({ resultType: 'input_required' });
    expect(subject.fixture.acts).toEqual([]);
  });

  test.each([null, 5, [], undefined])('inputResponses %j are refused', async (inputResponses) => {
    const taskId = await begun('work', { gate: 'a' });
    expect((await update(taskId, inputResponses)).json.error.code).toBe(-32602);
  });
});
