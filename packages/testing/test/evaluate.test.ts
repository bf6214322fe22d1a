import { createMcpServer, type McpServer } from '@toolwright/core';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../../.ci/test/support/temporary-folder.js';
import {
  connect,
  evaluate,
  type EvaluatedModel,
  type EvaluateOptions,
  type EvaluationCase,
  type ModelAnswer,
  type ModelRequest,
  junitOf,
} from '../src/index.js';

let folder: string;
let recordings: string;
let server: McpServer;
const environment = { ...process.env };

beforeEach(async () => {
  folder = temporaryFolder();
  writeFileSync(join(folder, 'package.json'), '{}');
  recordings = join(folder, 'test', 'things.recordings.json');
  server = await createMcpServer({
    name: 'things',
    version: '1',
    services: [],
    audit: false,
    instructions: 'Be exact.',
  });
  addTools(0, 10);
  delete process.env['CI'];
  delete process.env['TOOLWRIGHT_EVALUATE'];
});

afterEach(async () => {
  process.env = { ...environment };
  await server.close();
});

function addTool(name: string, description: string): void {
  const inputSchema = {
    type: 'object' as const,
    properties: { n: { type: 'integer', minimum: 0 }, label: { type: 'string' } },
  };
  server.tools.add({ name, description, inputSchema, handler: () => 'done' });
}

function addTools(from: number, to: number): void {
  for (let number = from; number < to; number++) addTool(`tool_${number}`, `Does thing ${number}.`);
}

function edit(name: string): void {
  server.tools.remove(name);
  addTool(name, 'Does it in other words.');
}

/** A model that calls the tool which its request names, and notes what it was asked. */
class Scripted implements EvaluatedModel {
  readonly name = 'scripted';
  readonly asked: ModelRequest[] = [];
  constructor(private readonly say?: (text: string, request: ModelRequest) => ModelAnswer) {}

  generate(request: ModelRequest): ModelAnswer {
    this.asked.push(request);
    const last = request.messages.at(-1)!;
    const text = last.text ?? '';
    const usage = { inputTokens: 1_000, outputTokens: 20, cachedInputTokens: 600 };
    if (this.say) return this.say(text, request);
    return { calls: [{ tool: text, arguments: { n: 1 } }], text: 'I do it.', usage };
  }

  get requests(): (string | undefined)[] {
    return this.asked.map(({ messages }) => messages.at(-1)?.text);
  }
}

const tableOf = (length: number): EvaluationCase[] =>
  Array.from({ length }, (_, number) => ({
    request: `tool_${number}`,
    expect: { tool: `tool_${number}`, arguments: { n: 1 } },
  }));
const table = tableOf(10);

const run = (options: Partial<EvaluateOptions> = {}) =>
  evaluate(server, { recordings, cases: table, command: 'the command', ...options });
/** One case, answered by one call or by none. */
const judge = async (expect: EvaluationCase['expect'], ...calls: ModelAnswer['calls']) => {
  const model = new Scripted(() => ({ calls }));
  const report = await run({ model, mode: 'all', cases: [{ request: 'Do it.', expect }] });
  return report.cases[0]!;
};

test('a model is asked once, and its answers are replayed after that, in CI and elsewhere', async () => {
  const model = new Scripted();
  const first = await run({ model });
  expect(first.failures).toEqual([]);
  expect(model.asked).toHaveLength(10);
  expect(model.asked[0]).toMatchObject({ system: 'Be exact.', messages: [{ role: 'user', text: 'tool_0' }] });
  expect(model.asked[0]!.tools).toHaveLength(10);
  const written = readFileSync(recordings, 'utf8');

  expect(await run({ model })).toMatchObject({ passRate: 1, failures: [] });
  process.env['CI'] = 'true';
  const replayed = await run();
  expect(replayed).toMatchObject({ passRate: 1, model: 'scripted' });
  expect(replayed.cases.every(({ source, change }) => source === 'replayed' && change === 'same')).toBe(true);
  expect(model.asked).toHaveLength(10);
  expect(readFileSync(recordings, 'utf8')).toBe(written);
});

