import { ProtocolError, ToolError } from '@toolwright/core';
import type { ToolDefinition } from '@toolwright/core/operate';
import { asked } from '../support/protocol-fixture.js';
import { queueFleet, stopQueueFleet, type QueueFleet } from '../support/queue-fleet.js';

/**
 * The same tools run in the process and on a queue. What a client sees of a task must not differ, whatever the
 * method does.
 */
let fleet: QueueFleet;
afterEach(stopQueueFleet);

/** Answers each open question with the next answer, until the task has ended. */
async function follow(taskId: string, answers: unknown[]): Promise<object> {
  for (;;) {
    const task = await fleet.get(taskId);
    if (task.status !== 'input_required' && task.status !== 'working') return heard(task);
    const keys = Object.keys(task.inputRequests ?? {});
    expect(keys).not.toEqual([]);
    await fleet.update(taskId, Object.fromEntries(keys.map((key) => [key, answers.shift()])));
  }
}

/** References differ from call to call. */
const heard = ({ status, statusMessage, result, error }: Record<string, unknown>) =>
  JSON.parse(JSON.stringify({ status, statusMessage, result, error }).replace(/ref \w+/g, 'ref')) as object;

const accept = (name: unknown) => ({ action: 'accept', content: { name } });
const explicit = { mode: 'required', start: 'explicit' } as const;

interface Case {
  readonly tool: Omit<ToolDefinition, 'name'>;
  readonly answers?: unknown[];
}

const cases: Record<string, Case> = {
  'a text': { tool: { handler: () => 'done' } },
  'structured content': {
    tool: {
      outputSchema: { type: 'object', properties: { n: { type: 'number' } } },
      handler: () => ({ n: 1 }),
    },
  },
  nothing: { tool: { handler: () => undefined } },
  'an error for the model': { tool: { handler: () => Promise.reject(new ToolError('No.')) } },
  'an error of the protocol': {
    tool: { handler: () => Promise.reject(new ProtocolError(-32603, 'Broken.', { part: 1 })) },
  },
  'an error that is not meant for the caller': {
    tool: { handler: () => Promise.reject(new Error('password')) },
  },
  'a result that does not fit': {
    tool: {
      outputSchema: { type: 'object', properties: { n: { type: 'number' } } },
      handler: () => ({ n: 'x' }),
    },
  },
  'progress, then a result': {
    tool: {
      handler: (_args, context) => {
        context.progress(1, 2, 'half way');
        return 'done';
      },
    },
  },
  'a question': {
    tool: { handler: async (_args, ctx) => `Hello, ${(await asked('who')(ctx)).content?.name}!` },
    answers: [accept('Ada')],
  },
  'a question that is declined': {
    tool: { handler: async (_args, ctx) => (await asked('who')(ctx)).action },
    answers: [{ action: 'decline' }],
  },
  'an answer that does not fit, then one that does': {
    tool: { handler: async (_args, ctx) => (await asked('who')(ctx)).content?.name },
    answers: [accept(5), { nonsense: true }, accept('Ada')],
  },
  'the same question twice': {
    tool: {
      handler: async (_args, ctx) =>
        `${(await asked('who')(ctx)).content?.name} ${(await asked('who')(ctx)).content?.name}`,
    },
    answers: [accept('Ada')],
  },
  'questions in a row, with steps between them': {
    tool: {
      async handler(_args, context) {
        const one = await asked('one')(context);
        const n = await context.once('count', () => fleet.acts.push('count'));
        const two = await asked('two')(context);
        const m = await context.once('count', () => fleet.acts.push('count'));
        return `${one.content?.name} ${n} ${two.content?.name} ${m}`;
      },
    },
    answers: [accept('Ada'), accept('Bob')],
  },
  'a step that fails and is tried again': {
    tool: {
      async handler(_args, context) {
        const step = () =>
          context.once('step', ({ attempted }) => {
            if (fleet.acts.push('try') === 1) throw new Error('first');
            return attempted;
          });
        return String(await step().catch(step));
      },
    },
  },
  'a client that cannot be asked for that': {
    tool: { handler: async (_args, ctx) => JSON.stringify(await ctx.roots()) },
  },
  'a method that starts its task': {
    tool: {
      task: explicit,
      async handler(_args, context) {
        const made = await context.once('make', () => fleet.acts.push('make'));
        await context.startTask();
        return `${made} ${(await asked('who')(context)).content?.name}`;
      },
    },
    answers: [accept('Ada')],
  },
  'an error with data for the client': {
    tool: {
      handler: () => {
        throw new ToolError('Too late.', { meta: { retryAfterMs: 5 } });
      },
    },
  },
  'a signal and a principal': {
    tool: {
      handler: (_args, { signal, principal, client }) =>
        JSON.stringify([signal.aborted, principal, Object.keys(client.capabilities).sort()]),
    },
  },
};

test.each(Object.entries(cases))('%s: a client sees the same', async (_what, { tool, answers = [] }) => {
  const seen: unknown[] = [];
  for (const isQueued of [false, true]) {
    fleet = queueFleet();
    const tools = [{ name: 'work', ...tool }];
    if (isQueued) await fleet.serve(tools);
    else fleet.web = await fleet.startInProcess(tools);
    const ended = await follow(await fleet.begin('work'), [...answers]);
    seen.push({ ...ended, acts: fleet.acts });
    await stopQueueFleet();
  }
  expect(seen[1]).toEqual(seen[0]);
});
