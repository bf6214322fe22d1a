import type { McpServer } from '@toolwright/core';
import { ConsoleRefusal, Inside } from '../src/index.js';
import { exampleServer } from './support/example-server.js';

let server: McpServer;
let inside: Inside;

beforeEach(async () => {
  server = await exampleServer();
  inside = new Inside(() => undefined);
  inside.add(server);
});

afterEach(() => server.close());

test('operations are described as they are listed, with what the server knows about them', async () => {
  const { operations, tokens } = await inside.ask('surface', { server: 'example' });
  expect(operations.map(({ kind, key }) => `${kind} ${key}`)).toEqual(
    expect.arrayContaining(['tool echo_all', 'prompt greet', 'resource notes://all']),
  );
  const sum = operations.find(({ key }) => key === 'add_numbers')!;
  expect(sum).toMatchObject({ app: 'ui://sum/page', output: { required: ['sum'] } });
  const greet = operations.find(({ key }) => key === 'greet')!;
  expect(greet).toMatchObject({ completes: ['who'], input: { required: ['who'] } });
  expect(tokens).toBeGreaterThan(sum.tokens);
});

test('what a caller does not see is told with the scopes that it lacks', async () => {
  const { hidden, scopes } = await inside.ask('surface', { server: 'example' });
  expect(hidden).toEqual([expect.objectContaining({ key: 'close_books', missingScopes: ['books:close'] })]);
  expect(scopes).toEqual(['books:close']);
  const as = { subject: 'ada', scopes: ['books:close'] };
  expect((await inside.ask('surface', { server: 'example', as })).hidden).toEqual([]);
});

test('of several tools with one name, each caller gets what its own tool says', async () => {
  const schemaOf = (name: string) => ({ type: 'object', properties: { [name]: { type: 'string' } } });
  for (const tenant of ['acme', 'globex'])
    server.tools.add({
      name: 'export',
      description: `Exports for ${tenant}.`,
      inputSchema: schemaOf(tenant),
      for: (principal) => principal?.tenant === tenant,
      handler: () => tenant,
    });
  const of = (tenant: string) => ({ subject: 'ann', tenant, scopes: [] });
  for (const tenant of ['acme', 'globex']) {
    const seen = await inside.ask('surface', { server: 'example', as: of(tenant) });
    const [found, ...more] = seen.operations.filter(({ key }) => key === 'export');
    expect(more).toEqual([]);
    expect(found).toMatchObject({ description: `Exports for ${tenant}.`, input: schemaOf(tenant) });
    expect(seen.hidden.filter(({ key }) => key === 'export').map(({ reason }) => reason)).toEqual([
      'The option "for" of the operation says no.',
    ]);
  }
  const callers = [of('acme'), of('globex'), null];
  const compared = await inside.ask('whoSees', { server: 'example', callers });
  const sights = compared
    .filter(({ key }) => key === 'export')
    .map((each) => each.sights.map(({ state }) => state));
  expect(sights).toEqual([
    ['open', 'hidden', 'hidden'],
    ['hidden', 'open', 'hidden'],
  ]);
});

test('a server that is about to end refuses in its own words', async () => {
  await server.drain(0);
  const asked = inside.ask('surface', { server: 'example' });
  await expect(asked).rejects.toThrow(ConsoleRefusal);
  await expect(asked).rejects.toThrow(/shutting down|stopping|ends/i);
});

test('a call of the console is joined with its trace', async () => {
  const traces: number[] = [];
  server.on('call', ({ number }) => void traces.push(number));
  const { id } = await inside.ask('startCall', {
    server: 'example',
    kind: 'tool',
    key: 'list_rows',
    arguments: {},
  });
  const ended = async () => (await inside.ask('ownCalls', {})).find((call) => call.id === id)!;
  while ((await ended()).state !== 'ended') await new Promise(setImmediate);
  expect((await ended()).trace).toBe(traces[0]);
});
