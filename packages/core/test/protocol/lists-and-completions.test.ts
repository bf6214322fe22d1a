import { close, createProtocolFixture, type ProtocolFixture } from '../support/protocol-fixture.js';
import { StatelessWire } from '../wire/stateless-wire.js';

type Json = Record<string, unknown>;

let fixture: ProtocolFixture;
beforeAll(async () => (fixture = await createProtocolFixture()));
afterAll(() => close(fixture));

const wire = () => new StatelessWire(fixture.server);

test('a list is read page by page, and a cursor stays valid after its definition was removed', async () => {
  const own = await createProtocolFixture({ lists: { pageSize: 4 } });
  const reader = new StatelessWire(own.server);
  const names: string[] = [];
  let cursor: string | undefined;
  do {
    const { result } = await reader.request('tools/list', { ...(cursor && { cursor }) });
    names.push(...result.tools.map(({ name }: { name: string }) => name));
    cursor = result.nextCursor;
  } while (cursor);
  expect(names.sort()).toEqual(
    own.server.tools
      .list()
      .map(({ name }) => name)
      .sort(),
  );
  await close(own);
});

describe('completions', () => {
  const complete = async (ref: Json, argument: Json, context?: Json) =>
    (await wire().request('completion/complete', { ref, argument, ...(context && { context }) })).result
      .completion;
  const prompt = { type: 'ref/prompt', name: 'greet' };
  const template = { type: 'ref/resource', uri: 'test://pages/{id}' };

  test('get the arguments that are already filled in', async () => {
    expect(await complete(prompt, { name: 'who', value: 'a' })).toMatchObject({ values: ['a-none'] });
    const context = { arguments: { how: 'loud' } };
    expect(await complete(prompt, { name: 'who', value: 'a' }, context)).toMatchObject({
      values: ['a-loud'],
    });
    expect(await complete(prompt, { name: 'who', value: 'a' }, {})).toMatchObject({ values: ['a-none'] });
  });

  test('have at most 100 values, and say how many there are', async () => {
    const { values, total, hasMore } = await complete(template, { name: 'id', value: 'x' });
    expect([values.length, total, hasMore]).toEqual([100, 150, true]);
  });

  test.each([
    [prompt, 'how'],
    [prompt, 'constructor'],
    [template, 'other'],
    [{ type: 'ref/resource', uri: 'test://plain' }, 'id'],
  ])('for %j have no values for %s', async (ref, name) => {
    expect(await complete(ref, { name, value: '' })).toEqual({ values: [], total: 0, hasMore: false });
  });
});

test('progress and logs are sent before the answer, at the level that the client wants', async () => {
  const meta = { progressToken: 't', 'io.modelcontextprotocol/logLevel': 'error' };
  const open = wire().open('tools/call', { params: { name: 'talk', arguments: {} }, meta });
  expect((await open.answer)!.result.content[0].text).toBe('said');
  expect(open.inbox.messages.map(({ method, params }) => [method, params.progress ?? params.level])).toEqual([
    ['notifications/progress', 1],
    ['notifications/message', 'error'],
  ]);
});
