import { contractOf } from '../../src/model/tool-contract';
import { planOperations } from '../../src/model/plan-operations';
import { convertVersion2 } from '../../src/read/convert-version-2';
import { readSpecification } from '../../src/read/read-specification';
import { bothWays } from '../support/both-ways';

const text = { type: 'string' };
const to = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const heir = (base: string, ...names: string[]) => ({
  allOf: [to(base), { type: 'object', properties: Object.fromEntries(names.map((name) => [name, text])) }],
});
const base = (discriminator: unknown) => ({
  type: 'object',
  discriminator,
  required: ['type'],
  properties: { type: text, name: text },
});
const schemas = {
  Animal: base({ propertyName: 'type' }),
  Cat: heir('Animal', 'skill'),
  Dog: heir('Animal', 'pack'),
  Puppy: heir('Dog', 'age'),
  // Nothing is an heir of this one, and it is no union.
  Alone: base({ propertyName: 'type' }),
  // A mapping is a list that its author made.
  Mapped: base({ propertyName: 'type', mapping: { one: '#/components/schemas/One' } }),
  One: heir('Mapped', 'one'),
  Two: heir('Mapped', 'two'),
};
const send = (operationId: string, schema: object, answer: object = {}) => ({
  post: {
    operationId,
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: { 200: { description: 'ok', content: { 'application/json': { schema: answer } } } },
  },
});
const document = {
  openapi: '3.0.3',
  info: { title: 'Any', version: '1' },
  components: { schemas },
  paths: {
    '/a': send('add', to('Animal'), { type: 'array', items: to('Animal') }),
    '/b': send('addOne', to('Alone')),
    '/c': send('addMapped', to('Mapped')),
  },
};

test('each heir of a base without a mapping can be sent, under the name of its schema', async () => {
  const judge = await bothWays(document);
  const bodies: [object, boolean][] = [
    [{ type: 'Cat', skill: 'lazy' }, true],
    [{ type: 'Puppy', pack: 'p', age: '1', name: 'a' }, true],
    [{ type: 'Animal', name: 'a' }, true],
    [{ type: 'Cat', pack: 'p' }, false],
    [{ type: 'Animal', skill: 'lazy' }, false],
    [{ skill: 'lazy' }, false],
  ];
  for (const [body, fits] of bodies) expect([body, judge('add', { body })]).toEqual([body, [fits, fits]]);
  expect(judge('add_one', { type: 'x', name: 'a' })).toEqual([true, true]);
  expect(judge('add_mapped', { body: { type: 'one', one: '1' } })).toEqual([true, true]);
  expect(judge('add_mapped', { body: { type: 'Two', two: '2' } })).toEqual([false, false]);
}, 60_000);

test('an answer has what the heirs add', async () => {
  const plan = planOperations(await readSpecification(document), { include: ['add'] });
  const { outputSchema } = contractOf(plan.operations[0]!, plan);
  expect(Object.keys(outputSchema!.$defs!['Animal']!.properties!)).toEqual([
    'type',
    'name',
    'skill',
    'pack',
    'age',
  ]);
});

test('in version 2.0 a discriminator is a name, and heirs are found in the same way', async () => {
  const { Animal: _base, ...heirs } = schemas;
  const definitions = JSON.parse(
    JSON.stringify({ Animal: base('type'), Cat: heirs.Cat, Dog: heirs.Dog }).replaceAll(
      'components/schemas',
      'definitions',
    ),
  ) as object;
  const parameters = [{ name: 'body', in: 'body', required: true, schema: { $ref: '#/definitions/Animal' } }];
  const post = { operationId: 'add', parameters, responses: { 200: { description: 'ok' } } };
  const old = {
    swagger: '2.0',
    info: { title: 'Any', version: '1' },
    definitions,
    paths: { '/a': { post } },
  };
  const plan = planOperations(await readSpecification(old, { convert: convertVersion2 }));
  const { $defs } = contractOf(plan.operations[0]!, plan).inputSchema;
  expect(Object.keys($defs!)).toEqual(['AnimalInput', 'CatInput', 'DogInput']);
});
