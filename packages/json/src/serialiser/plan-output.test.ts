import type { JsonSchema } from '../schema/json-schema.js';
import { exactWriter } from './exact-writer.js';
import { outputWriter } from './output-writer.js';
import { planAlternatives } from './plan-output.js';

const text = { type: 'string' };
const deletable: JsonSchema = {
  anyOf: [
    { type: 'object', properties: { id: text, name: text }, required: ['id', 'name'] },
    { type: 'object', properties: { id: text, deleted: { const: true } }, required: ['id', 'deleted'] },
  ],
};

test.each([
  ['without the tag', { id: '1', name: 'A', secret: 'x' }, { id: '1', name: 'A' }],
  ['with the tag', { id: '1', deleted: true, secret: 'x' }, { id: '1', deleted: true }],
  ['that are both', { id: '1', name: 'A', deleted: true }, { id: '1', name: 'A', deleted: true }],
  ['whose tag is one in JSON', { id: '1', deleted: { toJSON: () => true } }, { id: '1', deleted: true }],
])('values %s are written as by the exact writer', (_, value, json) => {
  const exact = exactWriter(deletable, { undeclared: 'drop' });
  expect(JSON.parse(exact(value).json)).toEqual(json);
  const writer = outputWriter(structuredClone(deletable), { undeclared: 'drop' });
  for (let turn = 0; turn < 2; turn++) expect(JSON.parse(writer(value).json)).toEqual(json);
});

test('the exact writer only handles values with the tag', () => {
  const planning = { undeclared: 'drop', exact: () => () => 'exact', definition: () => undefined } as const;
  const node = planAlternatives(deletable, { planning, plan: () => ({ kind: 'any' }) });
  expect(node).toMatchObject({
    kind: 'types',
    byType: { object: { kind: 'tagged', property: 'deleted', otherwise: { kind: 'any' } } },
  });
});
