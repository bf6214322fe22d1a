import { embedded, text } from '@toolwright/ground/call/results/content';
import { PipelineFixture, textOf } from '../../../test/support/pipeline-fixture.js';
import { HiddenText } from './guard-output.js';
import { MaxOutput } from './max-output.js';
import { UseMiddleware } from '../middleware.js';
import { cleanText } from '@toolwright/json';
import { promptKind } from '../../boot/kinds/prompt.js';
import { resourceKind } from '../../boot/kinds/resource.js';

const pages = {
  outputSchema: {
    type: 'object',
    properties: {
      results: { type: 'array', items: { type: 'object', properties: { id: { type: 'number' } } } },
      next: { type: 'string' },
    },
    required: ['results'],
  },
};

/** What the model reads of a tool that may have changed something. */
const done = (why: string) =>
  `The tool ran; its result could not be sent (${why}). What it did is done: do not call it again for the result.`;

describe('a result that breaks its schema', () => {
  it.each([
    [
      'a wrong type',
      { results: [{ id: 1 }, { id: 'secret' }] },
      'results[1].id: expected a number, received a string',
    ],
    ['a list in its place', { results: 'secret' }, 'results: expected an array, received a string'],
    ['nothing', undefined, 'the result: expected an object, received null'],
    ['a missing property', {}, 'results: required (an array), but missing'],
  ])('is not sent: %s', async (_, value, logged) => {
    const fixture = new PipelineFixture();
    const result = await fixture.call(fixture.tool(() => value, pages));
    expect(result).toEqual({
      content: [{ type: 'text', text: done('ref ref0123456') }],
      isError: true,
    });
    const { err } = fixture.logger.lines[0]!.fields as { err: Error };
    expect(err.message).toContain(logged);
    expect(err.message).not.toContain('secret');
    expect(fixture.sink.records[0]!.event.reason).toBe('TW_INVALID_OUTPUT');
  });

  it.each([[Number.NaN], [Number.POSITIVE_INFINITY], [new Date('never')]])(
    'is not sent as null: %s',
    async (value) => {
      const fixture = new PipelineFixture();
      for (const options of [{}, { outputSchema: {} }]) {
        const result = await fixture.call(fixture.tool(() => ({ deep: [value] }), options));
        expect(result.isError).toBe(true);
        expect(textOf(result)).toBe(done('ref ref0123456'));
      }
      expect(String((fixture.logger.lines[0]!.fields as { err: Error }).err)).toContain('/deep/0');
    },
  );

  it('is not sent either if middleware created it', async () => {
    const fixture = new PipelineFixture();
    const tool = fixture.tool(() => ({ results: [] }), {
      ...pages,
      policies: [UseMiddleware.entry(() => ({ content: [], structuredContent: { results: 'none' } }))],
    });
    expect((await fixture.call(tool)).isError).toBe(true);
  });

  it('is an error even if content was returned instead of the value', async () => {
    const fixture = new PipelineFixture();
    expect((await fixture.call(fixture.tool(() => text('hi'), pages))).isError).toBe(true);
  });
});

describe('hidden characters in a result', () => {
  const value = {
    results: [],
    note: '\ufeffpay\u200b me \u{e0041}',
    log: '\u001b[31mred\u001b[0m\f',
    '\u202ekey': '👩‍👩‍👧 soft\u00adhyphen می\u200cخواهم',
  };

  it.each(['escape', 'drop', 'keep'] as const)(
    'stay in structured content, and its text is the same: %s',
    async (hidden) => {
      const fixture = new PipelineFixture({ output: { hidden, undeclared: 'keep' } });
      for (const options of [pages, {}]) {
        const result = await fixture.call(fixture.tool(() => value, options));
        if (options === pages) expect(result.structuredContent).toEqual(value);
        expect(JSON.parse(textOf(result))).toEqual(value);
        if (hidden !== 'keep') expect(cleanText(textOf(result), 'escape')).toBe(textOf(result));
      }
    },
  );

  it('are made visible in prompts, and stay in resources, including embedded ones', async () => {
    const fixture = new PipelineFixture();
    const { environment } = fixture;
    const request = () => fixture.request();
    const base = { annotations: {}, policies: new Map(), name: 'x', complete: {} };
    const file = 'a\u202eb\u001b[0m\ufeff';
    const holder = embedded({ uri: 'a://b', text: file });
    const target = { method: (() => [file, holder]) as never, instance: () => undefined };
    const prompt = promptKind.plan({ ...base, kind: 'prompt', arguments: [], target }, environment);
    expect(await prompt.run(request(), {})).toEqual({
      messages: [
        { role: 'user', content: { type: 'text', text: 'a\\u{202e}b\\u{1b}[0m\ufeff' } },
        { role: 'user', content: holder },
      ],
    });
    const read = { method: (() => file) as never, instance: () => undefined };
    const resource = resourceKind.plan(
      { ...base, kind: 'resource', uri: 'a://b', target: read },
      environment,
    );
    expect(await resource.run(request(), {})).toEqual({ contents: [{ uri: 'a://b', text: file }] });
    expect(await fixture.call(fixture.tool(() => holder))).toEqual({ content: [holder] });
  });

  it.each([
    ['escape', 'a\\u{1b}[31mb\u200bc'],
    ['drop', 'ab\u200bc'],
    ['keep', 'a\u001b[31mb\u200bc'],
  ] as const)('are handled as the server or the tool says: %s', async (hidden, expected) => {
    const method = () => 'a\u001b[31mb\u200bc';
    const server = new PipelineFixture({ output: { hidden } });
    expect(textOf(await server.call(server.tool(method)))).toBe(expected);
    const other = new PipelineFixture({ output: { hidden: hidden === 'keep' ? 'drop' : 'keep' } });
    const tool = other.tool(method, { policies: [HiddenText.entry(hidden)] });
    expect(textOf(await other.call(tool))).toBe(expected);
  });

  it('the option allows only three values', () => {
    const tool = () =>
      new PipelineFixture().tool(() => 'x', { policies: [HiddenText.entry('kept' as never)] });
    expect(tool).toThrow("none of 'escape', 'drop', 'keep'");
  });
});

