import type { JsonSchema } from '../schema/json-schema.js';
import { InvalidOutputError } from './exact-writer.js';
import { outputWriter } from './output-writer.js';

it('a definition that documents share is planned once, and its references keep the meaning of each document', () => {
  const planned: string[] = [];
  const node = new Proxy({ type: 'object', properties: { next: { $ref: '#/$defs/other' } } } as JsonSchema, {
    get: (target, key) => {
      if (key === 'properties') planned.push('properties');
      return Reflect.get(target, key) as unknown;
    },
  });
  const shared = { node, other: { type: 'string' } };
  const writing = { undeclared: 'drop' } as const;
  const documents = [1, 2, 3].map((count) => ({
    type: 'array',
    minItems: count,
    items: { $ref: '#/$defs/node' },
    $defs: { ...shared },
  }));
  for (const document of documents)
    expect(outputWriter(document, writing)([{ next: 'a' }, { next: 'b' }, {}]).json).toBe(
      '[{"next":"a"},{"next":"b"},{}]',
    );
  const once = planned.length;
  const another = { ...documents[0]!, $defs: { ...shared, other: { type: 'integer' } } };
  expect(outputWriter(another, writing)([{ next: 1 }]).json).toBe('[{"next":1}]');
  expect(() => outputWriter(another, writing)([{ next: 'a' }])).toThrow(InvalidOutputError);
  expect(planned.length).toBeGreaterThan(once);
});
