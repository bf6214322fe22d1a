import { shapeOf, type MethodShape } from './shape.js';

const search: MethodShape = { method: 'search', arity: 2 };
const remove: MethodShape = { method: 'remove', arity: 1 };

test('the order of the methods does not matter', () => {
  expect(shapeOf('Pages', [search, remove])).toBe(shapeOf('Pages', [remove, search]));
});

test.each<[string, string, MethodShape[]]>([
  ['another class name', 'Notes', [search, remove]],
  ['another method name', 'Pages', [{ ...search, method: 'find' }, remove]],
  ['another number of parameters', 'Pages', [{ ...search, arity: 3 }, remove]],
  ['a method made static', 'Pages', [{ ...search, static: true }, remove]],
  ['a method gone', 'Pages', [search]],
])('%s changes the shape', (_case, name, methods) => {
  expect(shapeOf(name, methods)).not.toBe(shapeOf('Pages', [search, remove]));
});

test('the shape has 16 hexadecimal digits, also for a class without decorated methods', () => {
  expect(shapeOf('Pages', [])).toMatch(/^[0-9a-f]{16}$/);
});