test('after an edit of 1 of 100 tools only its cases are asked again', async () => {
  addTools(10, 100);
  const cases = [
    ...tableOf(100),
    { name: 'by a list', request: 'tool_7', expect: 'tool_7', tools: ['tool_42'] },
    { name: 'by an answer', request: 'tool_42', expect: ['tool_8'] },
  ];
  const model = new Scripted();
  await run({ model, cases });
  edit('tool_42');
  const again = new Scripted();
  const report = await run({ model: again, cases });
  expect(again.requests.sort()).toEqual(['tool_42', 'tool_42', 'tool_7']);
  expect(
    report.cases.filter(({ source }) => source === 'asked').map(({ name, reason }) => [name, reason]),
  ).toEqual([
    ['tool_42', 'the text of tool_42 has changed'],
    ['by a list', 'the text of tool_42 has changed'],
    ['by an answer', 'the text of tool_42 has changed'],
  ]);
  expect(report.ofAnotherList).toBe(99);
  process.env['TOOLWRIGHT_EVALUATE'] = 'all';
  expect((await run({ model: again, cases })).ofAnotherList).toBe(0);
  expect(again.asked).toHaveLength(3 + 102);
});

test('in CI a recording that is missing or of another text fails its case, and names the command', async () => {
  await run({ model: new Scripted() });
  edit('tool_3');
  process.env['CI'] = '1';
  const model = new Scripted();
  const cases = [...table, { request: 'one more', expect: [] }];
  const report = await run({ model, cases });
  expect(model.asked).toEqual([]);
  expect(report.failures).toEqual([
    'tool_3: No answer is recorded that counts: the text of tool_3 has changed. To record it: the command',
    'one more: No answer is recorded that counts: there is no recording. To record it: the command',
  ]);
  expect(report.cases[3]).toMatchObject({
    source: 'missing',
    passed: false,
    problems: [{ kind: 'recording' }],
  });
  const junit = junitOf(report);
  expect(junit).toContain(`tests="${cases.length}" failures="2"`);
  expect(junit).toMatch(
    /<testcase name="one more" classname="[^"]+ \([^"]+\)" time="0">\s*<failure message="No answer/,
  );
});

test('the command is that of the test runner, and this file', async () => {
  process.env['CI'] = '1';
  const { failures } = await run({ cases: [{ request: 'a', expect: [] }], command: undefined });
  expect(failures[0]).toMatch(
    /To record it: TOOLWRIGHT_EVALUATE=record npx jest .*test\/evaluate\.test\.ts$/,
  );
});

test('the environment wins over CI and over the code', async () => {
  process.env['CI'] = '1';
  process.env['TOOLWRIGHT_EVALUATE'] = 'record';
  const model = new Scripted();
  expect((await run({ model, mode: 'replay' })).failures).toEqual([]);
  process.env['TOOLWRIGHT_EVALUATE'] = 'recrod';
  await expect(run({ model })).rejects.toThrow(
    'TOOLWRIGHT_EVALUATE is "recrod". Set it to record, replay or all.',
  );
});

test('a run without a model replays, and says what it lacks', async () => {
  const cases = [...table.slice(0, 2)];
  await run({ model: new Scripted(), cases: cases.slice(0, 1) });
  const report = await run({ cases });
  expect(report.cases.map(({ source }) => source)).toEqual(['replayed', 'missing']);
  expect(report.failures).toEqual([
    'tool_1: No answer is recorded that counts: there is no recording. This run has no model. To record it: the command',
  ]);
});

test('another request, system text, model or number of answers is asked again', async () => {
  const cases = table.slice(0, 1);
  const asked = async (options: Partial<EvaluateOptions>) => {
    const model = new Scripted();
    const { cases: reports } = await run({
      cases,
      ...options,
      model: { name: 'scripted', ...options.model, generate: (request) => model.generate(request) },
    });
    return [model.asked.length, reports[0]!.reason];
  };
  expect(await asked({})).toEqual([1, 'there is no recording']);
  expect(await asked({})).toEqual([0, undefined]);
  expect(await asked({ system: 'Other.' })).toEqual([1, 'the request or the system text has changed']);
  const generate = () => ({ calls: [] });
  expect(await asked({ system: 'Other.', model: { name: 'newer', generate } })).toEqual([
    1,
    'it was recorded with scripted',
  ]);
  expect(await asked({ system: 'Other.', model: { name: 'newer', generate }, answers: 3 })).toEqual([
    3,
    '1 of 3 answers are recorded',
  ]);
});

test('all of several answers must be right', async () => {
  let turn = 0;
  const model = new Scripted(() => ({
    calls: [{ tool: `tool_${turn++ % 3 === 1 ? 9 : 0}`, arguments: {} }],
  }));
  const { cases } = await run({ model, answers: 3, cases: [{ request: 'Do it.', expect: 'tool_0' }] });
  expect(cases[0]).toMatchObject({ passed: false, right: 2, answers: 3, calls: [{ tool: 'tool_9' }] });
});

describe('an answer', () => {
  const call = (tool: string, given: Record<string, unknown> = {}) => ({ tool, arguments: given });
  const messages = ({ problems }: { problems: readonly { kind: string; message: string }[] }) =>
    problems.map(({ kind, message }) => `${kind}: ${message}`);

  test('with the expected calls passes, in any order', async () => {
    const expected = [{ tool: ['tool_1', 'tool_2'] }, 'tool_1'];
    expect(await judge(expected, call('tool_1'), call('tool_2'))).toMatchObject({ passed: true });
    expect(await judge([])).toMatchObject({ passed: true });
  });

  test('with another tool, none, or one too many fails', async () => {
    expect(messages(await judge('tool_1', call('tool_2')))).toEqual([
      'tool: tool_1 was expected; called: tool_2.',
    ]);
    expect(messages(await judge('tool_1'))).toEqual(['tool: tool_1 was expected; called: nothing.']);
    expect(messages(await judge('tool_1', call('tool_1'), call('tool_2')))).toEqual([
      'tool: No further call was expected; called: tool_2.',
    ]);
    expect(messages(await judge([], call('tool_2')))).toEqual([
      'tool: No further call was expected; called: tool_2.',
    ]);
  });

  test('is compared by values, patterns, functions and matchers', async () => {
    const wanted = {
      n: (value: unknown) => Number(value) > 3,
      label: /^Ann/gi,
      list: [{ id: 1 }],
      text: expect.stringContaining('b') as unknown,
    };
    const given = { n: 4, label: 'ann', list: [{ id: 1, more: true }], text: 'abc' };
    expect(await judge({ tool: 'tool_1', arguments: wanted }, call('tool_1', given))).toMatchObject({
      passed: true,
    });
    const others = { n: 3, label: 'Bob', list: [], text: 'c' };
    expect(messages(await judge({ tool: 'tool_1', arguments: wanted }, call('tool_1', others)))[0]).toMatch(
      /^arguments: tool_1: n is 3, .*; label is 'Bob', expected \/\^Ann\/gi; list is \[\], .*; text is 'c'/,
    );
    const exact = { tool: 'tool_1', arguments: { n: 1 }, exact: true };
    expect(messages(await judge(exact, call('tool_1', { n: 1, label: 'x' })))).toEqual([
      "arguments: tool_1: label is not expected, and is 'x'.",
    ]);
  });

  test('that the server would refuse fails, also where the table names no argument', async () => {
    expect(messages(await judge('tool_1', call('tool_1', { n: -1 })))).toEqual([
      'schema: The server would refuse tool_1({"n":-1}): arguments/n: expected a number, at least 0, received the number -1.',
    ]);
  });
});

test('a model that fails costs its case, and no recording is lost', async () => {
  const cases = table.slice(0, 2);
  await run({ model: new Scripted(), cases });
  const before = readFileSync(recordings, 'utf8');
  const model: EvaluatedModel = {
    name: 'scripted',
    generate({ messages: [first] }) {
      if ((first as { text: string }).text === 'tool_0') throw new Error('429: too many requests');
      return { calls: 'none' } as never;
    },
  };
  expect((await run({ model, cases, mode: 'all' })).failures).toEqual([
    'tool_0: The model gave no answer: 429: too many requests',
    'tool_1: The model gave no answer: "generate" must return { calls: [...] }.',
  ]);
  expect(readFileSync(recordings, 'utf8')).toBe(before);
});

test('the report compares with the last run, and counts tokens and cost', async () => {
  const prices = { input: 2, cachedInput: 0.2, output: 10 };
  const cases = table.slice(0, 2);
  await run({ model: new Scripted(), cases, prices });
  const usage = { inputTokens: 2_000, outputTokens: 10 };
  const wrong = new Scripted(() => ({ calls: [{ tool: 'tool_5', arguments: {} }], usage }));
  edit('tool_0');
  const report = await run({ model: wrong, cases, prices });
  expect(report.cases[0]).toMatchObject({
    change: 'broken',
    source: 'asked',
    calls: [{ tool: 'tool_5' }],
    callsBefore: [{ tool: 'tool_0', arguments: { n: 1 } }],
    tokensBefore: 1_020,
    cost: 0.0041,
  });
  expect(report.usage).toEqual({ inputTokens: 3_000, outputTokens: 30, cachedInputTokens: 600 });
  expect(report.spent).toEqual({
    usage: { inputTokens: 2_000, outputTokens: 10, cachedInputTokens: 0 },
    cost: 0.0041,
  });
  expect(report.cost).toBeCloseTo(0.0041 + (400 * 2 + 600 * 0.2 + 20 * 10) / 1e6, 10);
  expect(report.tools).toEqual([
    { name: 'tool_0', expected: 1, called: 0, instead: { tool_5: 1 } },
    { name: 'tool_1', expected: 1, called: 1, instead: {} },
  ]);
  edit('tool_1');
  expect(
    (await run({ model: new Scripted(), cases, mode: 'all' })).cases.map(({ change }) => change),
  ).toEqual(['repaired', 'same']);
});

test('a conversation is a request, and a client sees the tools of its caller', async () => {
  const client = await connect(server);
  const model = new Scripted();
  const messages = [
    { role: 'user', text: 'Do it.' },
    { role: 'assistant', calls: [{ id: '1', tool: 'tool_1', arguments: {} }] },
    { role: 'tool', id: '1', tool: 'tool_1', text: 'done' },
    { role: 'user', text: 'tool_2' },
  ] as const;
  const cases = [{ request: messages, expect: 'tool_2' }];
  const report = await evaluate(client, { model, recordings, cases });
  expect(report).toMatchObject({ failures: [], cases: [{ name: 'tool_2' }] });
  expect(model.asked[0]!.messages).toEqual(messages);
});

test('recordings of cases that are gone go, and a report is kept for the console', async () => {
  await run({ model: new Scripted(), cases: table.slice(0, 3) });
  await run({ cases: table.slice(1, 2) });
  const file = JSON.parse(readFileSync(recordings, 'utf8')) as { cases: object };
  expect(Object.keys(file.cases)).toEqual(['tool_1']);
  const report = join(folder, '.toolwright/evaluations/things.json');
  expect(JSON.parse(readFileSync(report, 'utf8'))).toMatchObject({ name: 'things', passRate: 1 });
  expect(readFileSync(join(folder, '.toolwright/.gitignore'), 'utf8')).toBe('*\n');
});

test('what is wrong with a table is said before a model is asked', async () => {
  const model = new Scripted();
  const twice = [table[0]!, table[0]!];
  await expect(run({ model, cases: twice })).rejects.toThrow('Two cases have the name "tool_0".');
  const misspelt = [{ request: 'a', expects: 'tool_1' }] as never;
  await expect(run({ model, cases: misspelt })).rejects.toThrow(/cases\[0\]/);
  writeFileSync(join(folder, 'other.json'), '{"format":2}');
  await expect(run({ model, recordings: join(folder, 'other.json') })).rejects.toThrow(
    /no file of recorded answers/,
  );
  expect(model.asked).toEqual([]);
  expect(existsSync(recordings)).toBe(false);
});
