import { structured, UndeclaredOutput, UseMiddleware, type ServerOptions } from '@toolwright/core';
import type { ToolDefinition } from '@toolwright/core/operate';
import type { Undeclared } from '@toolwright/core/options';
import type { JsonSchema } from '@toolwright/json';
import { boot } from '../support/booting.js';
import { RecordingSink } from '../support/recording-sink.js';
import { StatelessWire } from '../wire/stateless-wire.js';

const person: JsonSchema = {
  type: 'object',
  properties: { id: { type: 'integer' }, name: { type: 'string' } },
  required: ['id', 'name'],
};
const declared = { id: 1, name: 'Ada' };
const row = { ...declared, passwordHash: 'x', age: 36 };

type Tool = Partial<ToolDefinition> & Pick<ToolDefinition, 'handler'>;

/** The result of a tool, as it is sent. */
async function answer(tool: Tool, options: Partial<ServerOptions> = {}) {
  const server = await boot(options);
  server.tools.add({ name: 'read', outputSchema: person, ...tool });
  const { result } = await new StatelessWire(server).call('read');
  await server.close(0);
  return result as { structuredContent?: unknown; content: { text: string }[]; isError?: boolean };
}

const both = (value: unknown) => ({ content: [{ text: JSON.stringify(value) }], structuredContent: value });

test.each<[string, () => unknown]>([
  ['a value', () => row],
  ['structured content', () => structured(row)],
  ['a promise', async () => row],
])('undeclared parts of a result are sent neither as data nor as text: %s', async (_, handler) => {
  const result = await answer({ handler });
  expect(result).toMatchObject(both(declared));
  expect(JSON.stringify(result)).not.toContain('passwordHash');
});

test.each<[Undeclared | undefined, Undeclared | undefined, Undeclared]>([
  ['keep', undefined, 'keep'],
  ['refuse', undefined, 'refuse'],
  ['refuse', 'keep', 'keep'],
  ['keep', 'drop', 'drop'],
  [undefined, 'refuse', 'refuse'],
  [undefined, undefined, 'drop'],
])('with %s on the server and %s on the tool, the result is: %s', async (server, tool, way) => {
  const result = await answer(
    { handler: () => row, ...(tool && { policies: [UndeclaredOutput.entry(tool)] }) },
    server ? { output: { undeclared: server } } : {},
  );
  if (way === 'refuse') expect(result.isError).toBe(true);
  else expect(result).toMatchObject(both(way === 'keep' ? row : declared));
  if (way !== 'keep') expect(JSON.stringify(result)).not.toContain('passwordHash');
});

test('the result of another server keeps what its schema allows, unless an option says otherwise', async () => {
  const upstream = { content: [{ type: 'text', text: 'Ada' }], structuredContent: row };
  const handler = () => upstream;
  expect(await answer({ handler })).toMatchObject({ content: [{ text: 'Ada' }], structuredContent: row });
  const closed = { ...person, additionalProperties: false };
  expect((await answer({ handler, outputSchema: closed })).isError).toBe(true);
  const dropping = await answer({ handler, outputSchema: closed }, { output: { undeclared: 'drop' } });
  expect(dropping.structuredContent).toEqual(declared);
});

describe('middleware', () => {
  const change = (middleware: Parameters<typeof UseMiddleware.entry>[0]) =>
    answer({ handler: () => row, policies: [UseMiddleware.entry(middleware)] });

  test('sees what will be sent, and may spread it', async () => {
    const seen: unknown[] = [];
    const result = await change(async (_call, next) => {
      const given = await next();
      seen.push((given as { structuredContent: unknown }).structuredContent);
      return { ...given, _meta: { a: 1 } };
    });
    expect(seen).toEqual([declared]);
    expect(result).toMatchObject({ ...both(declared), _meta: { a: 1 } });
  });

  test('may change it in place, and cannot add undeclared parts', async () => {
    const result = await change(async (_call, next) => {
      const given = (await next()) as { structuredContent: typeof row };
      given.structuredContent.name = 'Grace';
      given.structuredContent.passwordHash = 'y';
      return given as never;
    });
    expect(result.structuredContent).toEqual({ id: 1, name: 'Grace' });
  });

  test('may replace it', async () => {
    const result = await change(async (_call, next) => {
      const given = (await next()) as { structuredContent: unknown };
      given.structuredContent = { ...row, id: 2 };
      return given as never;
    });
    expect(result.structuredContent).toEqual({ id: 2, name: 'Ada' });
  });
});

test('the audit log gets the text that was sent', async () => {
  const sink = new RecordingSink();
  await answer({ handler: () => row }, { audit: sink });
  expect(sink.records.map(({ event }) => event.result)).toEqual([JSON.stringify(declared)]);
});

const tagged = { type: 'text', text: 'Ada', passwordHash: 'x' };

test.each<[string, unknown]>([
  ['a block', tagged],
  ['a list', ['And:', tagged]],
  ['a result of the protocol', { content: [tagged], isError: false }],
])('undeclared members of a content block are not sent: %s', async (_, returned) => {
  const bare = { outputSchema: undefined, handler: () => returned } as unknown as Tool;
  const kept = await answer({ ...bare, policies: [UndeclaredOutput.entry('keep')] });
  expect(JSON.stringify(kept)).toContain('passwordHash');
  const dropped = await answer(bare);
  expect(JSON.stringify(dropped)).not.toContain('passwordHash');
  expect(dropped.content.at(-1)).toEqual({ type: 'text', text: 'Ada' });
  const refused = await answer(bare, { output: { undeclared: 'refuse' } });
  expect(refused.isError).toBe(true);
  expect(JSON.stringify(refused)).not.toContain('Ada');
});

test('undeclared members of a content block are not sent: structured content and prompts', async () => {
  const result = await answer({ handler: () => structured(declared, tagged as never) });
  expect(result.content).toEqual([{ type: 'text', text: 'Ada' }]);
  const server = await boot({});
  server.prompts.add({ name: 'ask', handler: () => [{ role: 'user', content: tagged }, tagged] });
  const { result: asked } = await new StatelessWire(server).request('prompts/get', { name: 'ask' });
  await server.close(0);
  const message = { role: 'user', content: { type: 'text', text: 'Ada' } };
  expect((asked as { messages: unknown }).messages).toEqual([message, message]);
});
