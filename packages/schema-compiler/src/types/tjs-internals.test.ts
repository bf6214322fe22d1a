import { JsonSchemaGenerator } from 'typescript-json-schema';
import { assertInternals } from './tjs-internals.js';

test('the pinned release has every method that is overridden', () => {
  expect(() => assertInternals(JsonSchemaGenerator.prototype)).not.toThrow();
});

test('a release that renamed one is refused by name', () => {
  const renamed = Object.create(JsonSchemaGenerator.prototype, {
    getUnionDefinition: { value: undefined },
  }) as object;
  expect(() => assertInternals(renamed)).toThrow(
    /has no getUnionDefinition: install exactly version 0\.68\.0/,
  );
});
