import { JsonSchemaGenerator } from 'typescript-json-schema';
import { assertInternals } from './tjs-adapter.js';

test('the installed release has every method that we override', () => {
  expect(() => assertInternals(JsonSchemaGenerator.prototype)).not.toThrow();
});

test('the error names a method that the release lacks', () => {
  const renamed = Object.create(JsonSchemaGenerator.prototype, {
    getUnionDefinition: { value: undefined },
  }) as object;
  expect(() => assertInternals(renamed)).toThrow(
    /has no getUnionDefinition: install exactly version 0\.68\.0/,
  );
});
