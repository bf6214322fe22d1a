import { ToolError } from '@toolwright/ground/base/errors/errors';
import type { StandardResult, StandardSchema, MaybePromise } from '@toolwright/json';
import { Timeout } from './timeout.js';
import { PipelineFixture, textOf, type ToolOptions } from '../../test/support/pipeline-fixture.js';

type Validate = (value: unknown) => MaybePromise<StandardResult<unknown>>;

const schemaOf = (validate: Validate): StandardSchema => ({
  '~standard': { version: 1, vendor: 'test', validate },
});

/** The text of a call whose arguments go through a schema. */
async function answer(validate: Validate, args: object = { name: 'x' }, options: ToolOptions = {}) {
  const fixture = new PipelineFixture();
  const standard = [{ name: '', schema: schemaOf(validate), takesNothing: false }];
  const tool = fixture.tool((given: unknown) => JSON.stringify(given), { target: { standard }, ...options });
  const result = await fixture.call(tool, { ...args });
  return { text: textOf(result), isError: result.isError, log: fixture.logger.lines };
}

const refuse =
  (...issues: { message: string; path?: readonly (PropertyKey | { key: PropertyKey })[] }[]): Validate =>
  () => ({ issues });

describe('issues become problems', () => {
  it('with the place that their path names, in every form that the standard allows', async () => {
    const { text, isError } = await answer(
      refuse(
        { message: 'one', path: ['list', 0, { key: 'name' }] },
        { message: 'two', path: [Symbol('place')] },
        { message: 'three' },
        { message: 'four', path: ['__proto__', 'polluted'] },
      ),
      { list: [{ name: 'x' }] },
    );
    expect(isError).toBe(true);
    expect(text.split('\n')).toEqual([
      'Invalid arguments for work:',
      '- list[0].name: one, received the string "x"',
      '- Symbol(place): two',
      '- arguments: three',
      '- __proto__.polluted: four',
    ]);
  });

  it('of limited length, however many and however long they are', async () => {
    const many = Array.from({ length: 100_000 }, (_, index) => ({ message: `no ${index}`, path: [index] }));
    expect((await answer(refuse(...many.slice(0, 50_000)))).text.split('\n')).toHaveLength(22);
    const long = await answer(refuse({ message: 'm'.repeat(1_000_000), path: Array(10_000).fill('deep') }));
    expect(long.text.length).toBeLessThan(1_000);
    expect(long.text).toContain('mmm');
  });

  it('without hidden characters', async () => {
    expect((await answer(refuse({ message: 'a\u{e0041}b' }))).text).toContain('\\u{e0041}');
  });
});

describe('a schema that fails', () => {
  it('on an unexpected value refuses the value, and only the log says why', async () => {
    const { text, log } = await answer(() => {
      throw new TypeError('secret-canary');
    });
    expect(text).toBe('Invalid arguments for work:\n- arguments: expected a value that can be read');
    expect(log).toContainEqual(
      expect.objectContaining({ level: 'debug', message: 'A schema failed on an argument' }),
    );
  });

  it('for another reason is an internal error without its text', async () => {
    for (const fail of [
      () => Promise.reject(new Error('secret-canary')),
      () => {
        throw new Error('secret-canary');
      },
    ]) {
      const { text, isError } = await answer(fail);
      expect(isError).toBe(true);
      expect(text).not.toContain('secret-canary');
      expect(text).toContain('ref0123456');
    }
  });

  it('with a ToolError tells the caller its text', async () => {
    const { text } = await answer(() => {
      throw new ToolError('Ask Ada for a name.');
    });
    expect(text).toBe('Ask Ada for a name.');
  });
});

it('runs only for arguments that the published schema accepts', async () => {
  let runs = 0;
  const count: Validate = (value) => {
    runs++;
    return { value };
  };
  const inputSchema = {
    type: 'object',
    properties: { list: { type: 'array', maxItems: 3 } },
  };
  const { text } = await answer(count, { list: Array(100_000).fill(0) }, { inputSchema });
  expect(text).toContain('list: expected at most 3 items');
  expect(runs).toBe(0);
  expect((await answer(count, { list: [1] }, { inputSchema })).text).toBe('{"list":[1]}');
  expect(runs).toBe(1);
});

it('works inside the deadline of its tool', async () => {
  const fixture = new PipelineFixture();
  const never = schemaOf(() => new Promise(() => undefined));
  const standard = [{ name: '', schema: never, takesNothing: false }];
  const tool = fixture.tool(() => 'done', { target: { standard }, policies: [Timeout.entry('5s')] });
  const answered = fixture.call(tool, {});
  await fixture.clock.advance(5_000);
  expect((await answered).isError).toBe(true);
});

it('leaves the arguments of the client as they are, and their defaults to the schema', async () => {
  const fixture = new PipelineFixture();
  const double = schemaOf((value) => ({ value: value === undefined ? 'none' : `${String(value)}!` }));
  const standard = [
    { name: 'one', schema: double, takesNothing: true },
    { name: 'two', schema: double, takesNothing: false },
    { name: 'three', schema: double, takesNothing: true },
  ];
  const inputSchema = {
    type: 'object',
    properties: { one: { default: 'published' }, two: { default: 'published' }, other: { default: 1 } },
  };
  const tool = fixture.tool((given: unknown) => JSON.stringify(given), { target: { standard }, inputSchema });
  const given = Object.freeze({ three: 'x' });
  expect(JSON.parse(textOf(await fixture.call(tool, given)))).toEqual({
    one: 'none',
    three: 'x!',
    other: 1,
  });
  expect(given).toEqual({ three: 'x' });
});