describe('a result that is too large', () => {
  const many = { results: Array.from({ length: 500 }, (_, id) => ({ id })), next: 'abc' };
  const max = (bytes: number) => ({ policies: [MaxOutput.entry({ bytes })] });

  it('loses items from the end of its arrays, and still matches its schema', async () => {
    const fixture = new PipelineFixture();
    const result = await fixture.call(fixture.tool(() => many, { ...pages, ...max(1_000) }));
    const { results, next } = result.structuredContent as typeof many;
    expect(next).toBe('abc');
    expect(results.length).toBeGreaterThan(50);
    expect(results).toEqual(many.results.slice(0, results.length));
    const [body, note] = result.content as { text: string }[];
    expect(Buffer.byteLength(body!.text)).toBeLessThanOrEqual(1_000);
    expect(JSON.parse(body!.text)).toEqual(result.structuredContent);
    expect(note!.text).toContain(
      `[The result was cut: ${500 - results.length} of 500 items of results left out at the end. For the next part, call the tool again with the same arguments and "cursor": "`,
    );
    expect(many.results).toHaveLength(500);
  });

  it('is cut as JSON without a schema, and as text if it is text', async () => {
    const fixture = new PipelineFixture();
    const list = await fixture.call(fixture.tool(() => many.results, max(200)));
    expect(JSON.parse((list.content[0] as { text: string }).text)).toEqual(many.results.slice(0, 20));
    const prose = await fixture.call(fixture.tool(() => 'ä'.repeat(1_000), max(101)));
    expect((prose.content[0] as { text: string }).text).toBe('ä'.repeat(50));
    expect(textOf(prose)).toContain('1900 bytes of text left out');
  });

  it('is counted in tokens if the option says so', () => {
    const { plan } = new PipelineFixture().tool(() => 1, { policies: [MaxOutput.entry({ tokens: 100 })] });
    expect(plan!.find(({ name }) => name === 'output')).toMatchObject({
      detail: 'sanitised, at most 400 bytes',
      origin: 'method',
    });
  });

  it('is an error if it cannot be cut', async () => {
    const fixture = new PipelineFixture({ output: { maxBytes: 80 } });
    const blob = { outputSchema: { type: 'object', properties: { text: { type: 'string' } } } };
    const reads = { ...blob, annotations: { readOnlyHint: true } };
    const result = await fixture.call(fixture.tool(() => ({ text: 'x'.repeat(100) }), reads));
    expect(textOf(result)).toBe(
      'The result of work is larger than 80 bytes and cannot be cut. Ask for less.',
    );
    const strict = { outputSchema: { type: 'array', minItems: 30 }, annotations: { readOnlyHint: true } };
    const short = await fixture.call(fixture.tool(() => Array(30).fill('xx'), strict));
    expect(textOf(short)).toContain('cannot be cut');
    expect(fixture.sink.records[0]!.event.reason).toBe('TW_OUTPUT_TOO_LARGE');
  });

  it('a smaller result is not changed', async () => {
    const fixture = new PipelineFixture();
    const result = await fixture.call(fixture.tool(() => 'x'.repeat(50), max(50)));
    expect(result.content).toEqual([{ type: 'text', text: 'x'.repeat(50) }]);
  });
});
